import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import type { Clients, Settled } from '../feeds/clients.ts';
import type { Publisher } from '../feeds/publisher.ts';
import { Remote, sharedMs } from '../feeds/remote.ts';
import type { Screens } from '../feeds/screens.ts';
import { administratorOf, type Call, callerOf } from '../lib/http.ts';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import { cpuSecondsOf, processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { percentile, type Spread, spread } from '../lib/statistics.ts';
import { freePort, type RunningSystem, startSystem } from '../lib/system.ts';

const rounds = Number(process.env.FEEDS_ROUNDS ?? 5);
const crowd = Number(process.env.FEEDS_SOCKETS ?? 10_000);
const maxSockets = Number(process.env.FEEDS_MOST ?? 15_000);
const stalled = Math.ceil(crowd / 100);
/** Contributions of one round whose way to all screens is measured. */
const values = 20;
const clientsOfOurs = 200;
/** What comes this soon after a kill was sent before it. */
const inFlightMs = 100;
/** A client that was live for 10 s comes back as if nothing had happened before. */
const settledMs = 11_000;
/** The feed sends a change at most once a second. */
const conflationMs = 1_000;
const shownWithinMs = 15_000;
const restartedWithinMs = 180_000;
const betweenChangesMs = 250;
const publicScreens = 1_000;
const program = fileURLToPath(new URL('../../../bin/potstream', import.meta.url));
const firstSockets = Math.ceil(maxSockets / 10);
const restMs = 2_000;
const subscribe = JSON.stringify({
  SubscribeRequest: { events: [{ source: 'jackpot', event_type: 'JackpotUpdate' }] },
});

interface Feed {
  readonly system: RunningSystem;
  readonly jackpot: BenchJackpot;
  readonly call: Call;
  readonly port: number;
  readonly pid: number;
  readonly path: string;
}

/** A fan-out with a stadium of screens: memory, cost of a tick, way of a value, readers that stop. */
export async function measure(): Promise<Row> {
  let measured: Omit<Measured, 'events' | 'restarted'>;
  const port = await freePort();
  const system = await startSystem({ POTSTREAM_FANOUT_PORT: String(port) });
  try {
    const jackpot = await makeJackpot(system);
    const path = `/events/service?token=${jackpot.token}`;
    const pid = fanoutOf(system);
    const feed = { system, jackpot, call: callerOf(system), port, pid, path };
    const memory = await memoryOf(feed);
    const screens = new Remote<Screens>('./screens.js');
    try {
      await screens.call('open', { port, path, count: crowd, subscribe });
      const ticks = await ticksOf(feed, screens);
      const quiet: number[] = [];
      for (let round = 0; round < rounds; round += 1) quiet.push(await delayOf(feed, screens, crowd));
      const before = memoryOfProcess(pid);
      await screens.call('stall', { count: stalled });
      const beside: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        beside.push(await delayOf(feed, screens, crowd - stalled));
      const grown = (memoryOfProcess(pid) - before) / 2 ** 20;
      await screens.call('close', null);
      measured = { memory, ticks, quiet, beside, grown, back: await comingBack(feed) };
    } finally {
      screens.end();
    }
  } finally {
    await system.stop();
  }
  return rowOf({ ...measured, events: await besideEvents(), restarted: await restarting() });
}

function fanoutOf({ pid }: RunningSystem): number {
  const found = processTree(pid).find(({ name }) => name === 'potstream fanout');
  if (found === undefined) throw new Error('There is no fan-out.');
  return found.pid;
}

/** Resident bytes that are its own. */
function memoryOfProcess(pid: number): number {
  return 1_024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
}

/** Bytes a subscribed socket, and one of uWebSockets.js alone. */
async function memoryOf({ port, path, pid }: Feed): Promise<{ ours: Spread; bare: Spread }> {
  const publisher = new Remote<Publisher>('./publisher.js');
  const bare = await publisher.call('listen', null);
  const bytesOf = async (server: number, input: { port: number; path: string; subscribe: string | null }) => {
    const screens = new Remote<Screens>('./screens.js');
    try {
      // The first ones take what all share.
      await screens.call('open', { ...input, count: firstSockets });
      await pause(restMs);
      const before = memoryOfProcess(server);
      await screens.call('open', { ...input, count: maxSockets - firstSockets });
      await pause(restMs);
      return (memoryOfProcess(server) - before) / (maxSockets - firstSockets);
    } finally {
      screens.end();
    }
  };
  const ours = await bytesOf(pid, { port, path, subscribe });
  const alone = await bytesOf(publisher.pid, { port: bare.port, path: '/all', subscribe: null });
  publisher.end();
  return { ours: spread([ours]), bare: spread([alone]) };
}

interface Ticks {
  /** Frames handed to sockets for each second of processor time. */
  readonly ours: number[];
  readonly bare: number[];
  readonly ws: number[];
}

async function ticksOf(feed: Feed, screens: Remote<Screens>): Promise<Ticks> {
  const ticks: Ticks = { ours: [], bare: [], ws: [] };
  const frame = await screens.call('sample', null);
  const forMs = 10 * conflationMs;
  const perSecond = async (pid: number, viewers: Remote<Screens>): Promise<number> => {
    const before = cpuSecondsOf(pid);
    const { frames } = await viewers.call('count', { forMs });
    return frames / (cpuSecondsOf(pid) - before);
  };
  for (let round = 0; round < rounds; round += 1) {
    let over = false;
    const contributing = (async () => {
      while (!over) {
        await contribute(feed);
        await pause(conflationMs / 4);
      }
    })();
    ticks.ours.push(await perSecond(feed.pid, screens));
    over = true;
    await contributing;
    for (const engine of ['bare', 'ws'] as const) {
      const publisher = new Remote<Publisher>('./publisher.js', [engine]);
      const viewers = new Remote<Screens>('./screens.js');
      try {
        const { port } = await publisher.call('listen', null);
        await viewers.call('open', { port, path: '/all', count: crowd, subscribe: null });
        const publishing = publisher.call('publish', {
          frame,
          times: forMs / conflationMs,
          everyMs: conflationMs,
        });
        ticks[engine].push(await perSecond(publisher.pid, viewers));
        await publishing;
      } finally {
        viewers.end();
        publisher.end();
      }
    }
  }
  return ticks;
}

let contributions = 0;

async function contribute({
  call,
  jackpot: { instance, brand, token },
}: Pick<Feed, 'call' | 'jackpot'>): Promise<void> {
  const key = `key-${contributions++}`;
  const body = {
    token: 'session',
    brand_id: brand,
    player_id: 'ada',
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: key,
  };
  await call('POST', `/v1/jackpot/instances/${instance}/contributions`, body, token);
}

/** p99 of the time from a contribution's answer to its value on the last of that many screens. */
async function delayOf(feed: Feed, screens: Remote<Screens>, count: number): Promise<number> {
  const delays: number[] = [];
  for (let n = 0; n < values; n += 1) {
    await contribute(feed);
    const answeredMs = sharedMs();
    const path = `/v1/jackpot/instances/${feed.jackpot.instance}/ticker`;
    const { pots } = (await feed.call('GET', path, undefined, feed.jackpot.token)) as {
      pots: { current_value: number | string }[];
    };
    const text = `"current_value":${JSON.stringify(pots[0]?.current_value)}`;
    const shownMs = await screens.call('shown', { text, screens: count, withinMs: shownWithinMs });
    delays.push(shownMs === null ? shownWithinMs : Math.max(0, shownMs - answeredMs));
    // The next one comes at any moment of the feed's second.
    await pause(Math.random() * conflationMs);
  }
  return percentile(
    delays.sort((one, other) => one - other),
    0.99,
  );
}

/** How long clients of ours are not live after the fan-out was killed, each time. */
async function comingBack({ system, port, jackpot }: Feed): Promise<number[]> {
  const built = new URL('../../../client/dist/index.js', import.meta.url).href;
  const { connect } = (await import(built)) as typeof import('../../client/src/index.ts');
  // Node 20 has none.
  globalThis.WebSocket ??= WebSocket as never;
  const url = `http://127.0.0.1:${port}/events/service`;
  const clients = Array.from({ length: clientsOfOurs }, () =>
    connect({ url, token: async () => jackpot.token, instances: [jackpot.instance] }),
  );
  const allLive = async (): Promise<void> => {
    while (clients.some(({ state }) => state !== 'live')) await pause(restMs / 100);
  };
  const tookMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await allLive();
    await pause(settledMs);
    const killedMs = performance.now();
    process.kill(fanoutOf(system), 'SIGKILL');
    await Promise.all(
      clients.map(
        (client) =>
          new Promise<void>((resolve) => {
            // One that is back within 3 s says nothing of it: its next value does.
            const stop = client.on('update', () => {
              const passedMs = performance.now() - killedMs;
              if (passedMs < inFlightMs) return;
              tookMs.push(passedMs);
              stop();
              resolve();
            });
          }),
      ),
    );
  }
  for (const client of clients) client.close();
  return tookMs;
}

