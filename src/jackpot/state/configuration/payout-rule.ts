import type { PayoutRuleKind } from '../../../messages/kinds.ts';
import type { Candidates, SharedWin } from '../players/candidates.ts';
import type { Keystream } from './trigger.ts';

export interface PayoutRule {
  readonly kind: PayoutRuleKind;
  readonly maxPayouts: number;
  election(win: SharedWin): Election;
}

/** Who may share a win by one rule. */
export interface Election {
  readonly candidates: Candidates;
  /** Candidates' indexes, in the order they are picked; asked once. */
  elect(keystream: () => Keystream): readonly number[];
}
