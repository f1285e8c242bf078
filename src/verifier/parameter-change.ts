import type { Books } from './books.ts';
import { readPotRules, withMaximum } from './rules.ts';
import type { Members } from './shape.ts';

/**
 * A change of parameters ends the epoch with its message, and binds from its place inside that message on: a pot that is won
 * there goes on by the new ones, and a higher maximum holds at once (docs/jpd1.md "12. The end of an epoch"). The place
 * itself is not public, but its first effect is.
 */
export function changeParameters(books: Books, config: Members): void {
  const configured = config.pots as readonly { readonly effective: unknown; readonly pending: unknown }[];
  for (const pot of books.pots) {
    const { effective, pending } = configured[pot.index]!;
    const next = readPotRules(pending ?? effective, books.rules.isRaffle);
    const { maximum } = pot.rules;
    const rises = maximum !== null && (next.maximum === null || next.maximum > maximum);
    if (rises) pot.rules = withMaximum(pot.rules, next.maximum);
    pot.pending = next;
  }
}