/** Frames for each second of processor time of gateway and fan-out. */
interface PublicFeed {
  readonly websocket: number[];
  readonly events: number[];
}

/** The demo's public brand through the gateway, by websocket and as Server-Sent Events. */
async function besideEvents(): Promise<PublicFeed> {
  const system = await startSystem();
  const call = callerOf(system);
  const { token } = (await call('POST', '/v1/auth/service', system.credentials.service)) as { token: string };
  const path = '/v1/jackpot/instances/source/slot-1/brand/demo:direct';
  const { id: instance } = (await call('GET', path, undefined, token)) as { id: string };
  const jackpot = { instance, brand: 'demo:direct', source: 'slot-1', token };
  const processorSeconds = () =>
    processTree(system.pid)
      .filter(({ name }) => name === 'potstream fanout' || name === 'potstream gateway')
      .reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const rates: PublicFeed = { websocket: [], events: [] };
  let over = false;
  const contributing = (async () => {
    while (!over) {
      await contribute({ call, jackpot });
      await pause(conflationMs / 4);
    }
  })();
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const kind of ['websocket', 'events'] as const) {
        const screens = new Remote<Screens>('./screens.js');
        try {
          await screens.call('open', {
            port: system.port,
            path: '/v1/public/demo/main/events',
            count: publicScreens,
            subscribe: kind === 'websocket' ? subscribe : null,
            events: kind === 'events',
          });
          await pause(restMs);
          const before = processorSeconds();
          const { frames } = await screens.call('count', { forMs: 10 * conflationMs });
          rates[kind].push(frames / (processorSeconds() - before));
        } finally {
          screens.end();
        }
      }
  } finally {
    over = true;
    await contributing;
    await system.stop();
  }
  return rates;
}

