import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExplainedExcursion, explain, nameOf, readEpochs, readStops, sharesOf } from '../lib/causes.ts';
import { type Cause, HostWatch } from '../lib/host-watch.ts';
import type { LatencySlice } from '../lib/latency-timeline.ts';
import { runLoad } from '../lib/load-process.ts';
import { watchOption } from '../lib/process-watch.ts';
import type { Figure, Row, RowOptions } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { type RunningSystem, startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';
import { contributionPlan } from './o8.ts';

const defaultSeconds = 600;
const lanes = 4;
const shares = [0.5, 0.7, 0.8];
const closedRounds = 3;
const players = 100_000;
const excursionMs = 20;
const sliceMs = 60_000;
/**
 * Several epochs end in a run of any length. At full speed and by default, one ends after 2^20 messages of
 * its lane.
 */
const epochsPerRun = 5;
const maxEpochSeconds = 105;
/** The end of a publication: it draws, writes and stores what one replay beside the lane has collected. */
const publishingMs = 2_000;
const mustP99Ms = 25;
const mustP999Ms = 80;
const excursionsShown = 25;
const causesShown = 15;
/** The longest of an excursion. */
const maxCausesOfLine = 8;

interface Level {
  readonly share: number;
  readonly load: LoadReport;
  readonly explained: readonly ExplainedExcursion[];
  readonly causes: readonly Cause[];
}

/**
 * O8 in open loop for ten minutes each at 50, 70 and 80 % of its closed-loop maximum, snapshots and the
 * publishing of epochs included, and what happened in each process and on the machine while answers were
 * slow.
 */
export async function measure({ seconds = defaultSeconds }: RowOptions = {}): Promise<Row> {
  const stopsDirectory = mkdtempSync(join(tmpdir(), 'potstream-tails-'));
  const epochSeconds = Math.max(1, Math.min(maxEpochSeconds, Math.floor(seconds / epochsPerRun)));
  const system = await startSystem({
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${watchOption(stopsDirectory)}`.trim(),
    POTSTREAM_EPOCH_SECONDS: String(epochSeconds),
    POTSTREAM_LANES: String(lanes),
    POTSTREAM_LOG_LEVEL: 'info',
  });
  try {
    const plan = manyPlayers(await contributionPlan(system));
    const closed: number[] = [];
    for (let round = 0; round < closedRounds; round += 1) closed.push((await runLoad(plan)).perSecond);
    const max = spread(closed).median;
    const levels: Level[] = [];
    for (const share of shares)
      levels.push(await measureLevel(system, stopsDirectory, plan, share, max * share, seconds));
    return {
      name: 'tails',
      title: `O8 in open loop for ${seconds} s each, 64 connections, one hot instance, ${players.toLocaleString('en-US')} players, sync always`,
      figures: levels.flatMap(figuresOf),
      notes: [
        `closed-loop maximum of this run: ${Math.round(max).toLocaleString('en-US')}/s; an epoch ends every ${epochSeconds} s`,
        ...levels.flatMap(notesOf),
      ],
      processors: [],
    };
  } finally {
    await system.stop();
    rmSync(stopsDirectory, { recursive: true, force: true });
  }
}

function manyPlayers(plan: LoadPlan): LoadPlan {
  return { ...plan, body: plan.body.replace('load-player-1', 'load-player-######'), players };
}

async function measureLevel(
  system: RunningSystem,
  stopsDirectory: string,
  plan: LoadPlan,
  share: number,
  rate: number,
  seconds: number,
): Promise<Level> {
  const snapshots = Array.from({ length: lanes }, (_, lane) =>
    join(system.dataDirectory, 'snapshots', String(lane)),
  );
  for (const path of snapshots) mkdirSync(path, { recursive: true, mode: 0o700 });
  const watch = await HostWatch.start(system.pid, system.dataDirectory, snapshots);
  const fromMs = Date.now();
  const load = await runLoad({
    ...plan,
    rate,
    durationMs: seconds * 1_000,
    timeline: { sliceMs, excursionMs },
  });
  await watch.stop();
  // What the processes have noted is written once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const causes = [
    ...watch.causes,
    ...readStops(stopsDirectory, watch.names),
    ...readEpochs(join(system.dataDirectory, 'logs', 'actors.log'), publishingMs),
  ].filter((cause) => cause.fromMs >= fromMs);
  return { share, load, causes, explained: explain(load.timeline?.excursions ?? [], causes) };
}

function figuresOf({ share, load }: Level): Figure[] {
  const slices = load.timeline?.slices ?? [];
  const percent = `${Math.round(share * 100)} %`;
  const isJudged = share === shares.at(-1);
  const figure = (
    name: string,
    valueMs: number,
    of: (slice: LatencySlice) => number,
    mustMs: number | null,
  ) => {
    const perMinute = spread(slices.map(of));
    return {
      name: `${name} at ${percent} (range: minutes)`,
      unit: 'ms',
      ours: { ...perMinute, median: valueMs },
      yardstick: null,
      ratio: null,
      must: mustMs === null || !isJudged ? '–' : `${mustMs} ms`,
      aim: mustMs === null || !isJudged ? '–' : mustMs === mustP99Ms ? '12 ms' : '30 ms',
      reached: mustMs === null || !isJudged || valueMs <= mustMs,
    };
  };
  return [
    figure('p50', load.p50Ms, (slice) => slice.p50Ms, null),
    figure('p99', load.p99Ms, (slice) => slice.p99Ms, mustP99Ms),
    figure('p99.9', load.p999Ms, (slice) => slice.p999Ms, mustP999Ms),
    figure('max', load.maxMs, (slice) => slice.maxMs, null),
  ];
}

function notesOf({ share, load, explained, causes }: Level): string[] {
  const at = `at ${Math.round(share * 100)} %`;
  const slices = load.timeline?.slices ?? [];
  const more = load.timeline?.moreExcursions ?? 0;
  const unexplained = explained.filter((each) => each.causes.length === 0).length;
  const others = load.failures + load.requests - (load.statuses['200'] ?? 0);
  return [
    `${at}: ${Math.round(load.perSecond).toLocaleString('en-US')}/s; answers other than 200: ${others}`,
    `${at}, p50/p99/p99.9/max of each minute in ms: ${slices.map((slice) => [slice.p50Ms, slice.p99Ms, slice.p999Ms, slice.maxMs].map((value) => value.toFixed(1)).join('/')).join('; ')}`,
    `${at}: ${explained.length + more} excursions above ${excursionMs} ms, ${unexplained} of them beside nothing that was noticed`,
    ...sharesOf(explained, causes, load.wallSeconds * 1_000)
      .slice(0, causesShown)
      .map(
        ({ name, excursions, ofTime, maxMs }) =>
          `${at}: ${name} in ${excursions} excursions; ${(100 * ofTime).toFixed(1)} % of the time, at most ${maxMs.toFixed(0)} ms`,
      ),
    ...[...explained]
      .sort((a, b) => b.excursion.maxMs - a.excursion.maxMs)
      .slice(0, excursionsShown)
      .map((each) => `${at}: ${lineOf(each)}`),
  ];
}

/** When, how long, how many requests, and what happened then, relative to when the first of them was due. */
function lineOf({ excursion: { fromMs, toMs, requests, maxMs }, causes }: ExplainedExcursion): string {
  const time = new Date(fromMs).toISOString().slice(11, 23);
  const happened = [...causes]
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, maxCausesOfLine)
    .sort((a, b) => a.fromMs - b.fromMs)
    .map((cause) => {
      const offset = Math.round(cause.fromMs - fromMs);
      return `${nameOf(cause)} ${cause.durationMs.toFixed(0)} ms at ${offset < 0 ? '−' : '+'}${Math.abs(offset)}`;
    });
  const shown = happened.length === 0 ? 'nothing noticed' : happened.join(', ');
  return `${time} for ${Math.round(toMs - fromMs)} ms, ${requests} requests, at most ${maxMs.toFixed(0)} ms: ${shown}`;
}
