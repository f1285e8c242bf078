import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type StoredWinner, Winners, winnersRetained } from '../../../src/jackpot/state/instance/winners.ts';

function record(sequence: number, brand: string, player: string): StoredWinner {
  const timestampMs = sequence;
  return {
    pot: 'p',
    amountAtoms: 1n,
    currency: 'EUR',
    brand,
    player,
    timestampMs,
    sequence,
    withheld: false,
  };
}

it('names the newest win first and of each win the main winner first, whatever brands won before', () => {
  const winners = new Winners();
  const wins = [
    record(1, 'op:b', 'old'),
    record(2, 'op:a', 'main'),
    record(2, 'op:b', 'share'),
    record(2, 'op:a', 'second share'),
  ];
  for (const win of wins) winners.add(win);
  expect(winners.newest('', '', 10).map(({ player }) => player)).toEqual([
    'main',
    'share',
    'second share',
    'old',
  ]);
  const restored = new Winners();
  for (const win of winners.all()) restored.add(win);
  expect(restored.all()).toEqual(wins);
  winners.add(record(2, 'op:b', 'last share'));
  restored.add(record(2, 'op:b', 'last share'));
  expect(restored.newest('', '', 10)).toEqual(winners.newest('', '', 10));
});

it('keeps the main winner and the first payouts of a win that more players share than are kept', () => {
  const winners = new Winners();
  winners.add(record(1, 'op:a', 'old'));
  winners.add(record(2, 'op:a', 'main'));
  for (let share = 1; share <= 1_000; share += 1) winners.add(record(2, 'op:a', `share ${share}`));
  const kept = winners.newest('p', 'op:a', winnersRetained).map(({ player }) => player);
  expect(kept).toHaveLength(winnersRetained);
  expect(kept.slice(0, 3)).toEqual(['main', 'share 1', 'share 2']);
  expect(kept.at(-1)).toBe('share 499');
  winners.add(record(3, 'op:a', 'next'));
  const then = winners.newest('', '', winnersRetained).map(({ player }) => player);
  expect(then.slice(0, 2)).toEqual(['next', 'main']);
  expect(then.at(-1)).toBe('share 498');
});

it('keeps the same winners however often it is read in between', () => {
  const wins = fc.array(fc.record({ shares: fc.integer({ min: 1, max: 900 }), isRead: fc.boolean() }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(wins, (drawn) => {
      const winners = new Winners();
      let kept: StoredWinner[] = [];
      for (const [sequence, { shares, isRead }] of drawn.entries()) {
        for (let share = 0; share < shares; share += 1) {
          const each = record(sequence, 'op:a', `share ${share}`);
          winners.add(each);
          kept.push(each);
          if (kept.length > winnersRetained) kept = withoutLastOfOldest(kept);
          if (isRead && share % 100 === 0) expect(winners.all()).toEqual(kept);
        }
      }
      expect(winners.all()).toEqual(kept);
    }),
    { numRuns: 30 },
  );
});

/** One record less, as one by one they would go. */
function withoutLastOfOldest(kept: readonly StoredWinner[]): StoredWinner[] {
  const last = kept.findLastIndex(({ sequence }) => sequence === kept[0]?.sequence);
  return kept.filter((_, index) => index !== last);
}
