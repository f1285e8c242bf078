import { type CoresByName, usesBelow } from '../lib/cores-by-name.ts';
import { makeInstances, makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { requestsTo } from '../lib/peer-plans.ts';
import { manyWrites, startSystem } from '../lib/system.ts';
import { connections, durationMs, type Rates, ratesAt, rounds, takenPerSecond, warmupMs } from './points.ts';

export const laneCounts = [1, 4, 16] as const;
/** Each in a group of its own: they are spread over the lanes. */
const instances = 64;

export interface ByLanes {
  readonly rates: Rates;
  /** Seconds from the start to ready, with the demo's data: fresh, and then once more. */
  readonly freshSeconds: Rates;
  readonly warmSeconds: Rates;
}

/** O8 to 64 instances of systems with 1, 4 and 16 lanes, each system started for each round. */
export async function byLanes(cores: CoresByName): Promise<ByLanes> {
  const rates = ratesAt(laneCounts);
  const freshSeconds = ratesAt(laneCounts);
  const warmSeconds = ratesAt(laneCounts);
  for (let round = 0; round < rounds; round += 1)
    for (const lanes of laneCounts) {
      const sample = await measure(lanes, cores);
      rates.get(lanes)?.push(sample.perSecond);
      freshSeconds.get(lanes)?.push(sample.freshSeconds);
      warmSeconds.get(lanes)?.push(sample.warmSeconds);
    }
  return { rates, freshSeconds, warmSeconds };
}

async function measure(
  lanes: number,
  cores: CoresByName,
): Promise<{ perSecond: number; freshSeconds: number; warmSeconds: number }> {
  const environment = { ...manyWrites, POTSTREAM_LANES: String(lanes) };
  const system = await startSystem(environment);
  let perSecond: number;
  try {
    const jackpot = await makeJackpot(system);
    const groups = Array.from({ length: instances }, (_, n) => `bench:group-${n}`);
    const ids = await makeInstances(system, instances, groups);
    const report = await cores.during(
      `${lanes} lanes`,
      () => usesBelow(system.pid),
      () =>
        runLoad({
          ...requestsTo(system.host, jackpot),
          port: system.port,
          paths: ids.map((id) => `/v1/jackpot/instances/${id}/contributions`),
          connections,
          durationMs,
          warmupMs,
          rate: 0,
        }),
    );
    perSecond = takenPerSecond(report);
  } catch (error) {
    await system.stop();
    throw error;
  }
  await system.stop(true);
  const again = await startSystem(environment, [], system.dataDirectory);
  await again.stop();
  return { perSecond, freshSeconds: system.readyMs / 1_000, warmSeconds: again.readyMs / 1_000 };
}
