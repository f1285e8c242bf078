import * as z from 'zod';
import { configuredAmount, milliseconds } from '../fields/configuration-fields.ts';
import { foreignIdField, ownIdField } from '../fields/identifier-fields.ts';
import { secret } from '../fields/secrets.ts';

/** Core NATS request `wallet.address`: whether the wallet role may call a wallet's host now. */
const walletAddressStatuses = ['callable', 'address_not_allowed', 'name_not_resolved', 'unknown'] as const;

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

/** How to reach a brand's wallet; every change states its secrets (docs/rules/http.md "Secrets"). */
const addressField = z.string().min(1).max(2048);

/** Visible ASCII: it travels in an Authorization header. */
const bearerField = secret(z.string().regex(/^[\x21-\x7e]{1,1024}$/));

export const newWalletSettings = z.strictObject({
  operator_id: ownIdField.nullish(),
  brand_id: z.string().nullish(),
  base_url: addressField,
  bearer_key: bearerField,
  hmac_secret: secret(z.string().min(1).max(1024)),
  provider_id: foreignIdField,
  close_rounds: z.boolean().nullish(),
  /** Debits that wait at the same time share a W4. Not with close_rounds: a batch names no round. */
  batch_debits: z.boolean().nullish(),
  /** In the brand's currency, which is the base currency of its rates. */
  verification_limit: configuredAmount.nullish(),
});

const checkIds = z.array(z.string().regex(/^[a-z0-9.-]{1,64}$/)).max(500);

/** What `potstream wallet verify` found at an address (docs/rules/wallets.md "Certificates"). */
export const certificateMembers = {
  base_url: addressField,
  /** When the checks ended, by the clock of the machine that they ran on. */
  verified_timestamp: milliseconds,
  /** The release of Potstream whose checks ran. */
  version: z.string().min(1).max(64),
  /** How many checks passed, and which did not. */
  passed: z.int().min(0).max(10_000),
  failed: checkIds,
  skipped: checkIds,
};

export const newWalletCertificate = z.strictObject({
  operator_id: ownIdField.nullish(),
  brand_id: z.string().nullish(),
  ...certificateMembers,
});

/** The settings as they are shown, without secrets. */
export const walletSettings = z.strictObject({
  base_url: z.string(),
  provider_id: z.string(),
  close_rounds: z.boolean(),
  batch_debits: z.boolean(),
  verification_limit: z.string().nullable(),
  /** What a call would find at the address now; unknown: the wallet role does not answer. */
  address_status: z.enum(walletAddressStatuses),
  /** null: none was recorded. */
  certificate: z
    .strictObject({
      ...certificateMembers,
      /** Some checks passed, and none failed. */
      certified: z.boolean(),
      recorded_by: z.string(),
      recorded_timestamp: z.int(),
    })
    .nullable(),
});
