import type { Books } from './books.ts';
import { canonical } from './canonical.ts';
import { expectSame, expectThat } from './disagreement.ts';
import { readConfig } from './header.ts';
import { readPotRules, readRules, withMaximumOf } from './rules.ts';
import type { Members } from './shape.ts';

/**
 * A change of parameters ends the epoch with its message and applies from its place in that message on: a pot won after
 * it continues by the new ones, and a higher maximum applies at once (docs/jpd1.md "12. The end of an epoch"). The
 * place is not public, but its first effect is.
 */
export function changeParameters(books: Books, config: Members): void {
  readConfig(config, 'closing.config', books.pots.length);
  readRules(config);
  const configured = config.pots as readonly { readonly effective: unknown; readonly pending: unknown }[];
  for (const pot of books.pots) {
    const { effective, pending } = configured[pot.index]!;
    const running = readPotRules(effective, books.rules.isRaffle);
    const next = pending === null ? running : readPotRules(pending, books.rules.isRaffle);
    const isRaised = !isHigher(next.maximum, running.maximum);
    expectThat('closing', isRaised, `a higher maximum of pot ${pot.id} waits, and binds at once`);
    if (isHigher(running.maximum, pot.rules.maximum)) pot.rules = withMaximumOf(pot.rules, running);
    pot.pending = isSame(pot.rules.document, next.document) ? null : next;
  }
}

/**
 * The rules that the next epoch begins with: those of the running cycles, what waits for the next ones, and of the instance
 * those of this epoch, where no parameters were changed.
 */
export function compareRules(books: Books, before: Members, after: Members, isChanged: boolean): void {
  const same = (what: string, found: unknown, computed: unknown) =>
    expectSame('closing', `${what} of the next epoch`, canonical(found), canonical(computed));
  const { pots: configured, ...instance } = after;
  const { pots: _, ...own } = before;
  if (!isChanged) same('the rules', instance, own);
  for (const name of ['currency', 'jackpot_type']) same(name, after[name], before[name]);
  const wanted = books.pots.map(({ pending, rules }) => ({
    effective: rules.document,
    pending: pending?.document ?? null,
  }));
  same("the pots' rules", configured, wanted);
  for (const [index, { effective, pending }] of wanted.entries()) {
    same(`the id of pot ${index}`, effective.id, books.pots[index]!.id);
    if (pending !== null) same(`the id of pot ${index}`, pending.id, books.pots[index]!.id);
  }
}

/** null: without end. */
function isHigher(maximum: bigint | null, than: bigint | null): boolean {
  return than !== null && (maximum === null || maximum > than);
}

function isSame(a: Members, b: Members): boolean {
  return canonical(a) === canonical(b);
}
