import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeJackpot } from '../lib/jackpot.ts';
import { runStreams } from '../lib/load-process.ts';
import { linesTo } from '../lib/peer-plans.ts';
import { processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { freePort, startSystem } from '../lib/system.ts';
import type { StreamReport } from '../stream-load.ts';

const roundsPerRun = 5;
const durationMs = 8_000;
const warmupMs = 3_000;
const streamCounts = [1, 8];
const mustRatio = 0.3;
const mustPerSecond = 60_000;

/**
 * Contributions as lines of one and of eight long requests, beside a server that parses each line and echoes.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  const bare = await startBare();
  try {
    const lines = { ...linesTo(system.host, await makeJackpot(system)), durationMs, warmupMs };
    const ours = roundsOf();
    const echoes = roundsOf();
    const before = processTree(system.pid);
    let seconds = 0;
    for (let round = 0; round < roundsPerRun; round += 1) {
      for (const streams of streamCounts) {
        echoes.get(streams)!.push(await runStreams({ ...lines, streams, port: bare.port }));
        ours.get(streams)!.push(await runStreams({ ...lines, streams, port: system.port }));
        seconds += (durationMs + warmupMs) / 1000;
      }
    }
    const after = processTree(system.pid);
    const all = [...ours.values()].flat();
    const errors = all.reduce((sum, report) => sum + report.errors, 0);
    const cores = spread(all.map(({ cpuSeconds, wallSeconds }) => cpuSeconds / wallSeconds)).median;
    return {
      name: 'stream',
      title: 'Contribution stream, one gateway process, one hot instance, 100,000 players, sync always',
      figures: streamCounts.map((streams) => figureOf(streams, ours.get(streams)!, echoes.get(streams)!)),
      notes: [
        `every contribution has an idempotency key of its own; contributions with errors: ${errors}`,
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

function roundsOf(): Map<number, StreamReport[]> {
  return new Map(streamCounts.map((streams) => [streams, []]));
}

function figureOf(streams: number, ours: readonly StreamReport[], echoes: readonly StreamReport[]): Figure {
  const rate = spread(ours.map(({ perSecond }) => perSecond));
  const ratio = spread(ours.map(({ perSecond }, at) => perSecond / (echoes[at]?.perSecond ?? 1)));
  return {
    name: `NDJSON, contributions a second, ${streams} ${streams === 1 ? 'stream' : 'streams'}`,
    unit: '/s',
    ours: rate,
    yardstick: { name: 'bare parse-and-echo loop', value: spread(echoes.map(({ perSecond }) => perSecond)) },
    ratio,
    must: `${mustRatio} and ${mustPerSecond.toLocaleString('en-US')}/s`,
    aim: '0.8 and 200,000/s',
    reached: ratio.median >= mustRatio && rate.median >= mustPerSecond,
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
