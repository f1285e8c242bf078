import { expect, it } from 'vitest';
import type { TicketRows } from '../../../src/messages/records.ts';
import { contribution, running, setBrand } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { raffle } from '../support/raffle.ts';

const count = 9_000;

function filled(): TestLane {
  const lane = new TestLane();
  lane.apply(setBrand({ brand: 'op:vip' }), ...running(raffle({}, { contribution_rules: rules })));
  for (let from = 0; from < count; from += 500) {
    const players = Array.from({ length: 500 }, (_, i) => `p${from + i}`);
    lane.apply(
      ...players.map((player, i) => contribution({ player, brand: i % 3 === 0 ? 'op:vip' : 'op:main' })),
    );
  }
  return lane;
}
const rules = { contribution_type: { Fixed: '1' }, allowed_brands: ['op:main', 'op:vip'] };

it('the participants of a round come in slices, each once and in order', () => {
  const lane = filled();
  const slices = (owners: readonly string[], named: boolean) => {
    const found: TicketRows[] = [];
    for (let fromRow: number | null = 0; fromRow !== null; ) {
      const slice: TicketRows = lane.engine.ticketRows('jackpot', owners, fromRow, named)!;
      found.push(slice);
      fromRow = slice.next;
    }
    return found;
  };
  const all = slices([], false);
  expect(all.length).toBeGreaterThan(1);
  expect(all.flatMap(({ rows }) => rows)).toEqual(Array.from({ length: count }, (_, row) => row));
  expect(new Set(all.flatMap(({ tickets }) => tickets))).toEqual(new Set([1]));
  expect(all.flatMap(({ players }) => players)).toEqual([]);

  const named = slices(['op:vip'], true);
  expect(named.every(({ rows }) => rows.length <= 2_048)).toBe(true);
  const names = named.flatMap(({ players }) => players);
  expect(names).toHaveLength(named.flatMap(({ rows }) => rows).length);
  expect([names.length, names[0], names[1]]).toEqual([3_006, 'op:vip:p0', 'op:vip:p3']);
  // An operator stands for its brands.
  expect(slices(['op'], false).flatMap(({ rows }) => rows)).toHaveLength(count);
  expect(slices(['other'], false).flatMap(({ rows }) => rows)).toEqual([]);
});

it('records are asked for by row; what takes no part is left out', () => {
  const lane = filled();
  const records = lane.engine.ticketRecords('jackpot', [5, 3, -1, count, 0.5, 4])!;
  expect(records.map(({ player }) => player)).toEqual(['p5', 'p3', 'p4']);
  expect(lane.engine.ticketRecords('none', [1])).toBeNull();
  expect(lane.engine.ticketRows('jackpot', [], count, false)).toMatchObject({ rows: [], next: null });
});
