import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemId as systemIdOf } from '../../../src/log/system/system-id.ts';
import { type BooksPlace, openStore } from '../../../src/reporting/store/open.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { ActorWorld } from '../../actors/actor-world.ts';
import { saw, scaled } from '../../jackpot/checks/scale.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { dumpOf } from '../support/dump.ts';
import { onEachDatabase } from '../support/places.ts';

/**
 * `potstream reporting rebuild`, ended by SIGKILL: while it writes, in each step of the swap, and with its database. The books in use are
 * whole afterwards, the old ones or the new ones, and the next attempt makes the same bytes of every table.
 */
const contributions = scaled(2_000, 100_000);
const ofOneMessage = 500;
const killsWhileWriting = 4;
const repository = resolve(import.meta.dirname, '../../..');

/** Kills the process that loads it before it first calls a function of node:fs with a file of the books. */
const killing = (name: string) =>
  `data:text/javascript,${encodeURIComponent(`
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
for (const of of [fs, fs.promises]) {
  const real = of.${name};
  if (real !== undefined) of.${name} = (path, ...more) => {
    if (String(path).includes('/reporting/')) process.kill(process.pid, 'SIGKILL');
    return real(path, ...more);
  };
}
syncBuiltinESMExports();`)}`;

onEachDatabase((books) => {
  let world: ActorWorld;
  let system: string;
  let expected: string;

  beforeAll(async () => {
    world = await ActorWorld.open();
    await world.owned(await world.startHost('host'));
    for (let version = 2; version <= 4; version += 1)
      await world.reply(await world.send([{ kind: 'UpgradeTo', version }]));
    const often = { HitRate: { max_magic_number: 50, cost_per_attempt: '3' } };
    await world.activeInstance('jackpot', onePot({ pot_types: [often] }));
    for (let made = 0; made < contributions; made += ofOneMessage) {
      const some = Array.from({ length: ofOneMessage }, (_, index) => {
        const contributionId = new Uint8Array(16);
        new DataView(contributionId.buffer).setUint32(0, made + index + 1);
        return contribution({ contributionId, player: `p${index % 97}` });
      });
      await world.reply(await world.send(some));
    }
    await world.outcomesStored();
    system = await systemIdOf(await world.log.table('PLACEMENT'));
    const place = await books.place();
    await rebuilt(place);
    expected = await hashOf(place);
  });
  afterAll(() => world.close());

  function start(place: BooksPlace, preload: string | null = null) {
    return spawn(process.execPath, ['bin/potstream', 'reporting', 'rebuild'], {
      cwd: repository,
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, ...world.reachInEnvironment() },
        ...('url' in place
          ? { POTSTREAM_DATA: world.dataDirectory, POTSTREAM_REPORTING_URL: place.url }
          : { POTSTREAM_DATA: join(place.directory, '..') }),
        ...(preload === null ? {} : { NODE_OPTIONS: `--import ${preload}` }),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  async function ended(child: ReturnType<typeof start>): Promise<string> {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return new Promise((done) => child.once('close', (code, signal) => done(signal ?? `${code}: ${said}`)));
  }

  async function rebuilt(place: BooksPlace): Promise<void> {
    expect(await ended(start(place))).toMatch(/^0: /);
  }

  async function withStore<T>(place: BooksPlace, work: (store: BooksStore) => Promise<T>): Promise<T> {
    const store = await openStore(place, system);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** Of every row of every table. The host may have written a message since, which brings no rows. */
  function hashOf(place: BooksPlace): Promise<string> {
    return withStore(place, async (store) => {
      const dump = await dumpOf(store);
      expect(dump.contributions).toHaveLength(contributions);
      const text = JSON.stringify({ ...dump, positions: [], stream_positions: [] });
      return createHash('sha256').update(text).digest('hex');
    });
  }

  /** Books that are known from those that are made of the log. */
  async function oldBooks(): Promise<{ readonly place: BooksPlace; readonly old: string }> {
    const place = await books.place();
    await rebuilt(place);
    if ('url' in place) {
      const client = new pg.Client(place.url);
      await client.connect();
      await client.query("UPDATE reporting.instances SET name = 'old'");
      await client.end();
    } else {
      const database = new Database(join(place.directory, 'books-1.db'));
      database.exec("UPDATE instances SET name = 'old'");
      database.close();
    }
    const old = await hashOf(place);
    expect(old).not.toBe(expected);
    return { place, old };
  }

  /** Nothing but the new books is left. */
  async function madeAnew(place: BooksPlace): Promise<void> {
    await rebuilt(place);
    expect(await hashOf(place)).toBe(expected);
    if ('url' in place) {
      const left = await withStore(place, (store) =>
        store.select("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'reporting%'", []),
      );
      expect(left).toEqual([{ nspname: 'reporting' }]);
    } else {
      const names = readdirSync(place.directory).filter((name) => !/-(wal|shm)$/.test(name));
      expect(names.map((name) => name.replace(/\d+/, 'N')).sort()).toEqual(['books-N.db', 'current']);
    }
  }

  test('killed while it writes, it leaves the old books as they were', async () => {
    const { place, old } = await oldBooks();
    const beganMs = performance.now();
    await rebuilt(await books.place());
    const tookMs = performance.now() - beganMs;
    let killed = 0;
    for (let kill = 1; kill <= killsWhileWriting; kill += 1) {
      const child = start(place);
      const end = ended(child);
      await pause((tookMs * kill) / (killsWhileWriting + 1));
      child.kill('SIGKILL');
      if ((await end) === 'SIGKILL') killed += 1;
      expect([old, expected]).toContain(await hashOf(place));
    }
    expect(killed).toBeGreaterThan(1);
    await madeAnew(place);
    saw('killed rebuilds', { contributions, 'kills while writing': killed });
  });

  if (books.dialect === 'libsql')
    test.each([
      { call: 'rename', is: 'old' },
      { call: 'rmSync', is: 'new' },
    ])('killed in the swap before $call, it leaves the $is ones', async ({ call, is }) => {
      const { place, old } = await oldBooks();
      expect(await ended(start(place, killing(call)))).toBe('SIGKILL');
      expect(await hashOf(place)).toBe(is === 'old' ? old : expected);
      await madeAnew(place);
    });
  else {
    /** The swap stops where the test has the table locked. */
    const stops = {
      'before the names change': {
        lock: 'LOCK TABLE reporting.positions IN ROW SHARE MODE',
        waits: 'LOCK TABLE "reporting"."positions"',
        is: 'old',
      },
      'before the former ones go': {
        lock: 'SELECT 1 FROM reporting.instances',
        waits: 'DROP SCHEMA IF EXISTS reporting_former',
        is: 'new',
      },
    } as const;

    for (const [where, { lock, waits, is }] of Object.entries(stops))
      test.each(['the process', 'the database'] as const)(
        `killed in the swap ${where}: %s`,
        async (victim) => {
          const { place, old } = await oldBooks();
          const url = (place as { readonly url: string }).url;
          const holder = new pg.Client(url);
          holder.on('error', () => {});
          await holder.connect();
          await holder.query('BEGIN');
          await holder.query(lock);
          const child = start(place);
          const end = ended(child);
          const observer = new pg.Pool({ connectionString: url });
          observer.on('error', () => {});
          const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '${waits}%'`;
          while ((await observer.query(waiting)).rowCount === 0) await pause(20);
          if (victim === 'the database') await books.server().crash();
          else child.kill('SIGKILL');
          const how = await end;
          if (victim === 'the process') expect(how).toBe('SIGKILL');
          else expect(how).toMatch(is === 'old' ? /^1: / : /^[01]: /);
          await holder.end().catch(() => {});
          await observer.end().catch(() => {});
          expect(await hashOf(place)).toBe(is === 'old' ? old : expected);
          await madeAnew(place);
        },
      );
  }
});
