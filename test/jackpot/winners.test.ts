import { expect, it } from 'vitest';
import { type Winner, Winners } from '../../src/jackpot/state/winners.ts';

function record(sequence: number, brand: string, player: string): Winner {
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
