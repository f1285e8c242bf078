import { type ByInstances, byInstances } from '../growth/instances.ts';
import { type ByLanes, byLanes } from '../growth/lanes.ts';
import { type ByPlayers, byPlayers } from '../growth/players.ts';
import { connections, type Rates } from '../growth/points.ts';
import { CoresByName } from '../lib/cores-by-name.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';

const mustRatio = 0.7;
/** 128 bytes, 28 for each of three pots, and the id (docs/rules/performance.md "Memory of players"). */
const mustBytes = 128 + 3 * 28 + 'player-000000'.length;
const aimBytes = 96 + 'player-000000'.length;
const mustStartSeconds = 5;
const aimStartSeconds = 2;
const minCores = 0.02;

/** How the cost of a contribution grows with instances, lanes and players. */
export async function measure(): Promise<Row> {
  const cores = new CoresByName();
  const players = await byPlayers(cores);
  const instances = await byInstances(cores);
  const lanes = await byLanes(cores);
  return {
    name: 'growth',
    title: 'Growth: contributions a second by instances, lanes and players, sync always',
    figures: [
      ...growthOf('instances', instances.rates),
      ...growthOf('lanes', lanes.rates),
      ...growthOf('players', players.rates),
      ...startOf(lanes),
      memoryOf(players),
    ],
    notes: notesOf(players, instances, lanes),
    processors: cores.report().filter((each) => each.cores >= minCores),
  };
}

function growthOf(what: string, rates: Rates): Figure[] {
  const [first, ...others] = [...rates];
  if (first === undefined) throw new Error(`no point of ${what} was measured`);
  const [firstPoint, firstRates] = first;
  const alone: Figure = {
    name: `contributions a second, ${label(firstPoint, what)}`,
    unit: '/s',
    ours: spread(firstRates),
    yardstick: null,
    ratio: null,
    must: '–',
    aim: '–',
    reached: true,
  };
  const grown = others.map(([point, values]): Figure => {
    const ratio = spread(values.map((value, at) => value / (firstRates[at] ?? Number.NaN)));
    return {
      name: `contributions a second, ${label(point, what)}`,
      unit: '/s',
      ours: spread(values),
      yardstick: { name: label(firstPoint, what), value: spread(firstRates) },
      ratio,
      must: String(mustRatio),
      aim: '1',
      reached: ratio.median >= mustRatio,
    };
  });
  return [alone, ...grown];
}

function startOf({ warmSeconds }: ByLanes): Figure[] {
  return [...warmSeconds].map(([lanes, values]) => ({
    name: `start to ready, warm, demo data, ${label(lanes, 'lanes')}`,
    unit: 's',
    ours: spread(values),
    yardstick: null,
    ratio: null,
    must: `${mustStartSeconds} s`,
    aim: `${aimStartSeconds} s`,
    reached: spread(values).median <= mustStartSeconds,
  }));
}

function memoryOf({ bytesPerPlayer }: ByPlayers): Figure {
  return {
    name: 'resident memory a player of an instance with three pots',
    unit: 'bytes',
    ours: spread([bytesPerPlayer]),
    yardstick: null,
    ratio: null,
    must: `at most ${mustBytes}`,
    aim: String(aimBytes),
    reached: bytesPerPlayer <= mustBytes,
  };
}

function notesOf(players: ByPlayers, instances: ByInstances, lanes: ByLanes): string[] {
  const resident = [...players.residentMiB].map(
    ([count, mebibytes]) => `${count.toLocaleString('en-US')} players ${mebibytes.toFixed(0)} MiB`,
  );
  const fresh = [...lanes.freshSeconds].map(
    ([count, values]) => `${label(count, 'lanes')} ${spread(values).median.toFixed(1)} s`,
  );
  return [
    `instances: O8 to one lane, ${connections} connections, in turn to the first 1, 100 and all 10,000 of them, epochs of a day; to the first before there were others: ${Math.round(spread(instances.alone).median).toLocaleString('en-US')}/s`,
    `lanes: O8 to 64 instances in groups of their own, ${connections} connections; a system of its own for each point and round; start with fresh data: ${fresh.join(', ')}`,
    'players: one NDJSON stream to an instance whose players are there before, in one lane with the other instances',
    `memory: growth of the actors by a contribution of each of 1,000,000 players, once 1,000,000 of 1,000 players and one of each of 110,000 had gone before; resident after each: ${resident.join(', ')}`,
  ];
}

function label(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? what.replace(/s$/, '') : what}`;
}
