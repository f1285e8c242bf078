import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Contributors,
  chunkOrdinals,
  pseudonymWords,
} from '../../../src/jackpot/state/players/contributors.ts';

/** Contributors from ordinal 1 on, by their rows; added in another order where one is given, as after a restart. */
function contributorsOf(rows: readonly number[], order: readonly number[] = rows.map((_, at) => at)) {
  const made = new Contributors();
  for (const at of order) made.add(at + 1, rows[at]!, wordsOf(at), 0, 1_000 + at);
  return made;
}

function wordsOf(at: number): Uint32Array {
  return Uint32Array.from({ length: pseudonymWords }, (_, word) => 10 * at + word);
}

const rowsOf = (contributors: Contributors, count: number): number[] =>
  Array.from({ length: count }, (_, at) => contributors.row(at + 1));

describe('contributors by their ordinals', () => {
  it('keeps no rows where players appear with their first contribution', () => {
    const rows = Array.from({ length: chunkOrdinals + 100 }, (_, at) => at);
    const contributors = contributorsOf(rows);
    expect(contributors.chunks.map((chunk) => chunk.rows)).toEqual([null, null]);
    expect(rowsOf(contributors, rows.length)).toEqual(rows);
  });

  it('gives each row back, in whatever order players appeared and are restored', () => {
    const sets = fc.uniqueArray(fc.nat(20_000), { minLength: 1, maxLength: 200 });
    const cases = sets.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray([...rows.keys()], { minLength: rows.length, maxLength: rows.length }),
      ),
    );
    fc.assert(
      fc.property(cases, fc.boolean(), ([mixed, order], isRising) => {
        const rows = isRising ? mixed.toSorted((one, other) => one - other) : mixed;
        const contributors = contributorsOf(rows, order);
        expect(rowsOf(contributors, rows.length)).toEqual(rows);
        expect(rows.map((_, at) => contributors.lastMs(at + 1))).toEqual(rows.map((_, at) => 1_000 + at));
      }),
    );
  });

  it.each([0, 15, 16, chunkOrdinals - 1])(
    'keeps rows from the first that is out of order, at place %i',
    (place) => {
      const count = chunkOrdinals + 5;
      const rows = Array.from({ length: count }, (_, at) => (at < place ? at : at + 3));
      const contributors = contributorsOf(rows);
      expect(contributors.chunks[0]?.rows === null).toBe(place === 0);
      expect(contributors.chunks[1]?.rows).toBeNull();
      expect(rowsOf(contributors, count)).toEqual(rows);
    },
  );
});
