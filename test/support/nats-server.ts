import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type NatsRole, natsRoles } from '../../src/log/roles/permissions.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { renderEmbeddedConfiguration } from '../../src/supervisor/nats-server/configuration.ts';
import { findNatsServer } from '../../src/supervisor/nats-server/find.ts';
import { waitUntilStarted } from '../../src/supervisor/nats-server/monitor.ts';
import { embeddedUsers } from '../../src/supervisor/nats-server/users.ts';
import { freePort } from './free-port.ts';
import { directories, running } from './leftovers.ts';
import { isStopped } from './processes.ts';

const healthyWithinMs = 60_000;
const portAttempts = 5;

export type TestNatsServer = {
  readonly url: string;
  readonly monitorUrl: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** JetStream's files. */
  readonly storeDirectory: string;
  /** The server's process now; another after a restart. */
  readonly pid: number;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  shutDown(): Promise<void>;
  /** Starts it again on the same port and data, after kill or shutDown. */
  restart(): Promise<void>;
  /** SIGSTOP, and waits until no thread of it runs any more. */
  pause(): Promise<void>;
  resume(): void;
  /** Replaces a text of its configuration and has the server read it again, without a restart. */
  reconfigure(before: string, after: string): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
};

export type TestNatsServerOptions = {
  /** More lines for the configuration. */
  readonly configuration?: string;
  /** The template's answer is `always`; a test of the check may want another, for instance `2m`. */
  readonly syncInterval?: string;
  /** Of the system whose roles are users here; 2 unless it is named. */
  readonly lanes?: number;
};

/** Who may do everything; a role's password is its name. */
const everything = { user: 'potstream', password: 'test-password', permissions: null };
const rolePasswords = Object.fromEntries(natsRoles.map((role) => [role, role])) as Record<NatsRole, string>;

let found: Promise<string> | undefined;

/** The nats-server that `npm start` would use. */
export function natsServerPath(): Promise<string> {
  found ??= findNatsServer({
    namedPath: process.env.POTSTREAM_NATS_SERVER || null,
    searchPath: process.env.PATH ?? '',
    privatePath: join(packageRoot, '.potstream/bin/nats-server'),
    print: (line) => console.error(line),
  }).then((server) => server.path);
  return found;
}

/** A real server of this test's own, on a free port of loopback: JetStream, every message synced. */
export async function startNatsServer(options: TestNatsServerOptions = {}): Promise<TestNatsServer> {
  for (let attempt = 1; ; attempt += 1) {
    const started = await tryToStart(options);
    if (started !== null) return started;
    // Between finding a free port and the server listening on it another test may have taken it.
    if (attempt === portAttempts) throw new Error('nats-server did not start.');
  }
}

async function tryToStart(options: TestNatsServerOptions): Promise<TestNatsServer | null> {
  const directory = await mkdtemp(join(tmpdir(), 'potstream-test-nats-'));
  const [port, monitorPort] = [await freePort(), await freePort()];
  const values = {
    serverName: 'test',
    port,
    monitorPort,
    storeDirectory: join(directory, 'store'),
    pidFile: join(directory, 'nats.pid'),
    users: [everything, ...embeddedUsers(rolePasswords, options.lanes ?? 2)],
  };
  const rendered = await renderEmbeddedConfiguration(values);
  const synced = rendered.replace(
    'sync_interval: always',
    `sync_interval: ${options.syncInterval ?? 'always'}`,
  );
  const configurationFile = join(directory, 'nats.conf');
  await writeFile(configurationFile, `${synced}\n${options.configuration ?? ''}\n`);
  const path = await natsServerPath();
  const monitorUrl = `http://127.0.0.1:${monitorPort}`;
  let child: ChildProcess;

  const start = async (): Promise<boolean> => {
    const starting = spawn(path, ['-c', configurationFile], { stdio: 'ignore' });
    child = starting;
    running.add(starting);
    const ended = new AbortController();
    starting.once('exit', () => {
      running.delete(starting);
      ended.abort();
    });
    return waitUntilStarted(monitorUrl, { timeoutMs: healthyWithinMs, signal: ended.signal });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const removeFiles = () => rm(directory, { recursive: true, force: true, maxRetries: 3 });
  directories.add(directory);

  if (!(await start())) {
    await end('SIGKILL');
    await removeFiles();
    return null;
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    monitorUrl,
    port,
    user: everything.user,
    password: everything.password,
    storeDirectory: values.storeDirectory,
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => end('SIGKILL'),
    shutDown: () => end('SIGTERM'),
    async restart() {
      await end('SIGKILL');
      if (!(await start())) throw new Error('nats-server did not start again.');
    },
    async pause() {
      child.kill('SIGSTOP');
      while (!(await isStopped(child.pid ?? 0))) await delay(5);
    },
    resume: () => void child.kill('SIGCONT'),
    async reconfigure(before, after) {
      const text = await readFile(configurationFile, 'utf8');
      if (!text.includes(before)) throw new Error(`The configuration has no ${before}.`);
      await writeFile(configurationFile, text.replace(before, after));
      child.kill('SIGHUP');
    },
    async stop() {
      await end('SIGKILL');
      await removeFiles();
      directories.delete(directory);
    },
  };
}
