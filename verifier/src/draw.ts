import type { Books, Pot } from './books.ts';
import { mayBeWon } from './constraints.ts';
import { atLeastZero } from './decimal.ts';
import { expectSame, expectThat } from './disagreement.ts';
import type { Entry, PublicRecord } from './document.ts';
import type { Stream } from './key-stream.ts';
import { oddsOf } from './triggers.ts';

export const flags = { hit: 1, void: 2, blocked: 4, unqualified: 8 } as const;

/** A pot that was hit, and the entries that hit it. */
export interface Hit {
  readonly pot: Pot;
  readonly entries: readonly Entry[];
}

/** One evaluation, for whoever wants to see it. */
export interface Evaluation {
  readonly entry: Entry;
  readonly pot: Pot;
  readonly kind: string;
  /** Words of the keystream that the number took; empty where it was decided without one. */
  readonly lanes: readonly bigint[];
}

/** Step 9: draws every trigger of every enabled pot again and compares; returns the hits in array order. */
export function recomputeDraw(
  books: Books,
  record: PublicRecord,
  qualified: readonly boolean[],
  stream: () => Stream,
  watch: (evaluation: Evaluation) => void,
): readonly Hit[] {
  const hits: Hit[] = [];
  let next = 0;
  for (const pot of books.pots) {
    if (!pot.enabled) continue;
    const entries = record.entries.slice(next, next + pot.rules.triggers.length);
    next += pot.rules.triggers.length;
    const hit = drawPot(books, pot, record, qualified[pot.index] === true, entries, stream, watch);
    if (hit.length > 0) hits.push({ pot, entries: hit });
  }
  expectSame('draws', 'the number of entries', record.entries.length, next);
  return hits;
}

function drawPot(
  books: Books,
  pot: Pot,
  { contribution, timestampMs }: PublicRecord,
  isQualified: boolean,
  entries: readonly Entry[],
  stream: () => Stream,
  watch: (evaluation: Evaluation) => void,
): readonly Entry[] {
  const participates = isQualified && contribution > 0n;
  const blocked = participates && !mayBeWon(books, pot, timestampMs);
  const draws = participates && !blocked && pot.current > 0n;
  const idleFlags = isQualified ? (blocked ? flags.blocked : 0) : flags.unqualified;
  const before = pot.lastDrawn;
  const hits: Entry[] = [];
  pot.rules.triggers.forEach(({ name }, trigger) => {
    const entry = entries[trigger];
    expectThat('draws', entry !== undefined, `trigger ${trigger} of pot ${pot.id} has no entry`);
    const same = (what: string, found: bigint | number, computed: bigint | number) =>
      expectSame('draws', `${what} of trigger ${trigger} of pot ${pot.id}`, found, computed);
    same('pot', entry!.pot, pot.index);
    same('trigger', entry!.trigger, trigger);
    same('v0', entry!.v0, before);
    same('v1', entry!.v1, pot.current);
    const odds = draws ? oddsOf(books, pot, trigger, before, contribution, timestampMs) : null;
    if (odds !== null) pot.lastDrawn = pot.current;
    const num = atLeastZero(odds?.num ?? 0n);
    const den = atLeastZero(odds?.den ?? 0n);
    same('num', entry!.num, num);
    same('den', entry!.den, den);
    const isChance = num > 0n && num < den;
    const source = isChance ? stream() : null;
    same('u', entry!.u, source === null ? 0n : source.uniform(den));
    const isHit = odds !== null && (den === 0n || (num > 0n && entry!.u < num));
    same('flags (but void)', entry!.flags & ~flags.void, odds === null ? idleFlags : isHit ? flags.hit : 0);
    if (isHit) hits.push(entry!);
    else same('flags', entry!.flags & flags.void, 0);
    watch({ entry: entry!, pot, kind: name, lanes: source?.taken ?? [] });
  });
  return hits;
}