interface Restarted extends Settled {
  readonly events: number;
  readonly tookMs: number;
}

/** Two fan-outs restart in turn under a crowd of clients of ours, while counted events go on. */
async function restarting(): Promise<Restarted> {
  const port = await freePort();
  const system = await startSystem({ POTSTREAM_FANOUT_PORT: String(port) }, ['--fanouts', '2']);
  const clients = new Remote<Clients>('./clients.js');
  try {
    const { instance, token } = await makeJackpot(system);
    const call = callerOf(system);
    const admin = await administratorOf(system);
    await clients.call('open', { port, token, instance, count: crowd });
    let events = 0;
    let over = false;
    const changing = (async () => {
      for (; !over || events % 2 === 1; events += 1) {
        const change = {
          instance_id: instance,
          status: events % 2 === 0 ? 'Paused' : 'Active',
          reason: 'the bench',
        };
        await call('POST', `/config/instances/${instance}/status`, change, admin);
        await pause(betweenChangesMs);
      }
    })();
    const beganMs = performance.now();
    const restart = spawn(process.execPath, [program, 'restart', 'fanouts'], {
      stdio: 'ignore',
      env: { ...process.env, POTSTREAM_DATA: system.dataDirectory },
    });
    const [code] = await once(restart, 'exit');
    if (code !== 0) throw new Error(`The restart of the fan-outs ended with ${code}.`);
    const tookMs = performance.now() - beganMs;
    over = true;
    await changing;
    return { ...(await clients.call('settled', { events, withinMs: restartedWithinMs })), events, tookMs };
  } finally {
    clients.end();
    await system.stop();
  }
}

interface Measured {
  readonly events: PublicFeed;
  readonly restarted: Restarted;
  readonly memory: { readonly ours: Spread; readonly bare: Spread };
  readonly ticks: Ticks;
  readonly quiet: readonly number[];
  readonly beside: readonly number[];
  /** MiB by which readers that stopped made the fan-out grow. */
  readonly grown: number;
  /** Milliseconds of each client and kill. */
  readonly back: readonly number[];
}

