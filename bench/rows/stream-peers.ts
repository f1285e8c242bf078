import { CoresByName, usesBelow } from '../lib/cores-by-name.ts';
import { makeJackpot } from '../lib/jackpot.ts';
import { runLoad, runStreams } from '../lib/load-process.ts';
import { linesTo, players, requestsTo } from '../lib/peer-plans.ts';
import { startPeer } from '../lib/peers.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { LoadReport } from '../load.ts';
import type { StreamReport } from '../stream-load.ts';

const roundsPerRun = Number(process.env.PEERS_ROUNDS ?? 5);
const streamCounts = [1, 8] as const;
/** With these the batching layer over single requests is fastest. */
const connections = 256;
const durationMs = 6_000;
const warmupMs = 2_000;
const mustOfRequests = 5;
const mustOfLines = 2.5;

interface Round {
  readonly ours: StreamReport;
  readonly lines: StreamReport;
}

/**
 * Contributions as lines beside a batching layer over Postgres, which gets them as requests of their own and
 * as the same lines.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  try {
    const jackpot = await makeJackpot(system);
    const peer = await startPeer('postgres-batches', jackpot.token);
    try {
      const lines = { ...linesTo(system.host, jackpot), durationMs, warmupMs };
      const requests = { ...requestsTo(system.host, jackpot), durationMs, warmupMs, rate: 0, connections };
      const cores = new CoresByName();
      const single: LoadReport[] = [];
      const rounds = new Map<number, Round[]>(streamCounts.map((streams) => [streams, []]));
      const ours = () => usesBelow(system.pid);
      for (let round = 0; round < roundsPerRun; round += 1) {
        const load = () => runLoad({ ...requests, port: peer.port });
        single.push(await cores.during('postgres-batches, requests', peer.uses, load));
        for (const [streams, reports] of rounds) {
          const toPeer = () => runStreams({ ...lines, streams, port: peer.port });
          const toUs = () => runStreams({ ...lines, streams, port: system.port });
          reports.push({
            lines: await cores.during(`postgres-batches, ${streams}`, peer.uses, toPeer),
            ours: await cores.during(`potstream, ${streams}`, ours, toUs),
          });
        }
      }
      return rowOf(single, rounds, cores);
    } finally {
      await peer.stop();
    }
  } finally {
    await system.stop();
  }
}

function rowOf(
  single: readonly LoadReport[],
  rounds: ReadonlyMap<number, readonly Round[]>,
  cores: CoresByName,
): Row {
  const reports = [...rounds.values()].flat().flatMap(({ ours, lines }) => [ours, lines]);
  const errors = reports.reduce((sum, report) => sum + report.errors, 0);
  const refused = single.reduce((sum, load) => sum + load.requests - (load.statuses['200'] ?? 0), 0);
  const generator = spread(reports.map(({ cpuSeconds, wallSeconds }) => cpuSeconds / wallSeconds));
  return {
    name: 'stream-peers',
    title: `Contribution stream, NDJSON, beside a batching layer over Postgres, one hot instance, ${players.toLocaleString('en-US')} players, durable`,
    figures: [...rounds].flatMap(([streams, each]) => [
      figureOf(streams, each, {
        title: `batching layer over Postgres, single requests, ${connections} connections`,
        perSecond: single.map((load) => load.perSecond),
        must: mustOfRequests,
        aim: '10',
      }),
      figureOf(streams, each, {
        title: 'batching layer over Postgres, the same NDJSON',
        perSecond: each.map(({ lines }) => lines.perSecond),
        must: mustOfLines,
        aim: '5',
      }),
    ]),
    notes: [
      `every line has an idempotency key of its own; lines with errors ${errors}, requests refused ${refused}`,
      `load generator of the streams: ${generator.median.toFixed(2)} cores, at most ${generator.max.toFixed(2)}`,
    ],
    processors: cores.report(),
  };
}

interface Yardstick {
  readonly title: string;
  readonly perSecond: readonly number[];
  readonly must: number;
  readonly aim: string;
}

function figureOf(
  streams: number,
  rounds: readonly Round[],
  { title, perSecond, must, aim }: Yardstick,
): Figure {
  const ratio = spread(rounds.map(({ ours }, at) => ours.perSecond / (perSecond[at] ?? Number.NaN)));
  return {
    name: `contributions a second, ${streams} ${streams === 1 ? 'stream' : 'streams'}`,
    unit: '/s',
    ours: spread(rounds.map(({ ours }) => ours.perSecond)),
    yardstick: { name: title, value: spread(perSecond) },
    ratio,
    must: String(must),
    aim,
    reached: ratio.median >= must,
  };
}
