import * as z from 'zod';

/** Core NATS request `wallet.address`: whether a wallet's host may be called, as the role that would call it finds now. */
export const walletAddressStatuses = [
  'callable',
  'address_not_allowed',
  'name_not_resolved',
  'unknown',
] as const;

/** `unknown`: no wallet role has answered. */
export type WalletAddressStatus = (typeof walletAddressStatuses)[number];

const question = z.strictObject({ base_url: z.url() });
const answer = z.strictObject({ status: z.enum(walletAddressStatuses) });

/** The bytes of a question. */
export function encodeWalletAddressQuestion(baseUrl: string): Uint8Array {
  return Buffer.from(JSON.stringify({ base_url: baseUrl }), 'utf8');
}

/** The base URL; null: the message is none. */
export function decodeWalletAddressQuestion(bytes: Uint8Array): string | null {
  const parsed = question.safeParse(readJson(bytes));
  return parsed.success ? parsed.data.base_url : null;
}

/** The bytes of an answer. */
export function encodeWalletAddressStatus(status: WalletAddressStatus): Uint8Array {
  return Buffer.from(JSON.stringify({ status }), 'utf8');
}

/** An answer that does not read says nothing: `unknown`. */
export function decodeWalletAddressStatus(bytes: Uint8Array): WalletAddressStatus {
  const parsed = answer.safeParse(readJson(bytes));
  return parsed.success ? parsed.data.status : 'unknown';
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
