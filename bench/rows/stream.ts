import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeJackpot } from '../lib/jackpot.ts';
import { runStreams } from '../lib/load-process.ts';
import { processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { freePort, type RunningSystem, startSystem } from '../lib/system.ts';
import type { StreamPlan, StreamReport } from '../stream-load.ts';

const roundsPerRun = 5;
const durationMs = 8_000;
const warmupMs = 3_000;
const players = 100_000;
const streamCounts = [1, 8];
const mustRatio = 0.3;
const mustPerSecond = 60_000;

/** Contributions as lines of one and of eight long requests, beside a server that parses each line and echoes. */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  const bare = await startBare();
  try {
    const plan = await streamPlan(system);
    const rounds = new Map<number, { ours: StreamReport[]; bare: StreamReport[] }>(
      streamCounts.map((streams) => [streams, { ours: [], bare: [] }]),
    );
    const before = processTree(system.pid);
    let seconds = 0;
    for (let round = 0; round < roundsPerRun; round += 1) {
      for (const [streams, reports] of rounds) {
        reports.bare.push(await runStreams({ ...plan, streams, port: bare.port }));
        reports.ours.push(await runStreams({ ...plan, streams }));
        seconds += (durationMs + warmupMs) / 1000;
      }
    }
    const after = processTree(system.pid);
    const all = [...rounds.values()].flatMap(({ ours }) => ours);
    const errors = all.reduce((sum, report) => sum + report.errors, 0);
    const cores = spread(all.map(({ cpuSeconds, wallSeconds }) => cpuSeconds / wallSeconds)).median;
    return {
      name: 'stream',
      title:
        'Contribution stream, NDJSON, one gateway process, one hot instance, 100,000 players, sync always',
      figures: [...rounds].map(([streams, reports]) => figureOf(streams, reports)),
      notes: [
        `every line has an idempotency key of its own; lines with errors: ${errors}`,
        `load generator: ${cores.toFixed(2)} cores`,
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

function figureOf(
  streams: number,
  { ours, bare }: { readonly ours: readonly StreamReport[]; readonly bare: readonly StreamReport[] },
): Figure {
  const rate = spread(ours.map(({ perSecond }) => perSecond));
  const ratio = spread(ours.map(({ perSecond }, at) => perSecond / (bare[at]?.perSecond ?? 1)));
  return {
    name: `contributions a second, ${streams} ${streams === 1 ? 'stream' : 'streams'}`,
    unit: '/s',
    ours: rate,
    yardstick: { name: 'bare parse-and-echo loop', value: spread(bare.map(({ perSecond }) => perSecond)) },
    ratio,
    must: `${mustRatio} and ${mustPerSecond.toLocaleString('en-US')}/s`,
    aim: '0.8 and 200,000/s',
    reached: ratio.median >= mustRatio && rate.median >= mustPerSecond,
  };
}

async function streamPlan(system: RunningSystem): Promise<Omit<StreamPlan, 'streams'>> {
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
    line: JSON.stringify(line),
    players,
    durationMs,
    warmupMs,
  };
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
