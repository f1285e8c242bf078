import { runLoad } from '../lib/load-process.ts';
import type { Figure, Row } from '../lib/report.ts';
import { type Spread, spread } from '../lib/statistics.ts';
import { manyWrites, type RunningSystem, startSystem } from '../lib/system.ts';
import { type List, listsOf } from '../lists/pages.ts';
import { brand, counts, type ListsWorld, makeListsWorld } from '../lists/world.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const mustMs = 50;
const mustRatio = 0.8;
const mustStopMs = 20;
/** How often each page is read. */
const readsOfPage = 3;
const rounds = 5;
const connections = 64;
const loadMs = 5_000;
const warmUpMs = 1_000;
/** The reader's, beside the contributions. */
const pagesPerSecond = 20;
/** Between two looks at the clock of the event loop, which prom-client sets. */
const clockMs = 10;

/** The lists of a large operator, page by page, and contributions of the same lane while they are read. */
export async function measure(): Promise<Row> {
  const system = await startSystem(manyWrites);
  try {
    const world = await makeListsWorld(system);
    const lists = listsOf(world);
    const read: ReadList[] = [];
    for (const list of lists) read.push(await readList(system, list));
    const { alone, beside, pages } = await contributions(system, world, lists);
    const ratio = spread(beside.map((load, round) => load.perSecond / (alone[round]?.perSecond ?? 1)));
    return {
      name: 'lists',
      title: `Lists of ${n(counts.sources)} sources, ${n(counts.instances)} instances, ${n(counts.optIns)} opt-ins of an instance`,
      figures: [
        ...read.map(figureOf),
        {
          name: `contributions of the same lane while ${pagesPerSecond} pages a second are read`,
          unit: '/s',
          ours: spread(beside.map((load) => load.perSecond)),
          yardstick: { name: 'without', value: spread(alone.map((load) => load.perSecond)) },
          ratio,
          must: String(mustRatio),
          aim: '1',
          reached: ratio.median >= mustRatio,
        },
        ...(['gateway', 'actors'] as const).map((role) => stopOf(role, read)),
      ],
      notes: [
        `each page was read ${readsOfPage} times by one caller; slowest of each list:`,
        ...read.map(({ list, slowest }) => `${list.name}: ${slowest.ms.toFixed(1)} ms, ${slowest.path}`),
        `event loops stopped longest, in ms: ${read.map(({ list, stops }) => `${list.name} ${stops.gateway.toFixed(0)} and ${stops.actors.toFixed(0)}`).join('; ')}`,
        `pages beside the contributions: ${pages}`,
        `${n(world.tickets)} players have tickets; made in seconds: ${JSON.stringify(world.seconds)}`,
      ],
      processors: [],
    };
  } finally {
    await system.stop();
  }
}

interface ReadList {
  readonly list: List;
  readonly times: Spread;
  readonly slowest: { readonly ms: number; readonly path: string };
  readonly stops: Stops;
}

async function readList(system: RunningSystem, list: List): Promise<ReadList> {
  const times: number[] = [];
  let slowest = { ms: 0, path: '' };
  await maxStops(system);
  for (let round = 0; round < readsOfPage; round += 1) {
    for (const path of list.paths) {
      const ms = await readPage(system, list.token, path);
      times.push(ms);
      if (ms > slowest.ms) slowest = { ms, path };
    }
  }
  const stops = await maxStops(system);
  const read = { list, times: spread(times), slowest, stops };
  process.stderr.write(
    `  ${list.name}: ${times.length} pages, p50 ${read.times.median.toFixed(1)} ms, worst ${slowest.ms.toFixed(1)} ms (${slowest.path}), stops ${stops.gateway.toFixed(0)}, ${stops.actors.toFixed(0)} ms\n`,
  );
  return read;
}

async function readPage({ host, port }: RunningSystem, token: string, path: string): Promise<number> {
  const beganAt = performance.now();
  const answer = await fetch(`http://${host}:${port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
  return performance.now() - beganAt;
}

interface Stops {
  readonly gateway: number;
  readonly actors: number;
}

/** Longest stops of the event loops since the last call, in milliseconds. */
async function maxStops({ credentials }: RunningSystem): Promise<Stops> {
  const text = await (await fetch(`${credentials.ops_url}/metrics`)).text();
  const of = (role: string): number => {
    const lines = text
      .split('\n')
      .filter((line) => line.includes('eventloop_lag_max_seconds{') && line.includes(`role="${role}"`));
    if (lines.length === 0) throw new Error(`no event loop of ${role} in the metrics`);
    return Math.max(...lines.map((line) => Number(line.slice(line.lastIndexOf(' '))) * 1000 - clockMs));
  };
  return { gateway: of('gateway'), actors: of('actors') };
}

async function contributions(
  system: RunningSystem,
  world: ListsWorld,
  lists: readonly List[],
): Promise<{ alone: LoadReport[]; beside: LoadReport[]; pages: number }> {
  const plan = contributionPlan(system, world);
  const alone: LoadReport[] = [];
  const beside: LoadReport[] = [];
  let pages = 0;
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await runLoad(plan));
    const reader = startReader(system, lists);
    beside.push(await runLoad(plan));
    pages += await reader.stop();
  }
  return { alone, beside, pages };
}

/** Reads a page of each list in turn. */
function startReader(system: RunningSystem, lists: readonly List[]): { stop(): Promise<number> } {
  let running = true;
  let pages = 0;
  const run = async (): Promise<void> => {
    for (; running; pages += 1) {
      const list = lists[pages % lists.length] as List;
      const path = list.paths[Math.floor(pages / lists.length) % list.paths.length] as string;
      const dueAt = performance.now() + 1000 / pagesPerSecond;
      await readPage(system, list.token, path);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    }
  };
  const ended = run();
  return {
    async stop() {
      running = false;
      await ended;
      return pages;
    },
  };
}

function contributionPlan({ host, port }: RunningSystem, { raffle, service }: ListsWorld): LoadPlan {
  return {
    host,
    port,
    path: `/v1/jackpot/instances/${raffle}/contributions`,
    headers: { Authorization: `Bearer ${service}` },
    body: JSON.stringify({
      token: 'session',
      brand_id: brand,
      player_id: 'player-1',
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
      idempotency_key: 'key-@@@@@@@@@@@@',
    }),
    connections,
    durationMs: loadMs,
    warmupMs: warmUpMs,
    rate: 0,
  };
}

function figureOf({ list, times }: ReadList): Figure {
  return {
    name: `${list.name}: a page`,
    unit: 'ms',
    ours: times,
    yardstick: null,
    ratio: null,
    must: `at most ${mustMs}`,
    aim: '–',
    reached: times.max <= mustMs,
  };
}

function stopOf(role: keyof Stops, read: readonly ReadList[]): Figure {
  const stops = spread(read.map((each) => each.stops[role]));
  return {
    name: `longest stop of the event loop of ${role === 'gateway' ? 'the gateway' : 'the actors'}, by list`,
    unit: 'ms',
    ours: stops,
    yardstick: null,
    ratio: null,
    must: `at most ${mustStopMs}`,
    aim: '–',
    reached: stops.max <= mustStopMs,
  };
}

function n(count: number): string {
  return count.toLocaleString('en-US');
}
