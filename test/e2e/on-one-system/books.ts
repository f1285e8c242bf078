import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parquetTables } from '../../../src/reporting/parquet/warehouse.ts';
import { potstream } from '../../cli/support/command.ts';
import { atoms } from '../../jackpot/support/commands.ts';
import { eventually } from '../../outbox/support/receiver.ts';
import { requireEqualTotals } from '../../reporting/support/parquet-totals.ts';
import { booksOfOneSystem, oneSystem } from '../../support/one-system.ts';
import { OperatorClient } from '../../support/operator-client.ts';
import type { RunningBooks } from '../../support/running-books.ts';
import type { RunningSystem } from '../../support/system.ts';

/**
 * The books of a whole running system: what was answered is in the database once, whatever dies. The first system has them in files, the
 * second one in PostgreSQL.
 */
let system: RunningSystem;
let books: RunningBooks;
let operator: OperatorClient;
let instance: string;

beforeAll(async () => {
  system = await oneSystem();
  books = await booksOfOneSystem();
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
}, 600_000);

/** As an operator does it: again with the same key, until it is answered. */
async function contribute(): Promise<string> {
  const contribution = {
    token: 'session',
    brand_id: 'demo:direct',
    player_id: 'booked-player',
    player_country: 'DE',
    base_wager: 10,
    currency: 'EUR',
    idempotency_key: randomUUID(),
  };
  let id = '';
  await eventually(async () => {
    const { status, headers } = await operator.contribute(instance, contribution);
    id = headers['x-contribution-id'] ?? '';
    return status === 200;
  }, 'a contribution is taken');
  return id;
}

async function booked(): Promise<readonly string[]> {
  const rows = await books.rows("SELECT contribution_id FROM contributions WHERE player = 'booked-player'");
  return rows.map(({ contribution_id }) => String(contribution_id));
}

async function areBooked(made: readonly string[]): Promise<boolean> {
  const all = new Set(await booked());
  return made.every((id) => all.has(id));
}

/** Each question costs a connection, and the machine may be busy. */
async function inTime(isSo: () => Promise<boolean>, what: string): Promise<void> {
  await expect.poll(isSo, { timeout: 240_000, interval: 500, message: what }).toBe(true);
}

test('are kept by a process of usual priority, where they are not to give way', async () => {
  expect(getPriority((await system.processes()).get('reporting'))).toBe(0);
});

test('each contribution is there once, through kill -9 of the role, of nats-server and of the database', async () => {
  const made: string[] = [];
  const contributeSome = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) made.push(await contribute());
  };
  await contributeSome();
  await inTime(() => areBooked(made), 'the first ones');
  const { postgres } = books;
  const kills = [
    () => system.kill('reporting'),
    () => system.kill('nats-server'),
    ...(postgres === null
      ? []
      : [() => postgres.crash(), () => Promise.all([postgres.crash(), system.kill('reporting')])]),
    () => system.kill('reporting'),
  ];
  for (const kill of kills) {
    const load = contributeSome();
    await kill();
    await eventually(async () => (await fetch(`${system.baseUrl}/readyz`)).ok, 'the gateway is ready');
    await load;
    await contributeSome();
  }
  await inTime(() => areBooked(made), 'all of them');
  expect((await booked()).toSorted()).toEqual(made.toSorted());
  // What seeds were fronted before goes back out of the first ones, so their parts differ.
  for (const { split } of await books.rows(
    "SELECT split FROM contributions WHERE player = 'booked-player'",
  )) {
    const parts: Readonly<Record<string, string>> = typeof split === 'string' ? JSON.parse(split) : split;
    const paid = atoms(parts.operator_capital ?? '0');
    expect([paid <= 0n, paid >= atoms('-0.5')]).toEqual([true, true]);
    expect(Object.values(parts).reduce((sum, part) => sum + atoms(part), 0n)).toBe(0n);
  }
}, 600_000);

test('are made anew while the role writes, though the first try was killed, and agree with the lanes', async () => {
  const killed = spawn(process.execPath, ['bin/potstream', 'reporting', 'rebuild'], {
    env: { ...process.env, ...books.environment },
    stdio: 'ignore',
  });
  const isBegun = async () => (await books.isRebuilding()) || killed.exitCode !== null;
  await eventually(isBegun, 'the first try has begun');
  killed.kill('SIGKILL');
  expect(killed.exitCode).toBeNull();
  const before = (await booked()).length;
  const load = contribute();
  await makeAnew();
  const made = [await load, await contribute()];
  await inTime(() => areBooked(made), 'the role goes on in the new ones');
  expect(await booked()).toHaveLength(before + 2);
  await requireAgreement();
}, 600_000);

