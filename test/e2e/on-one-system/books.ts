import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeAll, expect, test } from 'vitest';
import { potstream } from '../../cli/support/command.ts';
import { atoms } from '../../jackpot/support/commands.ts';
import { eventually } from '../../outbox/support/receiver.ts';
import { oneSystem } from '../../support/one-system.ts';
import { OperatorClient } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** The books of a whole running system: what was answered is in the database once, whatever dies. */
let system: RunningSystem;
let operator: OperatorClient;
let instance: string;

beforeAll(async () => {
  system = await oneSystem();
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
}, 240_000);

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

/** The rows of a SELECT in the database of the running role. */
function rowsOf(text: string): readonly Record<string, unknown>[] {
  const directory = join(system.dataDirectory, 'reporting');
  const database = new Database(join(directory, readFileSync(join(directory, 'current'), 'utf8')), {
    readonly: true,
    // A writer that was killed leaves a file that the next one recovers.
    timeout: 10_000,
  });
  try {
    return database.prepare(text).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

function booked(): readonly string[] {
  return rowsOf("SELECT contribution_id FROM contributions WHERE player = 'booked-player'").map(
    ({ contribution_id }) => String(contribution_id),
  );
}

test('each contribution is there once, through kill -9 of the role and of nats-server', async () => {
  const made: string[] = [];
  const contributeSome = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) made.push(await contribute());
  };
  await contributeSome();
  await eventually(() => made.every((id) => booked().includes(id)), 'the first ones');
  for (const role of ['reporting', 'nats-server', 'reporting']) {
    await contributeSome();
    await system.kill(role);
    await eventually(async () => (await fetch(`${system.baseUrl}/readyz`)).ok, 'the gateway is ready');
    await contributeSome();
  }
  await eventually(() => made.every((id) => booked().includes(id)), 'all of them');
  const all = booked();
  expect(all.toSorted()).toEqual(made.toSorted());
  // What seeds were fronted before goes back out of the first ones, so their parts differ.
  for (const { split } of rowsOf("SELECT split FROM contributions WHERE player = 'booked-player'")) {
    const parts: Readonly<Record<string, string>> = JSON.parse(String(split));
    const paid = atoms(parts.operator_capital ?? '0');
    expect([paid <= 0n, paid >= atoms('-0.5')]).toEqual([true, true]);
    expect(Object.values(parts).reduce((sum, part) => sum + atoms(part), 0n)).toBe(0n);
  }
}, 300_000);

test('are made anew while the role writes, though the first try was killed, and agree with the lanes', async () => {
  const environment = { POTSTREAM_DATA: system.dataDirectory };
  const killed = spawn(process.execPath, ['bin/potstream', 'reporting', 'rebuild'], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  const directory = join(system.dataDirectory, 'reporting');
  const isBegun = () => readdirSync(directory).includes('books-2.db') || killed.exitCode !== null;
  await eventually(isBegun, 'the first try has begun');
  killed.kill('SIGKILL');
  expect(killed.exitCode).toBeNull();
  const before = booked().length;
  const load = contribute();
  const { code, stderr } = await potstream(['reporting', 'rebuild'], environment);
  expect([code, stderr]).toEqual([0, expect.stringContaining('The books were made anew')]);
  const made = [await load, await contribute()];
  await eventually(() => made.every((id) => booked().includes(id)), 'the role goes on in the new ones');
  expect(booked()).toHaveLength(before + 2);
  const checked = await potstream(['reporting', 'check'], environment);
  expect([checked.code, checked.stdout]).toEqual([0, '']);
  expect(checked.stderr).toContain('everything agrees');
}, 300_000);

test('have who changed what, and tries of wallets and receivers, without secrets', async () => {
  for (const table of ['wallet_tries', 'callback_tries', 'audit'])
    await eventually(() => rowsOf(`SELECT * FROM ${table} LIMIT 1`).length > 0, `${table} has rows`);
  const text = JSON.stringify(rowsOf('SELECT * FROM audit'));
  expect(text).not.toContain(system.credentials.admin.password);
}, 120_000);

test('forget a player, and do not learn the id again', async () => {
  const forget = ['--brand', 'demo:direct', '--player', 'booked-player', '--reason', 'asked for it', '--yes'];
  const environment = { POTSTREAM_DATA: system.dataDirectory };
  const all = booked().length;
  const { code, stderr } = await potstream(['reporting', 'forget', ...forget], environment);
  expect([code, stderr]).toEqual([0, expect.stringContaining('a pseudonym')]);
  await eventually(() => booked().length === 0, 'nobody has the id');
  const id = await contribute();
  const of = (text: string) => rowsOf(`SELECT player FROM contributions WHERE ${text}`);
  await eventually(() => of(`contribution_id = '${id}'`).length === 1, 'the next one is there');
  expect(booked()).toEqual([]);
  const [row] = of(`contribution_id = '${id}'`);
  expect(row?.player).toMatch(/^forgotten-[0-9a-f]{32}$/);
  expect(of(`player = '${row?.player}'`)).toHaveLength(all + 1);
  expect((await potstream(['reporting', 'check'], environment)).code).toBe(0);
}, 120_000);
