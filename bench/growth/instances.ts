import { type CoresByName, usesBelow } from '../lib/cores-by-name.ts';
import { makeInstances, makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { requestsTo } from '../lib/peer-plans.ts';
import { manyWrites, startSystem } from '../lib/system.ts';
import type { LoadReport } from '../load.ts';
import { connections, durationMs, type Rates, ratesAt, rounds, takenPerSecond, warmupMs } from './points.ts';

export const instanceCounts = [1, 100, 10_000] as const;

/** A day, as everywhere but in the demo, whose epochs of two minutes would be 10,000 at once. */
const epochSeconds = 86_400;

export interface ByInstances {
  readonly rates: Rates;
  /** To the first of them, before there were others. */
  readonly alone: number[];
}

/** O8 to 1, 100 and 10,000 instances of one lane in turn, all of which are there and Active. */
export async function byInstances(cores: CoresByName): Promise<ByInstances> {
  const system = await startSystem({ ...manyWrites, POTSTREAM_EPOCH_SECONDS: String(epochSeconds) });
  try {
    const jackpot = await makeJackpot(system);
    const plan = { ...requestsTo(system.host, jackpot), port: system.port, durationMs, warmupMs, rate: 0 };
    const load = (instances: readonly string[]): Promise<LoadReport> =>
      runLoad({
        ...plan,
        connections,
        paths: instances.map((instance) => `/v1/jackpot/instances/${instance}/contributions`),
      });
    const alone: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      alone.push(takenPerSecond(await load([jackpot.instance])));
    const largest = instanceCounts[instanceCounts.length - 1] as number;
    const all = [jackpot.instance, ...(await makeInstances(system, largest - 1))];
    const rates = ratesAt(instanceCounts);
    for (let round = 0; round < rounds; round += 1)
      for (const [count, values] of rates) {
        const run = () => load(all.slice(0, count));
        const report = await cores.during(`${count} instances`, () => usesBelow(system.pid), run);
        values.push(takenPerSecond(report));
      }
    return { rates, alone };
  } finally {
    await system.stop();
  }
}
