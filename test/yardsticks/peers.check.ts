import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@redis/client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningDatabase, startPostgres, startRedis } from '../../bench/lib/databases.ts';
import { openPostgresBatches } from '../../bench/yardsticks/peers/postgres-batches.ts';
import { openPostgresTransactions } from '../../bench/yardsticks/peers/postgres-transactions.ts';
import { openRedisScript } from '../../bench/yardsticks/peers/redis-script.ts';
import { serve } from '../../bench/yardsticks/peers/server.ts';
import type { Store } from '../../bench/yardsticks/peers/store.ts';

/**
 * The services beside which Potstream is measured do what they claim: each contribution counts once, and sums are exact. `npm run checks` names
 * the databases, which a machine may lack.
 */

const { POTSTREAM_POSTGRES, POTSTREAM_REDIS } = process.env;
const token = 'token';
const instances = ['first', 'second'];
const players = 40;
const contributions = 1_200;
const callers = 48;

interface Sent {
  readonly key: string;
  readonly instance: string;
  readonly player: string;
  readonly wagerMicros: bigint;
}

interface Sums {
  readonly pots: Record<string, Record<string, bigint>>;
  readonly players: Record<string, bigint>;
}

const peers = [
  {
    kind: 'one Postgres transaction each',
    isThere: POTSTREAM_POSTGRES !== undefined,
    start: () => startPostgres(),
    open: openPostgresTransactions,
    sums: sumsInPostgres,
  },
  {
    kind: 'batches over Postgres',
    isThere: POTSTREAM_POSTGRES !== undefined,
    start: () => startPostgres(),
    open: openPostgresBatches,
    sums: sumsInPostgres,
  },
  {
    kind: 'Redis script',
    isThere: POTSTREAM_REDIS !== undefined,
    start: () => startRedis(),
    open: openRedisScript,
    sums: sumsInRedis,
  },
];

