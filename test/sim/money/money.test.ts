import { expect, it } from 'vitest';
import { saw, scaled } from '../../jackpot/checks/scale.ts';
import { type History, liveMoney, type Subject } from './money-history.ts';
import { callFaults } from './wallet-network.ts';

/** `npm run checks -- test/sim/money` lives as many as in whole. */
const seeds = scaled(60, 1_000);
const forgetfulSeeds = scaled(20, 500);

it(`every win is paid once and no debit hangs: ${seeds} histories`, async () => {
  const histories: History[] = [];
  for (const seed of chosenSeeds(seeds)) histories.push(await live(seed));
  const seen = summed(histories);
  saw('money', seen);
  // A campaign in which nothing happens proves nothing.
  if (process.env.SIM_SEED !== undefined) return;
  for (const fault of [...callFaults, 'down', 'breaker', 'credit exhausted'])
    expect(seen[fault], fault).toBeGreaterThan(0);
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});

it(`no debit hangs where a refusal overtakes the call of a process that died: ${forgetfulSeeds} histories`, async () => {
  for (const seed of chosenSeeds(forgetfulSeeds))
    await live(seed, { faults: ['late', 'refused'], forgetsRefusals: true });
});

async function live(seed: number, subject?: Subject): Promise<History> {
  try {
    return await liveMoney(seed, subject);
  } catch (error) {
    throw new Error(`SIM_SEED=${seed} fails: ${(error as Error).message}`, { cause: error });
  }
}

function chosenSeeds(count: number): number[] {
  const named = process.env.SIM_SEED;
  return named === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(named)];
}

function summed(histories: readonly History[]): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (what: string, count: number): void => {
    sums[what] = (sums[what] ?? 0) + count;
  };
  for (const { kills, pauses, wins, debits, credits, results, seen, repeats } of histories) {
    add('kills', kills);
    add('pauses', pauses);
    add('wins', wins);
    add('debits applied', debits.applied);
    add('debits not applied', debits.cancelled);
    add('debits of batches', debits.batched);
    add('batches cancelled', debits.batchesCancelled);
    add('credits alone', credits.alone);
    add('batches', credits.batches);
    add('credits released', credits.released);
    add('credits resolved', credits.resolved);
    add('calls repeated', repeats);
    for (const [result, count] of [...results, ...seen]) add(result, count);
  }
  return sums;
}
