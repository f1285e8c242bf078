import * as z from 'zod';

/** What a wallet's answer is worth (docs/rules/wallets.md "Answers"). */
export type WalletAnswer =
  /** 2xx with JSON; whether it has the operation's shape, the operation says. */
  | { readonly kind: 'accepted'; readonly body: unknown }
  /** The wallet has decided: never tried again. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  /** It may have happened, or not. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

export type UnknownReason =
  | 'no_answer'
  | 'status'
  | 'garbage'
  | 'oversize'
  | 'name_not_resolved'
  /** Not sent: the wallet is at an address that we do not call (docs/decisions/0090). */
  | 'address_not_allowed'
  /** Not sent: the wallet did not answer of late, or too many calls wait for it. */
  | 'breaker_open'
  | 'too_many_calls';

/** 4xx that say something of the way to the wallet, not of the request. */
const undecided = new Set([401, 403, 408, 425, 429]);

/** The shape of every error, ours and a wallet's. */
const errorBody = z.looseObject({ status_code: z.int(), code: z.string(), message: z.string() });

/** Judges an answer that has arrived whole. */
export function judge(status: number, text: string): WalletAnswer {
  const accepted = status >= 200 && status < 300;
  if (!accepted && (status < 400 || status > 499 || undecided.has(status))) return unknown('status');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return unknown(accepted ? 'garbage' : 'status');
  }
  if (accepted) return { kind: 'accepted', body };
  const error = errorBody.safeParse(body);
  if (!error.success) return unknown('status');
  return { kind: 'refused', status, code: error.data.code, message: error.data.message };
}

export function unknown(reason: UnknownReason): WalletAnswer {
  return { kind: 'unknown', reason };
}
