import { readWide } from '../../../lib/wide.ts';
import type { ContributionWin } from '../../../messages/outcomes.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { currentAt, potAt } from '../../state/money/accounts.ts';
import { type Hit, markVoid } from '../draws/draw.ts';
import type { Group } from '../draws/group.ts';
import { notePaidWindows } from '../pots/windows.ts';
import { payWin, type Winner } from './pay.ts';

/** Pays one of the hits, the others are void (docs/rules/wins-and-reseeding.md "Selection"). A text: a breach. */
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
