import { expect, it } from 'vitest';
import type { KnownInstance } from '../../../../src/directory/lane-view.ts';
import { newestWinners } from '../../../../src/gateway/api/players/winners.ts';
import { Winners } from '../../../../src/jackpot/state/instance/winners.ts';
import type { LaneQuery } from '../../../../src/messages/queries.ts';

const winners = new Winners();
const win = (sequence: number, brand: string, player: string) =>
  winners.add({
    pot: 'gold',
    amountAtoms: 1n,
    currency: 'EUR',
    brand,
    player,
    timestampMs: sequence,
    sequence,
    withheld: false,
  });

const lanes = {
  async query(_lane: number, query: LaneQuery) {
    if (query.kind !== 'winners') throw new Error('Only winners are asked for.');
    return { kind: 'winners', winners: winners.newest(query.pot, query.brand, query.limit) } as const;
  },
};
const context = { lanes } as unknown as Parameters<typeof newestWinners>[0];
const known = { lane: 0, description: { instance: 'shared' } } as KnownInstance;

it("names the main winner of a win first, also where other operators' wins crowd the win out", async () => {
  win(1, 'acme:vip', 'old');
  win(2, 'acme:vip', 'main');
  win(2, 'acme:main', 'share');
  win(2, 'acme:vip', 'second share');
  const asked = async (limit: number) => {
    const found = await newestWinners(context, known, '', new Set(['acme:main', 'acme:vip']), limit);
    return found.map(({ player }) => player);
  };
  const expected = ['main', 'share', 'second share', 'old'];
  expect(await asked(10)).toEqual(expected);
  for (let sequence = 3; sequence < 600; sequence += 1) win(sequence, 'rival:main', `rival-${sequence}`);
  expect(await asked(10)).toEqual(expected);
  expect(await asked(1)).toEqual(['main']);
});