describe.each(peers)('$kind', ({ isThere, start, open, sums }) => {
  let database: RunningDatabase;
  let store: Store | undefined;
  let server: Server | undefined;
  let url: string;

  beforeAll(async () => {
    if (!isThere) return;
    database = await start();
    store = await open(database.port);
    server = await serve(store, token, 0);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    if (!isThere) return;
    server?.closeAllConnections();
    server?.close();
    await store?.close();
    await database.stop();
    await expect(fetch(`http://127.0.0.1:${database.port}`)).rejects.toThrow();
  });

  test.skipIf(!isThere)('each contribution counts once, with exact sums, however it comes', async () => {
    const requests = Array.from({ length: contributions }, (_, n) => sentAs('request', n));
    const lines = Array.from({ length: contributions }, (_, n) => sentAs('line', n));

    // At once with its own repetition, and again later.
    const first = await inParallel(
      requests.flatMap((each) => [each, each]),
      (each) => post(url, each),
    );
    expect(first.filter(({ status }) => status !== 200)).toEqual([]);
    for (const [at, { body }] of first.entries()) expect(body).toEqual(first[at - (at % 2)]?.body);
    const again = await post(url, requests[0] as Sent);
    expect(again.body).toEqual(first[0]?.body);
    expect(again.body).toMatchObject({
      instance_id: requests[0]?.instance,
      contribution_amount: Number((requests[0] as Sent).wagerMicros / 100n) / 1e6,
      metadata: { shift: 'night' },
    });

    const results = await stream(url, [...lines, ...lines, ...requests.slice(0, 100)]);
    expect(results.size).toBe(lines.length + 100);
    for (const [ref, bodies] of results) {
      expect(bodies.length).toBe(ref.startsWith('line') ? 2 : 1);
      expect(bodies[1] ?? bodies[0]).toEqual(bodies[0]);
    }
    expect(results.get('request-0')?.[0]).toMatchObject({ results: [first[0]?.body] });

    expect(await sums(database.port)).toEqual(expectedOf([...requests, ...lines]));
  });

  test.skipIf(!isThere)('what it cannot read is refused', async () => {
    const before = await sums(database.port);
    const sent = { ...sentAs('odd', 1), wagerMicros: 0n };
    expect((await post(url, sent)).status).toBe(400);
    expect((await post(url, { ...sentAs('odd', 2), key: '' })).status).toBe(400);
    expect((await post(url, sentAs('odd', 3), 'another')).status).toBe(401);
    const answer = await fetch(`${url}/v2/jackpot/contributions/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: `not JSON\n${lineOf({ ...sent, key: 'zero' })}\n{}`,
    });
    const answered = (await answer.text()).trim().split('\n');
    expect(answered.map((line) => 'error' in JSON.parse(line))).toEqual([true, true, true]);
    expect(await sums(database.port)).toEqual(before);
  });
});

function sentAs(kind: string, n: number): Sent {
  const dice = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  return {
    key: `${kind}-${n}`,
    instance: instances[dice % instances.length] as string,
    player: `player-${dice % players}`,
    wagerMicros: BigInt((dice % 500_000_000) + 1),
  };
}

function expectedOf(all: readonly Sent[]): Sums {
  const sums: Sums = { pots: {}, players: {} };
  for (const { instance, player, wagerMicros } of all) {
    const toPots = wagerMicros / 100n;
    const shares = {
      mini: (toPots * 30n) / 100n,
      major: (toPots * 30n) / 100n,
      grand: (toPots * 35n) / 100n,
    };
    const house = toPots - shares.mini - shares.major - shares.grand;
    const pots = sums.pots[instance] ?? {};
    sums.pots[instance] = pots;
    for (const [pot, part] of Object.entries({ ...shares, house })) pots[pot] = (pots[pot] ?? 0n) + part;
    const name = `${instance} ${player}`;
    sums.players[name] = (sums.players[name] ?? 0n) + wagerMicros;
  }
  return sums;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

async function post(url: string, sent: Sent, as = token): Promise<Answer> {
  const answer = await fetch(`${url}/v1/jackpot/instances/${sent.instance}/contributions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}` },
    body: JSON.stringify({
      token: 'session',
      brand_id: 'bench:main',
      player_id: sent.player,
      player_country: 'DE',
      gameround_id: `round-${sent.key}`,
      base_wager: Number(sent.wagerMicros) / 1e6,
      currency: 'EUR',
      idempotency_key: sent.key,
      metadata: { shift: 'night' },
    }),
  });
  return { status: answer.status, body: (await answer.json()) as object };
}

/** What was answered by ref, which is the key. */
async function stream(url: string, all: readonly Sent[]): Promise<Map<string, object[]>> {
  const answer = await fetch(`${url}/v2/jackpot/contributions/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: all.map((each) => `${lineOf(each)}\n`).join(''),
  });
  const results = new Map<string, object[]>();
  for (const line of (await answer.text()).trim().split('\n')) {
    const { ref, ...result } = JSON.parse(line) as { ref: string };
    results.set(ref, [...(results.get(ref) ?? []), result]);
  }
  return results;
}

function lineOf({ key, instance, player, wagerMicros }: Sent): string {
  return JSON.stringify({
    ref: key,
    target: { type: 'instance', id: instance },
    source: { type: 'gameround', id: `round-${key}` },
    operator_id: 'bench',
    player: { id: player, token: 'session', country: 'DE', brand_id: 'bench:main' },
    base_wager: { currency: 'EUR', value: Number(wagerMicros) / 1e6 },
    metadata: { shift: 'night' },
    options: { idempotency_key: key },
  });
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at] as Item);
    }
  };
  await Promise.all(Array.from({ length: callers }, worker));
  return results;
}

async function sumsInPostgres(port: number): Promise<Sums> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'potstream', database: 'postgres' });
  await client.connect();
  try {
    const pots = await client.query('SELECT * FROM pots');
    const known = await client.query('SELECT * FROM players');
    const kept = await client.query('SELECT count(*) AS contributions FROM contributions');
    const counted = known.rows.reduce((sum, row) => sum + Number(row.contributions), 0);
    expect(counted).toBe(Number(kept.rows[0].contributions));
    return {
      pots: Object.fromEntries(
        pots.rows.map(({ instance, ...each }) => [
          instance,
          Object.fromEntries(Object.entries(each).map(([pot, micros]) => [pot, BigInt(micros as string)])),
        ]),
      ),
      players: Object.fromEntries(
        known.rows.map(({ instance, player, wagered }) => [`${instance} ${player}`, BigInt(wagered)]),
      ),
    };
  } finally {
    await client.end();
  }
}

async function sumsInRedis(port: number): Promise<Sums> {
  const client = createClient({ socket: { host: '127.0.0.1', port } });
  await client.connect();
  try {
    const sums: Sums = { pots: {}, players: {} };
    for (const instance of instances) {
      const pots = Object.entries(await client.hGetAll(`pots:${instance}`));
      sums.pots[instance] = Object.fromEntries(pots.map(([pot, micros]) => [pot, BigInt(micros)]));
      for (const [player, micros] of Object.entries(await client.hGetAll(`players:${instance}`)))
        sums.players[`${instance} ${player}`] = BigInt(micros);
    }
    return sums;
  } finally {
    await client.close();
  }
}
