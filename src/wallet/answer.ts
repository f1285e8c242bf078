import { type DefiniteRefusal, definiteRefusal } from '../outbound/refusal.ts';

/** What a wallet's answer is worth (docs/rules/wallets.md "Answers"). */
export type WalletAnswer =
  /** 2xx with JSON, or 204, whose body is null; whether it has the operation's shape, the operation says. */
  | { readonly kind: 'accepted'; readonly body: unknown }
  /** The wallet has decided: never tried again. */
  | ({ readonly kind: 'refused' } & DefiniteRefusal)
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

const noContent = 204;

/** Judges an answer that has arrived whole. */
export function judge(status: number, text: string): WalletAnswer {
  if (status < 200 || status >= 300) {
    const refusal = definiteRefusal(status, text);
    return refusal === null ? unknown('status') : { kind: 'refused', ...refusal };
  }
  if (status === noContent) return { kind: 'accepted', body: null };
  try {
    return { kind: 'accepted', body: JSON.parse(text) as unknown };
  } catch {
    return unknown('garbage');
  }
}

export function unknown(reason: UnknownReason): WalletAnswer {
  return { kind: 'unknown', reason };
}
