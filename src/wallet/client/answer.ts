import { type DefiniteRefusal, definiteRefusal } from '../../outbound/refusal.ts';

/** What a wallet's answer is worth (docs/rules/wallets.md "Answers"). */
export type WalletAnswer =
  /** 2xx with JSON, or 204, whose body is null, that is an answer of the operation. */
  | { readonly kind: 'accepted'; readonly body: unknown }
  /** The wallet has decided: never tried again. */
  | ({ readonly kind: 'refused' } & DefiniteRefusal)
  /** The call may have happened, or not. */
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

/** Judges an answer that has arrived whole. A body that is no answer of the operation counts as none. */
export function judge(
  status: number,
  text: string,
  isAnswer: (body: unknown) => boolean = () => true,
): WalletAnswer {
  if (status < 200 || status >= 300) {
    const refusal = definiteRefusal(status, text);
    return refusal === null ? unknown('status') : { kind: 'refused', ...refusal };
  }
  const body = status === noContent ? null : parsed(text);
  return body === undefined || !isAnswer(body) ? unknown('garbage') : { kind: 'accepted', body };
}

/** undefined: the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function unknown(reason: UnknownReason): WalletAnswer {
  return { kind: 'unknown', reason };
}
