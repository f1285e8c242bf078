import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OptIn } from '../../../src/messages/player-commands.ts';
import { running, setBrand } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const brands = ['op:main', 'op:second', 'op:third'] as const;
/** More than two segments of 4,096 players hold. */
const players = 9_000;

function optIn(number: number, changes: Partial<OptIn> = {}): OptIn {
  return {
    kind: 'OptIn',
    instance: 'jackpot',
    brand: brands[number % brands.length]!,
    player: `p${number}`,
    country: 'DE',
    optIn: number % 5 !== 0,
    valueAtoms: null,
    currency: '',
    linked: false,
    user: '',
    ...changes,
  };
}

it('pages of opt-ins are those of the whole list, wherever they begin and whatever has changed', () => {
  const lane = new TestLane();
  lane.apply(
    ...brands.map((path) => setBrand({ brand: path })),
    ...running(onePot({}, { opt_in_required: true })),
  );
  for (let from = 0; from < players; from += 250)
    lane.apply(...Array.from({ length: 250 }, (_, index) => optIn(from + index)));
  const page = fc.record({
    optedIn: fc.constantFrom(true, false, null),
    offset: fc.oneof(fc.integer({ min: 0, max: players + 10 }), fc.constantFrom(4_095, 4_096, 4_097, 8_192)),
    limit: fc.integer({ min: 1, max: 500 }),
    owners: fc.subarray([...brands, 'op', 'nobody'], { maxLength: 2 }),
    changed: fc.array(fc.nat(players - 1), { maxLength: 3 }),
    restarts: fc.nat(9).map((chance) => chance === 0),
  });
  fc.assert(
    fc.property(page, ({ optedIn, offset, limit, owners, changed, restarts }) => {
      for (const number of changed) {
        const { optedIn: before } = lane.engine.optInStatus('jackpot', optIn(number).brand, `p${number}`)!;
        lane.apply(optIn(number, { optIn: !before }));
      }
      if (restarts) lane.restart();
      const all = lane.engine.optIns('jackpot', null, 0, players)!;
      expect(all).toHaveLength(players);
      const wanted = all.filter(
        (each) =>
          (optedIn === null || each.optedIn === optedIn) &&
          (owners.length === 0 || owners.includes(each.brand) || owners.includes('op')),
      );
      const found = lane.engine.optIns('jackpot', optedIn, offset, limit, owners)!;
      const shown = wanted.slice(offset, offset + limit).map(({ player }) => player);
      expect(found.map(({ player }) => player)).toEqual(shown);
      const question = { optedIn, owners, offset, limit };
      const countsTo = players;
      const counted = lane.engine.optInPage('jackpot', { ...question, countsTo })!;
      expect([counted.statuses, counted.total]).toEqual([found, wanted.length]);
      const bounded = lane.engine.optInPage('jackpot', { ...question, countsTo: 10 })!;
      expect(Math.min(bounded.total!, 11)).toBe(Math.min(wanted.length, 11));
      // What comes behind a row is what would come behind it in the whole list.
      const after = counted.rows.at(-1);
      if (after === undefined) return;
      const next = lane.engine.optInPage('jackpot', { ...question, offset: 0, after })!;
      expect(next.statuses).toEqual(
        lane.engine.optIns('jackpot', optedIn, offset + found.length, limit, owners),
      );
      expect(next.total).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});
