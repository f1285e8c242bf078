import * as z from 'zod';
import { fromUtf8 } from '../../lib/bytes.ts';

/**
 * Tries as `wallet` and `outbox` report them on `tries.wallet` and `tries.callback`: JSON, many in a message.
 * Nothing follows from them, and some are lost (docs/decisions/0487). No token, key, body or path is in
 * them.
 */

const ofTry = {
  /** Counts the tries of its process from 1: a number that is missing was lost. */
  number: z.int().min(1),
  /** When it ended. */
  time: z.int().min(0),
  took_ms: z.int().min(0),
  /** The status of HTTP; null: there was no answer. */
  status: z.int().nullable(),
};

const walletTryShape = z.object({
  ...ofTry,
  call: z.enum(['W2', 'W3', 'W4', 'W5']),
  brand: z.string(),
  transaction_id: z.string().nullable(),
  batch_id: z.string().nullable(),
  records: z.int().min(1),
  result: z.enum(['accepted', 'refused', 'unknown']),
  code: z.string().nullable(),
});

const callbackTryShape = z.object({
  ...ofTry,
  owner: z.string(),
  kind: z.string(),
  event_id: z.string(),
  lane: z.int().min(0),
  sequence: z.int().min(0),
  origin: z.string(),
  result: z.enum(['delivered', 'failed']),
  error: z.string().nullable(),
  is_final: z.boolean(),
});

export type WalletTry = z.infer<typeof walletTryShape>;
export type CallbackTry = z.infer<typeof callbackTryShape>;

/** Tries that one process reports in a message. */
interface ReportedTries<T> {
  /** Random, of the life of the process. */
  readonly process: string;
  readonly tries: readonly T[];
}

const shapes = {
  wallet: z.object({ process: z.string(), tries: z.array(walletTryShape) }),
  callback: z.object({ process: z.string(), tries: z.array(callbackTryShape) }),
} as const;

/** The bytes of a message of tries. */
export function encodeTries(reported: ReportedTries<WalletTry | CallbackTry>): Uint8Array {
  return Buffer.from(JSON.stringify(reported), 'utf8');
}

/** Tries of wallet calls; null: the message cannot be read. */
export function decodeWalletTries(bytes: Uint8Array): ReportedTries<WalletTry> | null {
  return parsed(shapes.wallet, bytes);
}

/** Tries of callbacks; null: the message cannot be read. */
export function decodeCallbackTries(bytes: Uint8Array): ReportedTries<CallbackTry> | null {
  return parsed(shapes.callback, bytes);
}

function parsed<T>(shape: z.ZodType<T>, bytes: Uint8Array): T | null {
  try {
    return shape.safeParse(JSON.parse(fromUtf8(bytes))).data ?? null;
  } catch {
    return null;
  }
}
