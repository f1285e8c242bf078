import { expect, it } from 'vitest';
import { saw, scaled } from '../../jackpot/checks/scale.ts';
import { livePlan, type Seen } from './live.ts';
import { asTest, minimise, signatureOf } from './minimise.ts';
import { type Plan, planOf } from './plan.ts';

/** `npm run sim` names them. */
const seeds = Number(process.env.POTSTREAM_SIM_SEEDS ?? scaled(1_000, 10_000));
const firstSeed = Number(process.env.POTSTREAM_SIM_FROM ?? 1);
const named = process.env.SIM_SEED;
const saidEvery = 1_000;

it(`the whole system in storms of faults: ${seeds} histories`, async () => {
  const sums: Record<string, number> = {};
  const last = named === undefined ? firstSeed + seeds - 1 : Number(named);
  for (let seed = named === undefined ? firstSeed : Number(named); seed <= last; seed += 1) {
    const { head: _, ...seen } = await live(planOf(seed));
    for (const [what, count] of Object.entries(seen)) sums[what] = (sums[what] ?? 0) + count;
    if (seed % saidEvery === 0) saw(`the simulation, up to seed ${seed},`, sums);
  }
  // A campaign in which nothing happens proves nothing.
  if (named !== undefined) return;
  saw('the simulation', sums);
  for (const [what, count] of Object.entries(sums)) expect(count, what).toBeGreaterThan(seeds / 20);
  expect(sums.claims).toBeGreaterThan(1.5 * seeds);
});

it('a seed is one history: lived twice, it leaves the same log', async () => {
  const [once, twice] = [await livePlan(planOf(11)), await livePlan(planOf(11))];
  expect(twice).toEqual(once);
});

/** A plan that fails is minimised, and printed as a test. */
async function live(plan: Plan): Promise<Seen> {
  try {
    return await livePlan(plan);
  } catch (error) {
    const signature = signatureOf(error);
    const minimal = await minimise(plan, async (tried) => signature === (await failureOf(tried)));
    const { message } = error as Error;
    throw new Error(`SIM_SEED=${plan.seed} fails: ${message}\n\n${asTest(minimal, message)}`, {
      cause: error,
    });
  }
}

async function failureOf(plan: Plan): Promise<string | null> {
  return livePlan(plan).then(() => null, signatureOf);
}
