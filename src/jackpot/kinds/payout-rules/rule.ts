import type { PayoutRuleKind } from '../../../messages/kinds.ts';
import type { Reader } from '../../configuration/reader.ts';
import type { KeystreamWords } from '../../draw/keystream-words.ts';
import type { Candidates, SharedWin } from './candidates.ts';

export interface PayoutRule {
  readonly kind: PayoutRuleKind;
  readonly maxPayouts: number;
  election(win: SharedWin): Election;
}

/** Who may share a win by one rule. */
export interface Election {
  readonly candidates: Candidates;
  /** Candidates' indexes, in the order they are picked; asked once. */
  elect(keystream: () => KeystreamWords): readonly number[];
}

export interface PayoutRuleType {
  read(parameters: Reader): PayoutRule;
}

/** `max_number_of_payouts`, which every rule has. */
export function readMaxPayouts(parameters: Reader): number {
  if (!parameters.has('max_number_of_payouts')) parameters.fault('max_number_of_payouts', 'is missing');
  return parameters.integer('max_number_of_payouts', 1, 1) ?? 1;
}
