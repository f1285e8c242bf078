import { readFileSync } from 'node:fs';
import { fnv1a32 } from '../../src/lib/hashes.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import { type CoresByName, usesBelow } from '../lib/cores-by-name.ts';
import { type BenchJackpot, makeInstances, makeJackpot } from '../lib/jackpot.ts';
import { access, publishContributions } from '../lib/large-lane.ts';
import { runStreams } from '../lib/load-process.ts';
import { linesTo } from '../lib/peer-plans.ts';
import { processTree } from '../lib/processor-time.ts';
import { type RunningSystem, startSystem } from '../lib/system.ts';
import { durationMs, type Rates, ratesAt, rounds, warmupMs } from './points.ts';

export const playerCounts = [1_000, 10_000, 100_000, 1_000_000] as const;
/** As many as a system has that says nothing else, and the group of instances that name none. */
const lanes = 4;
const lane = fnv1a32('bench') % lanes;
const streams = 1;
/** After it, the actors have given back what they needed only meanwhile. */
const calmMs = 5_000;
const mebibyte = 2 ** 20;

export interface ByPlayers {
  readonly rates: Rates;
  /** Bytes that the actors' resident memory grew by, for each player of the instance with the most. */
  readonly bytesPerPlayer: number;
  /** Resident memory of the actors in MiB, by the number of players whom the instance was filled with. */
  readonly residentMiB: ReadonlyMap<number, number>;
}

/**
 * A stream of contributions to four instances in turn, with 1,000 to 1,000,000 players each, who all are
 * there before.
 */
export async function byPlayers(cores: CoresByName): Promise<ByPlayers> {
  const system = await startSystem();
  try {
    const first = await makeJackpot(system);
    const others = await makeInstances(system, playerCounts.length - 1);
    const jackpots = [first.instance, ...others].map((instance) => ({ ...first, instance }));
    const filled = await fill(system, jackpots);
    const rates = ratesAt(playerCounts);
    for (let round = 0; round < rounds; round += 1)
      for (const [at, players] of playerCounts.entries()) {
        const lines = linesTo(system.host, jackpots[at] as BenchJackpot);
        const plan = { ...lines, port: system.port, players, streams, durationMs, warmupMs };
        const run = () => runStreams(plan);
        const report = await cores.during(`${players} players`, () => usesBelow(system.pid), run);
        if (report.errors > 0) throw new Error(`${report.errors} lines of a stream had errors`);
        rates.get(players)?.push(report.perSecond);
      }
    return { rates, ...filled };
  } finally {
    await system.stop();
  }
}

/**
 * A contribution of each player, without keys; at first as many as the largest instance gets, by the fewest
 * players.
 */
async function fill(
  system: RunningSystem,
  jackpots: readonly BenchJackpot[],
): Promise<Pick<ByPlayers, 'bytesPerPlayer' | 'residentMiB'>> {
  const [log, producer] = await Promise.all([
    connectLog(access(system, 'actors')),
    connectLog(access(system, 'gateway')),
  ]);
  try {
    const largest = playerCounts[playerCounts.length - 1] as number;
    let made = 0;
    const give = async (at: number, players: number, count: number): Promise<number> => {
      const content = { jackpot: jackpots[at] as BenchJackpot, players, isKeyless: true };
      made = await publishContributions({ log, producer }, lane, content, made, count);
      return residentBytes(system);
    };
    let before = await give(0, playerCounts[0], largest);
    const residentMiB = new Map<number, number>([[playerCounts[0], before / mebibyte]]);
    let bytesPerPlayer = Number.NaN;
    for (const [at, players] of playerCounts.entries()) {
      if (at === 0) continue;
      const after = await give(at, players, players);
      residentMiB.set(players, after / mebibyte);
      bytesPerPlayer = (after - before) / players;
      before = after;
    }
    return { bytesPerPlayer, residentMiB };
  } finally {
    await Promise.all([log.close(), producer.close()]);
  }
}

async function residentBytes(system: RunningSystem): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, calmMs));
  const actors = processTree(system.pid).find(({ name }) => name === 'potstream actors');
  const status = readFileSync(`/proc/${actors?.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}
