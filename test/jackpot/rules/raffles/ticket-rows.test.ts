import { expect, it } from 'vitest';
import type { TicketRows } from '../../../../src/jackpot/lane/queries/tickets.ts';
import { contribution, running, setBrand } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { raffle } from '../../support/raffle.ts';

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
  const slices: TicketRows[] = [];
  for (let fromRow: number | null = 0; fromRow !== null; ) {
    const slice: TicketRows = lane.engine.ticketRows('jackpot', fromRow)!;
    slices.push(slice);
    fromRow = slice.next;
  }
  expect(slices.length).toBeGreaterThan(1);
  const rows = slices.flatMap((slice) => slice.rows);
  expect(rows).toEqual(Array.from({ length: count }, (_, row) => row));
  expect(new Set(slices.flatMap(({ tickets }) => tickets))).toEqual(new Set([1]));
  expect(new Set(slices.map(({ round }) => round))).toEqual(new Set([1]));
  const paths = slices.flatMap(({ brands }) => brands.map((brand) => lane.engine.brandPath(brand)));
  expect(paths.filter((path) => path === 'op:vip')).toHaveLength(3_006);
  const names = lane.engine.ticketNames('jackpot', rows)!;
  expect([names[0], names[1], names[8_999]]).toEqual(['op:vip:p0', 'op:main:p1', 'op:main:p8999']);
  expect(names.map((name) => name.slice(0, name.lastIndexOf(':')))).toEqual(paths);
  expect(lane.engine.playerCount('jackpot')).toBe(count);
  expect([lane.engine.largeRaffles(count - 1), lane.engine.largeRaffles(count)]).toEqual([['jackpot'], []]);
});

it('records are asked for by row; what takes no part is left out', () => {
  const lane = filled();
  const records = lane.engine.ticketRecords('jackpot', [5, 3, -1, count, 0.5, 4])!;
  expect(records.map(({ player }) => player)).toEqual(['p5', 'p3', 'p4']);
  expect(lane.engine.ticketRecords('none', [1])).toBeNull();
  expect(lane.engine.ticketRows('jackpot', count)).toMatchObject({ round: 1, rows: [], next: null });
  expect([lane.engine.ticketRows('none', 0), lane.engine.playerCount('none')]).toEqual([null, null]);
});
