import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { type RunningDatabase, startPostgres } from '../../bench/lib/databases.ts';
import { freePort } from './free-port.ts';
import { descendantsOf, isAlive, type RunningProcess } from './processes.ts';

/** A PostgreSQL server for the tests of one file. */
export interface TestPostgres extends Pick<RunningDatabase, 'stop'> {
  /** The URL of a new, empty database. */
  database(): Promise<string>;
  /** Where its data are. */
  directory(): string;
  /** SIGKILL of all its processes; resolves when it answers again, with the data that it had. */
  crash(): Promise<void>;
}

/** Small, and without waiting for the disk. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  wal_buffers: '1MB',
  max_wal_size: '256MB',
  max_connections: '40',
};

const fetched = resolve(import.meta.dirname, '../../.potstream/databases/postgresql/bin');
const packaged = '/usr/lib/postgresql';

/** Where `npm test` has found it, else the newest of the distribution, else the copy that was fetched before. */
function programs(): string | undefined {
  if (process.env.POTSTREAM_POSTGRES) return process.env.POTSTREAM_POSTGRES;
  const versions = existsSync(packaged) ? readdirSync(packaged).map(Number) : [];
  const newest = versions.sort((one, other) => other - one).map((each) => join(packaged, `${each}/bin`));
  return [...newest, fetched].find((directory) => existsSync(join(directory, 'initdb')));
}

/** Without PostgreSQL its tests are skipped, and say so; in CI they fail. */
export function isPostgresMissing(): boolean {
  const isMissing = programs() === undefined && !process.env.CI;
  if (isMissing) console.warn('The tests with PostgreSQL are skipped: npm test fetches it.');
  return isMissing;
}

export async function startTestPostgres(): Promise<TestPostgres> {
  const options = { programs: programs(), settings, port: await freePort() };
  let server = await startPostgres(options);
  const url = (database: string) => `postgres://potstream@127.0.0.1:${options.port}/${database}`;
  let databases = 0;
  return {
    stop: () => server.stop(),
    directory: () => server.directory,
    async database() {
      databases += 1;
      const client = new pg.Client(url('postgres'));
      await client.connect();
      await client.query(`CREATE DATABASE books_${databases}`);
      await client.end();
      return url(`books_${databases}`);
    },
    async crash() {
      const all = await descendantsOf(server.pid);
      const isServer = ({ command }: RunningProcess) => command[0]?.includes('postgres') === true;
      for (const { pid } of all.filter(isServer)) process.kill(pid, 'SIGKILL');
      // Its shell takes note of the end: until then its lock file would be somebody's.
      const postmaster = all.find((each) => isServer(each) && each.parent === server.pid)!;
      while (isAlive(postmaster.pid)) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { pid } of all) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      server = await startPostgres({ ...options, directory: server.directory });
    },
  };
}
