import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Packr } from 'msgpackr';
import { makeJackpot } from '../lib/jackpot.ts';
import { runStreams } from '../lib/load-process.ts';
import { processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { freePort, type RunningSystem, startSystem } from '../lib/system.ts';
import type { StreamPlan, StreamReport } from '../stream-load.ts';
import { producedPerSecond } from './hot-instance.ts';

const roundsPerRun = 5;
const durationMs = 8_000;
const warmupMs = 3_000;
const players = 100_000;
const streamCounts = [1, 8];
const mustRatio = 0.3;
const mustRatioOfFrames = 0.5;
const mustPerSecond = 60_000;

type Rounds<Report> = Map<number, Report[]>;

/**
 * Contributions as lines and as frames of one and of eight long requests: beside a server that parses each line and echoes, and beside a
 * producer in this process that hands whole batches to the log.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  const bare = await startBare();
  try {
    const plan = await streamPlan(system);
    const lines = roundsOf<StreamReport>();
    const frames = roundsOf<StreamReport>();
    const echoes = roundsOf<StreamReport>();
    const produced: number[] = [];
    const before = processTree(system.pid);
    let seconds = 0;
    for (let round = 0; round < roundsPerRun; round += 1) {
      for (const streams of streamCounts) {
        echoes.get(streams)!.push(await runStreams({ ...plan, ...plan.asLines, streams, port: bare.port }));
        lines.get(streams)!.push(await runStreams({ ...plan, ...plan.asLines, streams }));
        frames.get(streams)!.push(await runStreams({ ...plan, ...plan.asFrames, streams }));
        seconds += (2 * (durationMs + warmupMs)) / 1000;
      }
      produced.push(await producedPerSecond());
    }
    const after = processTree(system.pid);
    const all = [...lines.values(), ...frames.values()].flat();
    const errors = all.reduce((sum, report) => sum + report.errors, 0);
    const cores = spread(all.map(({ cpuSeconds, wallSeconds }) => cpuSeconds / wallSeconds)).median;
    return {
      name: 'stream',
      title: 'Contribution stream, one gateway process, one hot instance, 100,000 players, sync always',
      figures: [
        ...streamCounts.map((streams) => figureOfLines(streams, lines.get(streams)!, echoes.get(streams)!)),
        ...streamCounts.map((streams) => figureOfFrames(streams, frames.get(streams)!, produced)),
      ],
      notes: [
        `every contribution has an idempotency key of its own; contributions with errors: ${errors}`,
        `load generator: ${cores.toFixed(2)} cores`,
        'the producer gives messages of 256 packed contributions to the log of an actor in its own process, on a nats-server of its own, while the system is idle; each of its figures is compared with that of the same round',
      ],
      processors: after.map((each) => ({
        process: each.name,
        cores: (each.cpuSeconds - (before.find(({ pid }) => pid === each.pid)?.cpuSeconds ?? 0)) / seconds,
      })),
    };
  } finally {
    bare.stop();
    await system.stop();
  }
}

function roundsOf<Report>(): Rounds<Report> {
  return new Map(streamCounts.map((streams) => [streams, []]));
}

const streamsOf = (streams: number) => `${streams} ${streams === 1 ? 'stream' : 'streams'}`;

function figureOfLines(
  streams: number,
  ours: readonly StreamReport[],
  echoes: readonly StreamReport[],
): Figure {
  const rate = spread(ours.map(({ perSecond }) => perSecond));
  const ratio = spread(ours.map(({ perSecond }, at) => perSecond / (echoes[at]?.perSecond ?? 1)));
  return {
    name: `NDJSON, contributions a second, ${streamsOf(streams)}`,
    unit: '/s',
    ours: rate,
    yardstick: { name: 'bare parse-and-echo loop', value: spread(echoes.map(({ perSecond }) => perSecond)) },
    ratio,
    must: `${mustRatio} and ${mustPerSecond.toLocaleString('en-US')}/s`,
    aim: '0.8 and 200,000/s',
    reached: ratio.median >= mustRatio && rate.median >= mustPerSecond,
  };
}

function figureOfFrames(streams: number, ours: readonly StreamReport[], produced: readonly number[]): Figure {
  const ratio = spread(ours.map(({ perSecond }, at) => perSecond / (produced[at] ?? 1)));
  return {
    name: `frames, contributions a second, ${streamsOf(streams)}`,
    unit: '/s',
    ours: spread(ours.map(({ perSecond }) => perSecond)),
    yardstick: { name: 'producer in process', value: spread(produced) },
    ratio,
    must: String(mustRatioOfFrames),
    aim: '0.8',
    reached: ratio.median >= mustRatioOfFrames,
  };
}

type Written = Pick<StreamPlan, 'mediaType' | 'line' | 'isFrames'>;

interface Plans extends Omit<StreamPlan, 'streams' | keyof Written> {
  readonly asLines: Written;
  readonly asFrames: Written;
}

async function streamPlan(system: RunningSystem): Promise<Plans> {
  const { brand, instance, token } = await makeJackpot(system);
  const line = {
    ref: '@@@@@@@@@@@@',
    target: { type: 'instance', id: instance },
    source: { type: 'gameround', id: 'round-@@@@@@@@@@@@' },
    operator_id: 'bench',
    player: { id: 'player-######', token: 'session', country: 'DE', brand_id: brand },
    base_wager: { currency: 'EUR', value: 1 },
    metadata: { table: 'seven', shift: 'night' },
    options: { idempotency_key: 'key-@@@@@@@@@@@@' },
  };
  return {
    host: system.host,
    port: system.port,
    path: '/v2/jackpot/contributions/stream',
    headers: { Authorization: `Bearer ${token}` },
    asLines: {
      mediaType: 'application/x-ndjson',
      line: Buffer.from(`${JSON.stringify(line)}\n`).toString('base64'),
      isFrames: false,
    },
    asFrames: {
      mediaType: 'application/vnd.potstream.contributions+msgpack',
      line: frameOf(line).toString('base64'),
      isFrames: true,
    },
    players,
    durationMs,
    warmupMs,
  };
}

interface Line {
  readonly ref: string;
  readonly target: { readonly id: string };
  readonly source: { readonly id: string };
  readonly operator_id: string;
  readonly player: {
    readonly id: string;
    readonly token: string;
    readonly country: string;
    readonly brand_id: string;
  };
  readonly base_wager: { readonly currency: string; readonly value: number };
  readonly metadata: object;
  readonly options: { readonly idempotency_key: string };
}

/** docs/rules/contribution-frames.md "Contributions". */
function frameOf({ ref, target, source, operator_id, player, base_wager, metadata, options }: Line): Buffer {
  const value = new Packr({ useRecords: false }).pack([
    ref,
    0,
    target.id,
    operator_id,
    player.brand_id,
    player.id,
    player.token,
    player.country,
    source.id,
    base_wager.value,
    base_wager.currency,
    options.idempotency_key,
    JSON.stringify(metadata),
  ]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(value.length);
  return Buffer.concat([head, value]);
}

async function startBare(): Promise<{ port: number; stop(): void }> {
  const port = await freePort();
  const script = fileURLToPath(new URL('../yardsticks/parse-and-echo.js', import.meta.url));
  const child = spawn(process.execPath, [script, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', reject);
  });
  return { port, stop: () => void child.kill('SIGKILL') };
}
