import { readWide } from '../../../lib/wide.ts';
import type { ContributionWin } from '../../../messages/outcomes.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { currentAt, cycleAt, enabledAt, potAt } from '../../state/money/accounts.ts';
import { findBreach } from '../../state/money/ledger.ts';
import { settleCredit } from '../credits/credit.ts';
import { openCredits } from '../credits/open.ts';
import { type Hit, markVoid } from '../draws/draw.ts';
import type { Group } from '../draws/group.ts';
import { reseed } from '../pots/reseed.ts';
import { notePaidWindows } from '../pots/windows.ts';
import { noteWin } from './note-win.ts';
import { payoutOf, postPayout, type Winner } from './payout.ts';
import { recipientsOf } from './recipients.ts';

export type { Winner } from './payout.ts';

/** Pays a pot and opens its next cycle (docs/rules/wins-and-reseeding.md "Payout"). A text: a breach. */
export function payWin(
  state: LaneState,
  group: Group,
  index: number,
  trigger: number | null,
  winner: Winner,
): ContributionWin | string {
  const { instance } = group;
  const { balances } = instance;
  const pot = instance.pots[index]!;
  const at = potAt(index);
  const cycle = balances[at + cycleAt]!;
  const payout = payoutOf(state, instance, index, winner);
  postPayout(balances, at, payout);
  const recipients = recipientsOf(state, instance, winner, payout);
  for (const { amountAtoms, credit } of [recipients.main, ...recipients.shares.flat()]) {
    settleCredit(balances, amountAtoms, credit);
  }
  const maximum = instance.configuration.maxCycles;
  const isLast = maximum !== null && cycle >= maximum;
  const next = pot.pending ?? pot.effective;
  const reseeded = isLast ? null : reseed(balances, at, pot.effective, next, state.nowMs);
  if (isLast) balances[at + enabledAt] = 0;
  const breach = findBreach(balances, instance.pots.length);
  if (breach !== null) return breach;

  state.recorder?.paid?.(instance);
  if (!isLast) instance.bindPending(pot);
  instance.refresh();
  if (state.rules.potsAreEnabledAgain && isLast && instance.enabledMask === 0) instance.isSpent = true;
  noteWin(state, group, index, trigger, { winner, payout, recipients, reseeded, cycle });
  const { round: contributionId, source, sequence } = winner;
  const paying = { pot: pot.effective.id, cycle, sequence, contributionId, source };
  openCredits(state, instance, { ...paying, kind: 'main', provider: winner.provider }, [recipients.main]);
  openCredits(state, instance, { ...paying, kind: 'community' }, recipients.shares.flat());
  return {
    pot: pot.effective.id,
    amountAtoms: payout.winAtoms,
    currency: instance.configuration.currency,
    withheld: recipients.main.credit.withheld,
  };
}

/**
 * Pays one of the hits, the others are void (docs/rules/wins-and-reseeding.md "Selection"). A text: a breach.
 */
export function settleHits(
  state: LaneState,
  group: Group,
  hits: readonly Hit[],
  winner: Winner,
): ContributionWin | string {
  const { instance } = group;
  const selected = select(instance, hits);
  for (const hit of hits) {
    if (hit !== selected) markVoid(group, hit, instance.pots[hit.pot]!.effective.triggers.length);
  }
  const pot = instance.pots[selected.pot]!.effective;
  notePaidWindows(instance.balances, potAt(selected.pot), pot, group.records, selected.entriesAt);
  return payWin(state, group, selected.pot, selected.trigger, winner);
}

/** Lowest or highest value, ties by array order; or the first. */
function select(instance: Instance, hits: readonly Hit[]): Hit {
  const value = (hit: Hit) => readWide(instance.balances, potAt(hit.pot) + currentAt);
  const strategy = instance.configuration.selector;
  return hits.reduce((best, hit) => {
    if (strategy === 'First') return best;
    const better = strategy === 'Lowest' ? value(hit) < value(best) : value(hit) > value(best);
    return better ? hit : best;
  });
}
