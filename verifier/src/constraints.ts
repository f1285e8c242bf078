import type { Books, Pot } from './books.ts';
import { atLeastZero, atomsOf } from './decimal.ts';
import { Disagreement } from './disagreement.ts';

/** Whether the pot may be won now: on its own state before the draw. */
export function mayBeWon(books: Books, pot: Pot, timestampMs: number): boolean {
  return pot.rules.constraints.every(({ name, limit }) => holds(books, pot, timestampMs, name, limit));
}

function holds(books: Books, pot: Pot, timestampMs: number, name: string, limit: unknown): boolean {
  switch (name) {
    case 'MinContributions':
      return pot.cycleContributions >= Number(limit);
    case 'MinInterval':
      return timestampMs - pot.cycleStart >= Number(limit) * 1000;
    case 'MinPotValue':
      return pot.current >= (atomsOf(limit) ?? 0n);
    case 'AllowedSeedDeficit': {
      const missing = atLeastZero(pot.rules.minReseed - pot.seed - pot.surplus - books.house);
      return books.deficit + missing <= (atomsOf(limit) ?? 0n);
    }
    default:
      throw new Disagreement('config', `pot ${pot.id} has a constraint of kind ${name}`);
  }
}
