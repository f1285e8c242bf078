import { type Books, openWindows, type Pot } from './books.ts';
import { toHex } from './bytes.ts';
import { type CommunityFacts, recomputeShares } from './community.ts';
import { checkCredit } from './credit.ts';
import { atLeastZero, part, smallest } from './decimal.ts';
import { expectSame, expectThat } from './disagreement.ts';
import { flags, type Hit } from './draw.ts';
import { atomsAt, bytesAt, type Members, objectAt } from './shape.ts';

const winNames = [
  'type',
  'seq',
  'pot',
  'trigger',
  'instance_count',
  'value',
  'win',
  'player_paid_back',
  'fee',
  'carry',
  'winner',
  'withheld',
  'payouts',
  'reseed',
];

/** Step 10: which of the hit pots is paid; the others must be marked void. */
export function selectHit(selector: string, hits: readonly Hit[]): Hit {
  const selected = hits.reduce((best, hit) => {
    if (selector === 'First') return best;
    const isBetter =
      selector === 'Lowest' ? hit.pot.current < best.pot.current : hit.pot.current > best.pot.current;
    return isBetter ? hit : best;
  });
  for (const { pot, entries } of hits) {
    const isVoid = pot !== selected.pot;
    for (const entry of entries) {
      expectSame('wins', `void mark of a hit of pot ${pot.id}`, (entry.flags & flags.void) !== 0, isVoid);
    }
  }
  return selected;
}

/** A pot that is paid, and why. */
export interface Paying {
  readonly pot: Pot;
  /** Triggers that hit, by index; empty where an administrator triggered it (A30). */
  readonly triggers: readonly number[];
  /** Pseudonym of the player of that contribution; null for A30, whose record names it. */
  readonly winner: Uint8Array | null;
  /** Whether that contribution was in the currency of the instance; null: there was no contribution. */
  readonly isOwnCurrency: boolean | null;
  readonly sequence: number;
  readonly timestampMs: number;
  /** The win as the file has it. */
  readonly detail: Members;
}

/** The inputs of a win beside those in the file. */
export type WinFacts = Omit<CommunityFacts, 'books' | 'winner' | 'timestampMs'>;

/** Step 11: the win in the file against the one that is computed; moves the accounts. Returns the main amount. */
export function recomputePayout(books: Books, paying: Paying, facts: WinFacts): bigint {
  const { pot, sequence, timestampMs } = paying;
  const [trigger = null] = paying.triggers;
  const win = objectAt(paying.detail, `the win of ${sequence}`, winNames);
  const same = (name: string, computed: string | number | null) =>
    expectSame('wins', name, win[name] as string | number | null, computed);
  const value = pot.current;
  same('type', trigger === null ? 'trigger' : 'win');
  same('seq', sequence);
  same('pot', pot.id);
  same('trigger', trigger);
  same('instance_count', pot.cycle);
  same('value', value.toString());
  const winner = bytesAt(win.winner, 'winner', 16);
  if (paying.winner !== null) same('winner', toHex(paying.winner));
  const shared = recomputeShares(pot, value, win.payouts, { ...facts, books, winner, timestampMs });
  const main = part(value, pot.rules.mainShare) + shared.rest;
  const paid = facts.minorUnit.floor(main, atomsAt(win.win, 'win'));
  const fee = part(value, pot.rules.fee);
  same('win', paid.toString());
  same('fee', fee.toString());
  const carry = value - paid - shared.paid - fee;
  same('carry', carry.toString());
  const { player_paid_back, withheld } = win;
  const isOwnCurrency = paying.isOwnCurrency ?? facts.players?.isOwnCurrency(winner) === true;
  checkCredit(books, { amount: paid, player_paid_back, withheld, isOwnCurrency });
  pot.current = 0n;
  pot.carry += carry;
  books.operatorFee += fee;
  books.paying += paid + shared.paid;
  for (const hit of paying.triggers) {
    const time = pot.times.get(hit);
    if (time !== undefined) time.paidEnd = time.end;
  }
  openNextCycle(books, pot, timestampMs, win.reseed, isLastCycle(books, pot));
  return paid;
}

/** Whether the pot's running cycle is the last that the rules allow it. */
export function isLastCycle({ rules }: Books, pot: Pot): boolean {
  return rules.maxCycles !== null && pot.cycle >= rules.maxCycles;
}

/** The pot's next cycle begins under the rules that waited for it; after the last one it is closed. */
export function openNextCycle(
  books: Books,
  pot: Pot,
  timestampMs: number,
  detail: unknown,
  isLast: boolean,
): void {
  if (isLast) {
    expectThat('wins', detail === null, 'a pot is refilled after its last cycle');
    pot.enabled = false;
    return;
  }
  pot.rules = pot.pending ?? pot.rules;
  pot.pending = null;
  const computed = reseed(books, pot);
  pot.cycle += 1;
  pot.enabled = pot.rules.enabled;
  pot.cycleStart = timestampMs;
  pot.cycleContributions = 0;
  pot.lastDrawn = pot.current;
  openWindows(pot, timestampMs);
  compareReseed(detail, { cycle: pot.cycle, ...computed, opening: pot.current });
}

/** No account holds more; an amount without room stays where it is. */
const maxBalance = 9n * 10n ** 18n;

/** The beginning of the next cycle, and its sources (docs/jpd1.md "9. Paying a pot"). */
function reseed(books: Books, pot: Pot) {
  const { minReseed, reseedCap, reseedStrategy } = pot.rules;
  const limit = reseedCap ?? maxBalance;
  const fitting = (wanted: bigint) => smallest(wanted, atLeastZero(limit - pot.current));
  const missing = () => (reseedStrategy === 'Collected' ? 0n : atLeastZero(minReseed - pot.current));
  const wanted = reseedStrategy === 'Minimum' ? smallest(pot.seed, minReseed) : pot.seed;
  const seed = fitting(wanted);
  pot.seed -= seed;
  pot.current += seed;
  const surplus = smallest(pot.surplus, missing());
  pot.surplus -= surplus;
  pot.current += surplus;
  const house = smallest(books.house, missing());
  books.house -= house;
  pot.current += house;
  const operator = missing();
  books.operatorCapital -= operator;
  books.deficit += operator;
  pot.current += operator;
  const overflow = fitting(pot.overflow);
  pot.overflow -= overflow;
  pot.current += overflow;
  const carry = fitting(pot.carry);
  pot.carry -= carry;
  pot.current += carry;
  return { seed, surplus, house, operator, overflow, carry };
}

function compareReseed(detail: unknown, computed: Readonly<Record<string, bigint | number>>): void {
  const found = objectAt(detail, 'the reseed', Object.keys(computed));
  for (const [name, value] of Object.entries(computed)) {
    const wanted = typeof value === 'bigint' ? value.toString() : value;
    expectSame('wins', `${name} of the reseed`, found[name] as string | number, wanted);
  }
}