function rowOf({ memory, ticks, quiet, beside, grown, back, events, restarted }: Measured): Row {
  const memoryRatio = memory.ours.median / memory.bare.median;
  const ratios = (of: readonly number[]) =>
    spread(ticks.ours.map((value, round) => value / (of[round] ?? 1)));
  const beyondBare = ratios(ticks.bare);
  const beyondWs = ratios(ticks.ws);
  const delay = spread(quiet);
  const stalledRatio = spread(beside.map((value, round) => value / (quiet[round] ?? 1)));
  const alone = { yardstick: null, ratio: null };
  const figures: Figure[] = [
    {
      name: `memory of a socket, ${maxSockets.toLocaleString('en')} subscribed`,
      unit: 'bytes',
      ours: memory.ours,
      yardstick: { name: 'bare uWebSockets.js', value: memory.bare },
      ratio: spread([memoryRatio]),
      must: '≤ 4 ×',
      aim: '2.5 ×',
      reached: memoryRatio <= 4,
    },
    {
      name: `a tick to ${crowd.toLocaleString('en')} sockets: frames a second of processor time`,
      unit: '/s',
      ours: spread(ticks.ours),
      yardstick: { name: 'bare uWebSockets.js', value: spread(ticks.bare) },
      ratio: beyondBare,
      must: '0.7 ×',
      aim: '0.9 ×',
      reached: beyondBare.median >= 0.7,
    },
    {
      name: 'the same beside ws',
      unit: '/s',
      ours: spread(ticks.ours),
      yardstick: { name: 'ws, a loop over all clients', value: spread(ticks.ws) },
      ratio: beyondWs,
      must: '1.3 ×',
      aim: '2 ×',
      reached: beyondWs.median >= 1.3,
    },
    {
      name: `a contribution's answer to its value on the last of ${crowd.toLocaleString('en')} screens, p99`,
      unit: 'ms',
      ours: delay,
      ...alone,
      must: '≤ 1,500',
      aim: '≤ 1,200',
      reached: delay.median <= 1_500,
    },
    {
      name: `the same while ${stalled} of them do not read`,
      unit: 'ms',
      ours: spread(beside),
      yardstick: { name: 'while all read', value: delay },
      ratio: stalledRatio,
      must: '≤ 1.5 ×',
      aim: '1 ×',
      reached: stalledRatio.median <= 1.5,
    },
    {
      name: 'growth of the fan-out by those that do not read',
      unit: 'MiB',
      ours: spread([grown]),
      ...alone,
      must: '≤ 32',
      aim: '0',
      reached: grown <= 32,
    },
    {
      name: `fan-out killed: ${clientsOfOurs} clients of @potstream/client are live again`,
      unit: 'ms',
      ours: spread(back),
      ...alone,
      must: 'median ≤ 3,000, worst ≤ 8,000',
      aim: '1,000, 3,000',
      reached: spread(back).median <= 3_000 && spread(back).max <= 8_000,
    },
    {
      name: `public feed through the gateway, ${publicScreens.toLocaleString('en')} Server-Sent Events: frames a second of processor time`,
      unit: '/s',
      ours: spread(events.events),
      yardstick: { name: 'the same as websockets', value: spread(events.websocket) },
      ratio: spread(events.events.map((value, round) => value / (events.websocket[round] ?? 1))),
      must: '–',
      aim: '–',
      reached: true,
    },
    {
      name: `two fan-outs restarted in turn under ${crowd.toLocaleString('en')} clients: that lack a counted event`,
      unit: '',
      ours: spread([restarted.wrong]),
      ...alone,
      must: '0',
      aim: '0',
      reached: restarted.wrong === 0,
    },
    {
      name: 'sockets that each client opened meanwhile',
      unit: '',
      ours: spread([restarted.sockets / crowd]),
      ...alone,
      must: '≤ 3',
      aim: '1',
      reached: restarted.sockets <= 3 * crowd,
    },
  ];
  return {
    name: 'feeds',
    title: 'A stadium of screens on one fan-out',
    figures,
    notes: [
      'The screens run in a process of their own, on 32 loopback addresses; all see the same scope (O22), so that each tick is the same frame for all.',
      `p99 of ${values} contributions in each of ${rounds} rounds; a round of ticks takes ten seconds of one change a second.`,
      `The restart took ${(restarted.tookMs / 1_000).toFixed(0)} s; ${restarted.events} counted events went to every client; at most ${restarted.peakPerSecond.toLocaleString('en')} sockets were opened in one second.`,
      'Centrifugo could not be had as a package here, so it is not among the yardsticks.',
    ],
    processors: [],
  };
}
