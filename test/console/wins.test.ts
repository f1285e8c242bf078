import { expect, it } from 'vitest';
import { winKey } from '../../console/src/parts/win-key.ts';

const win = {
  ...{ kind: 'main', operator_id: 'demo', brand_id: 'demo:main', player_id: 'anna', instance_id: 'i' },
  ...{ instance_sequence: 7, pot_id: 'main', cycle: 3, epoch: null, jackpot_currency: 'EUR', win_amount: 1 },
  ...{ paid_currency: null, paid_amount: null, win_withheld: false, transaction_id: null, round: null },
  ...{
    contribution_id: null,
    gameround_id: null,
    tier: null,
    ticket: null,
    timestamp: 1,
    lane: 0,
    sequence: 9,
  },
};

it('tells winners of one message apart', () => {
  const others: Partial<Record<keyof typeof win, string | number>>[] = [
    { instance_sequence: 8, cycle: 4 },
    { kind: 'community', player_id: 'bruno' },
    { brand_id: 'demo:direct' },
    { tier: 0, ticket: 1 },
    { tier: 0, ticket: 2 },
    { tier: 1, ticket: 2 },
  ];
  const keys = [win, ...others.map((other) => ({ ...win, ...other }))].map(winKey);
  expect(new Set(keys).size).toBe(keys.length);
  const later = { ...win, timestamp: 2 };
  expect(winKey(later)).toBe(winKey(win));
});
