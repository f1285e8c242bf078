import { type Books, openWindows } from './books.ts';
import { expectThat } from './disagreement.ts';
import type { OpeningPot } from './header.ts';
import type { Members } from './shape.ts';

/**
 * A closed pot whose rules in waiting enable it counts anew from the beginning of the next epoch, which says when that is
 * (docs/jpd1.md "12. The end of an epoch"). Only the next epoch knows whether one begins at all.
 */
export function enablePots(books: Books, opened: readonly OpeningPot[], next: Members, lastMs: number): void {
  const max = Number(next.max_instantiation_count ?? Number.POSITIVE_INFINITY);
  for (const pot of books.pots) {
    const { cycleStart, enabled } = opened[pot.index] ?? { cycleStart: 0, enabled: false };
    const isClosed = !pot.enabled && !pot.rules.enabled && pot.cycle <= max;
    if (!enabled || !isClosed || pot.pending?.enabled !== true) continue;
    expectThat('closing', cycleStart >= lastMs, `pot ${pot.id} was enabled before the last record`);
    pot.rules = pot.pending;
    pot.pending = null;
    pot.enabled = true;
    pot.cycleStart = cycleStart;
    pot.cycleContributions = 0;
    pot.lastDrawn = pot.current;
    openWindows(pot, cycleStart);
  }
}
