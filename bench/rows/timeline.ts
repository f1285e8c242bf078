import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fnv1a32 } from '../../src/lib/hashes.ts';
import { requestPlan } from '../lib/client-plans.ts';
import { makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import type { Figure, Row } from '../lib/report.ts';
import { percentile } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { Hop } from '../timeline/hops.ts';
import { hopNames, type Timeline, timelines } from '../timeline/timeline.ts';

const callers = [1, 16];
const durationMs = 4_000;
const warmUpMs = 4_000;
/** Nothing of the load before is under way any more. */
const restMs = 500;
const lanes = 4;
const syncs = 300;
const syncedBytes = 512;

const meanings: Record<keyof Timeline, string> = {
  gathered: 'gateway read the request → published its batch',
  delivered: '… → the actor read the batch, which nats-server had synced',
  applied: '… → the actor wrote reply and record',
  replied: '… → the gateway read the reply',
  answered: 'the gateway had reply and acknowledgement → wrote the answer',
  whole: 'in all, from the read request to the written answer',
  acknowledged: 'beside it: published → the gateway read the acknowledgement',
  recorded: 'beside it: record written → the actor read its acknowledgement',
};

/** Where the time of one contribution goes, through all processes, for one caller and for sixteen. */
export async function measure(): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'potstream-hops-'));
  const preload = new URL(`../timeline/hops.js?directory=${directory}`, import.meta.url);
  const system = await startSystem({ NODE_OPTIONS: `--import=${preload.href}` });
  const windows: { callers: number; fromMs: number; toMs: number; p50Ms: number }[] = [];
  let syncMs: number[];
  try {
    const plan = requestPlan(system, await makeJackpot(system));
    syncMs = timesOfSyncs(system.dataDirectory);
    for (const connections of callers) {
      await new Promise((resolve) => setTimeout(resolve, restMs));
      const warmUp = await runLoad({ ...plan, connections, durationMs: warmUpMs, warmupMs: 0 });
      if (warmUp.failures > 0) throw new Error('Requests failed.');
      await new Promise((resolve) => setTimeout(resolve, restMs));
      const fromMs = monotonicMs();
      const { p50Ms } = await runLoad({ ...plan, connections, durationMs, warmupMs: 0 });
      await new Promise((resolve) => setTimeout(resolve, restMs));
      windows.push({ callers: connections, fromMs, toMs: monotonicMs(), p50Ms });
    }
  } finally {
    await system.stop();
  }
  const hopsOf = (role: string): Hop[] => JSON.parse(readFileSync(join(directory, `${role}.json`), 'utf8'));
  const [gateway, actors] = [hopsOf('gateway'), hopsOf('actors')];
  rmSync(directory, { recursive: true, force: true });
  const lane = fnv1a32('bench') % lanes;
  const figures = windows.flatMap(({ callers: count, fromMs, toMs }) => {
    const within = ({ atMs }: Hop): boolean => atMs >= fromMs && atMs < toMs;
    return figuresOf(count, timelines(gateway.filter(within), actors.filter(within), lane));
  });
  return {
    name: 'timeline',
    title: 'Where the time of one contribution goes, one hot instance, sync always: median (10 % to 90 %)',
    figures,
    notes: [
      `one sync of ${syncedBytes} appended bytes beside it: ${percentile(syncMs, 0.5).toFixed(2)} ms (median of ${syncs}, the machine otherwise idle)`,
      ...windows.map(
        ({ callers: count, p50Ms }) =>
          `p50 at the load generator, ${count} connections: ${p50Ms.toFixed(2)} ms`,
      ),
      'times at sockets, on the clock that the processes of a machine share (bench/timeline/hops.ts)',
    ],
    processors: [],
  };
}

function figuresOf(count: number, found: readonly Timeline[]): Figure[] {
  return hopNames.map((hop) => {
    const sorted = found.map((one) => one[hop]).sort((a, b) => a - b);
    const shares = {
      median: percentile(sorted, 0.5),
      min: percentile(sorted, 0.1),
      max: percentile(sorted, 0.9),
    };
    return {
      name: `${count} × ${meanings[hop]}`,
      unit: 'ms',
      ours: shares,
      yardstick: null,
      ratio: null,
      must: '–',
      aim: '–',
      reached: true,
    };
  });
}

function timesOfSyncs(directory: string): number[] {
  const path = join(directory, 'sync-probe');
  const file = openSync(path, 'w');
  const times: number[] = [];
  for (let count = 0; count < syncs; count += 1) {
    writeSync(file, Buffer.alloc(syncedBytes, count));
    const beganMs = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - beganMs);
  }
  closeSync(file);
  rmSync(path);
  return times.sort((a, b) => a - b);
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