async function makeAnew(): Promise<void> {
  const { code, stderr } = await potstream(['reporting', 'rebuild'], books.environment);
  expect([code, stderr]).toEqual([0, expect.stringContaining('The books were made anew')]);
}

async function requireAgreement(): Promise<void> {
  const { code, stdout, stderr } = await potstream(['reporting', 'check'], books.environment);
  expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('everything agrees')]);
}

test('have who changed what, and tries of wallets and receivers, without secrets', async () => {
  // Nothing on the second system is called back.
  const tables = ['wallet_tries', 'audit', ...(books.postgres === null ? ['callback_tries'] : [])];
  for (const table of tables)
    await inTime(
      async () => (await books.rows(`SELECT * FROM ${table} LIMIT 1`)).length > 0,
      `${table} has rows`,
    );
  const text = JSON.stringify(await books.rows('SELECT * FROM audit'));
  expect(text).not.toContain(system.credentials.admin.password);
}, 600_000);

/** No test waits for the end of an hour: what happened in this one moves to the one before, and has closed. */
async function closeTheHour(): Promise<void> {
  const hourMs = 3_600_000;
  const postgres = books.postgres !== null;
  const positions = await books.rows('SELECT lane, time FROM positions');
  for (const { lane, time } of positions) {
    const startMs = Math.floor(Number(time) / hourMs) * hourMs;
    const start = postgres ? `'${new Date(startMs).toISOString()}'` : startMs;
    const before = postgres ? "time - interval '1 hour'" : `time - ${hourMs}`;
    for (const table of parquetTables)
      await books.rows(`UPDATE ${table} SET time = ${before} WHERE lane = ${lane} AND time >= ${start}`);
  }
}

/** The role looks for closed hours when it has begun. */
async function filesAreWritten(): Promise<void> {
  await system.kill('reporting');
  await inTime(async () => {
    try {
      await books.withStore((store) => requireEqualTotals(store, books.warehouse, 'all'));
      return true;
    } catch {
      // Some hours are there, or none.
      return false;
    }
  }, 'the files have what the books have');
}

test('write closed hours as files that DuckDB sums to the totals, once and for all', async () => {
  await closeTheHour();
  await filesAreWritten();
  const written = await readdir(books.warehouse, { recursive: true });
  expect(written.filter((path) => path.endsWith('.parquet')).length).toBeGreaterThan(0);
  // From the log, with the times that it has.
  await makeAnew();
  await requireAgreement();
  expect(await readdir(books.warehouse, { recursive: true })).toEqual(written);
}, 600_000);

test('forget a player, and do not learn the id again; files that have it are listed, and written anew without it', async () => {
  const forget = ['--brand', 'demo:direct', '--player', 'booked-player', '--reason', 'asked for it', '--yes'];
  const all = (await booked()).length;
  const { code, stderr } = await potstream(['reporting', 'forget', ...forget], books.environment);
  expect([code, stderr]).toEqual([0, expect.stringContaining('a pseudonym')]);
  await inTime(async () => (await booked()).length === 0, 'nobody has the id');
  const id = await contribute();
  const of = (text: string) => books.rows(`SELECT player FROM contributions WHERE ${text}`);
  await inTime(async () => (await of(`contribution_id = '${id}'`)).length === 1, 'the next one is there');
  expect(await booked()).toEqual([]);
  const [row] = await of(`contribution_id = '${id}'`);
  expect(row?.player).toMatch(/^forgotten-[0-9a-f]{32}$/);
  expect(await of(`player = '${row?.player}'`)).toHaveLength(all + 1);

  const listed = async (...flags: string[]): Promise<readonly string[]> => {
    const list = await potstream(['reporting', 'forgotten-files', ...flags], books.environment);
    expect(list.code, list.stderr).toBe(0);
    return list.stdout.split('\n').filter((line) => line !== '');
  };
  expect((await listed()).some((path) => /\/contributions-.*\.parquet$/.test(path))).toBe(true);
  for (const hour of await listed('--hours')) await rm(join(books.warehouse, hour), { recursive: true });
  await closeTheHour();
  await filesAreWritten();
  expect(await listed()).toEqual([]);
  await makeAnew();
  await requireAgreement();
  expect(await booked()).toEqual([]);
}, 600_000);
