import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { SimulationPlan } from '../../../src/contracts/reports/simulations.ts';
import { type FromPlay, playOnThread } from '../../../src/reporting/simulations/play.ts';
import { played } from '../../../src/reporting/simulations/played.ts';

/** The thread as it is shipped. */
const program = resolve(import.meta.dirname, '../../../dist/program/simulation-thread.js');

const plan: SimulationPlan = {
  configuration: {
    jackpot_type: 'Jackpot',
    currency: 'EUR',
    contribution_rules: { contribution_type: { Fixed: '0.1' } },
    pots: [
      {
        id: 'gold',
        contribution: { Percentage: '0.5' },
        seed_strategy: { initial_seed_value: '10', min_reseed_value: '10' },
        pot_types: [{ HitRate: { max_magic_number: 500, cost_per_attempt: '0.1' } }],
      },
    ],
  },
  ...{ exponent: null, contributions: 20_000, players: 100, perSecond: 1, wager: '1', seed: 'thread' },
};

function play(changes: Partial<SimulationPlan>, bugs: unknown[] = []) {
  const said: FromPlay[] = [];
  let wake = () => {};
  const tell = (message: FromPlay) => {
    said.push(message);
    wake();
  };
  const end = playOnThread(program, (error) => bugs.push(error))({ ...plan, ...changes }, tell);
  const until = async (is: (message: FromPlay) => boolean): Promise<FromPlay> => {
    for (;;) {
      const found = said.find(is);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { end, until, said };
}

it('reports what the same plan gives here', async () => {
  const { until, end } = play({});
  expect(await until((message) => 'report' in message)).toEqual({ report: played(plan, () => {}) });
  await end();
});

it('says how far it is, and is ended in the middle', async () => {
  const { until, end, said } = play({ contributions: 1_000_000 });
  const first = await until((message) => 'progress' in message);
  expect((first as { progress: number }).progress).toBeGreaterThan(0);
  await end();
  expect(said.some((message) => 'report' in message)).toBe(false);
  expect(said.at(-1)).toEqual({ failed: 'It broke off.' });
}, 60_000);

it('breaks off by itself alone, and is reported, where what it plays is a bug', async () => {
  const bugs: unknown[] = [];
  const { until } = play({ configuration: {} }, bugs);
  expect(await until((message) => 'failed' in message)).toEqual({ failed: 'It broke off.' });
  expect(bugs).toHaveLength(1);
});
