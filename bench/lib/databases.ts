import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './system.ts';

/**
 * A database on a free loopback port, with its data in a temporary directory; it ends with this process at
 * the latest.
 */
export interface RunningDatabase {
  readonly port: number;
  readonly pid: number;
  /** Its data, which go with `stop`. */
  readonly directory: string;
  stop(): Promise<void>;
}

const readyWithinMs = 30_000;
const pollMs = 50;
/** A user and group of every Linux without rights: Postgres does not run as root. */
const unprivileged = 65_534;
/** Ends the program with standard input, and so with the process that holds its other end. */
const untilInputEnds = '"$@" & child=$!; cat > /dev/null; kill -s "$SIGNAL" $child; wait $child';

/**
 * As a careful engineer would set it up for this machine: every commit is on the disk before it is answered.
 */
const postgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '1GB',
  wal_buffers: '16MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  log_checkpoints: 'off',
};

/**
 * Redis syncs before it answers. It does not rewrite its log while it is measured, which takes a core for
 * seconds.
 */
const redisSettings = {
  bind: '127.0.0.1',
  appendonly: 'yes',
  appendfsync: 'always',
  'auto-aof-rewrite-percentage': '0',
  save: '',
};

export interface PostgresOptions {
  /** Directory of initdb and postgres (POTSTREAM_POSTGRES). */
  readonly programs?: string | undefined;
  /** In the place of those for a measurement. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** That of one that was killed: it goes on with these data. */
  readonly directory?: string;
}

/** @throws where it cannot run here */
export async function startPostgres({
  programs = process.env.POTSTREAM_POSTGRES,
  settings: own = {},
  port: wanted,
  directory,
}: PostgresOptions = {}): Promise<RunningDatabase> {
  if (!programs) throw new Error(`There is no Postgres. ${ways}`);
  const user: Start['user'] = process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {};
  const work = directory ?? newCluster(programs, user);
  const port = wanted ?? (await freePort());
  const settings = Object.entries({ ...postgresSettings, ...own }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const data = join(work, 'data');
  const program = [join(programs, 'postgres'), '-D', data, '-p', String(port), ...settings];
  return start(program, { work, port, user, signal: 'INT', isReady: answersQueries });
}

function newCluster(programs: string, user: Start['user']): string {
  const work = mkdtempSync(join(tmpdir(), 'potstream-postgres-'));
  if (user.uid !== undefined) chownSync(work, unprivileged, unprivileged);
  const initdb = [
    '-D',
    join(work, 'data'),
    '-U',
    'potstream',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const options: SpawnSyncOptions = { ...user, cwd: work, encoding: 'utf8' };
  const made = spawnSync(join(programs, 'initdb'), initdb, options);
  if (made.status !== 0) {
    rmSync(work, { recursive: true, force: true });
    const hint =
      user.uid === undefined ? '' : ` As root, it runs as nobody, who must be able to read ${programs}.`;
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}.${hint}`);
  }
  return work;
}

/** @param program redis-server or valkey-server (POTSTREAM_REDIS) */
export async function startRedis(program = process.env.POTSTREAM_REDIS): Promise<RunningDatabase> {
  if (!program) throw new Error(`There is no Redis. ${ways}`);
  const work = mkdtempSync(join(tmpdir(), 'potstream-redis-'));
  const port = await freePort();
  const settings = Object.entries(redisSettings).flatMap(([name, value]) => [`--${name}`, value]);
  const all = [program, '--port', String(port), '--dir', work, ...settings];
  return start(all, { work, port, user: {}, signal: 'TERM', isReady: accepts });
}

const ways =
  'Install postgresql and redis-server, or set POTSTREAM_POSTGRES and POTSTREAM_REDIS to their paths.';

interface Start {
  readonly work: string;
  readonly port: number;
  readonly user: { readonly uid?: number; readonly gid?: number };
  readonly signal: string;
  isReady(port: number): Promise<boolean>;
}

async function start(
  program: readonly string[],
  { work, port, user, signal, isReady }: Start,
): Promise<RunningDatabase> {
  const log = join(work, 'log');
  const output = openSync(log, 'w');
  const child = spawn('/bin/sh', ['-c', untilInputEnds, 'sh', ...program], {
    ...user,
    cwd: work,
    env: { ...process.env, SIGNAL: signal },
    stdio: ['pipe', output, output],
  });
  closeSync(output);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.stdin?.end();
    await ended;
    rmSync(work, { recursive: true, force: true });
  };
  const deadline = performance.now() + readyWithinMs;
  while (!(await isReady(port))) {
    if (performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      continue;
    }
    const text = readFileSync(log, 'utf8');
    await stop();
    throw new Error(`${program[0]} does not listen: ${text}`);
  }
  return { port, pid: child.pid as number, directory: work, stop };
}

/** Postgres accepts connections a moment before it answers on them. */
async function answersQueries(port: number): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'potstream', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}
