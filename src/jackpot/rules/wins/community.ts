import { floorMultiply } from '../../../lib/fraction.ts';
import type { PayoutShare } from '../../state/configuration/configuration.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Candidates, SharedWin } from '../../state/players/candidates.ts';
import { type KeystreamWords, picksOf } from '../keystreams/keystream.ts';
import { purposeCommunity } from '../keystreams/names.ts';

/** The shares of one of payout_rules and their recipients. */
export interface RuleShares {
  readonly kind: string;
  readonly amountAtoms: bigint;
  readonly candidates: Candidates;
  /** Indexes of candidates, in the order they were picked. */
  readonly picked: readonly number[];
  /** The share of each: whole minor units. */
  readonly shareAtoms: bigint;
}

export interface Community {
  readonly rules: readonly RuleShares[];
  readonly restAtoms: bigint;
}

const noShares: Community = { rules: [], restAtoms: 0n };

/** Elects the players who share a win (docs/rules/wins-and-reseeding.md "Community shares"). */
export function communityOf(
  state: LaneState,
  instance: Instance,
  payouts: readonly PayoutShare[],
  win: SharedWin,
  valueAtoms: bigint,
  sequence: number,
  floor: (atoms: bigint) => bigint,
): Community {
  if (payouts.length === 0) return noShares;
  win.room.clear();
  const elections = payouts.map(({ rule }) => rule.election(win));
  let keystream: KeystreamWords | null = null;
  const expectedWords = payouts.reduce((sum, { rule }) => sum + rule.maxPayouts, 0);
  const lanesOfWin = () => {
    keystream ??= picksOf(state.hashing, instance, purposeCommunity, sequence, expectedWords);
    return keystream;
  };
  const rules = payouts.map(({ percentage, rule }, index): RuleShares => {
    const election = elections[index]!;
    const { candidates } = election;
    const amountAtoms = floorMultiply(valueAtoms, percentage);
    const picked = election.elect(lanesOfWin);
    const shareAtoms = picked.length === 0 ? 0n : floor(amountAtoms / BigInt(picked.length));
    return { kind: rule.kind, amountAtoms, candidates, picked, shareAtoms };
  });
  const restAtoms = rules.reduce((sum, each) => sum + each.amountAtoms - paidBy(each), 0n);
  return { rules, restAtoms };
}

export function paidBy(rule: RuleShares): bigint {
  return rule.shareAtoms * BigInt(rule.picked.length);
}
