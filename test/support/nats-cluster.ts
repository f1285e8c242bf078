import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeRoleKeys } from '../../src/cli/nats/keys.ts';
import type { NatsRole } from '../../src/log/roles/permissions.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { waitUntilStarted } from '../../src/supervisor/nats-server/monitor.ts';
import { freePort } from './free-port.ts';
import { directories, running } from './leftovers.ts';
import { natsServerPath } from './nats-server.ts';
import { sameStreams } from './same-streams.ts';

const healthyWithinMs = 60_000;
const zones = ['a', 'b', 'c'];

export type TestNatsCluster = {
  readonly urls: readonly string[];
  readonly user: string;
  readonly password: string;
  /** The seed of a role's nkey. */
  seedFile(role: NatsRole): string;
  /** The authority of the servers' certificates. */
  readonly caFile: string;
  /** Where servers of the cluster find each other, without a user. */
  readonly routes: readonly string[];
  /** Waits until all of them have stored the same: what is acknowledged is with two of them. */
  agree(): Promise<void>;
  /** kill -9 of one of them. */
  killServer(index: number): Promise<void>;
  /** SIGSTOP of one of them: the others lose it without being told. */
  freezeServer(index: number): void;
  /** kill -9 of all three at once: power loss. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Ends them and removes their files. */
  stop(): Promise<void>;
};

/** For names of loopback; the key of their authority is gone. */
export const tlsFile = (name: string): string => resolve(import.meta.dirname, 'tls', name);

/**
 * Three real servers on loopback with the very files that production starts from, each in a zone of its own. Unless they are `asShipped`,
 * one user more may do everything, and clients connect without TLS: for tests that are about something else.
 */
export async function startNatsCluster({ asShipped = false } = {}): Promise<TestNatsCluster> {
  const path = await natsServerPath();
  const directory = await mkdtemp(join(tmpdir(), 'potstream-test-cluster-'));
  const ports: number[] = [];
  while (ports.length < zones.length * 3) ports.push(await freePort());
  const portOf = (kind: number, index: number): number => ports[kind * zones.length + index] as number;
  const routes = zones.map((_, index) => `127.0.0.1:${portOf(2, index)}`);
  const configurationFile = await copyConfiguration(directory, asShipped, routes);
  const seeds = join(directory, 'seeds');
  const roleKeys = Object.fromEntries(
    makeRoleKeys(seeds).map((line) => line.split('=', 2) as [string, string]),
  );
  const children = new Map<number, ChildProcess>();

  const startOne = async (index: number): Promise<void> => {
    const zone = zones[index] as string;
    const child = spawn(path, ['-c', configurationFile], {
      stdio: 'ignore',
      env: {
        ...process.env,
        POTSTREAM_NATS_NAME: `potstream-${zone}`,
        POTSTREAM_NATS_ZONE: `az:${zone}`,
        POTSTREAM_NATS_LISTEN: `127.0.0.1:${portOf(0, index)}`,
        POTSTREAM_NATS_MONITOR: `127.0.0.1:${portOf(1, index)}`,
        POTSTREAM_NATS_ROUTES_LISTEN: `127.0.0.1:${portOf(2, index)}`,
        POTSTREAM_NATS_STORE: join(directory, zone),
        POTSTREAM_NATS_PID_FILE: join(directory, `${zone}.pid`),
        POTSTREAM_NATS_TLS_CERT: tlsFile('server.pem'),
        POTSTREAM_NATS_TLS_KEY: tlsFile('server.key'),
        POTSTREAM_NATS_TLS_CA: tlsFile('ca.pem'),
        ...roleKeys,
      },
    });
    children.set(index, child);
    running.add(child);
    const ended = new AbortController();
    child.once('exit', () => {
      running.delete(child);
      ended.abort();
    });
    const monitorUrl = `http://127.0.0.1:${portOf(1, index)}`;
    const healthy = await waitUntilStarted(monitorUrl, { timeoutMs: healthyWithinMs, signal: ended.signal });
    if (!healthy) throw new Error(`Server ${zone} of the cluster did not start.`);
  };
  const start = (): Promise<unknown> => Promise.all(zones.map((_, index) => startOne(index)));
  const killServer = async (index: number): Promise<void> => {
    const child = children.get(index) as ChildProcess;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const kill = async (): Promise<void> => {
    await Promise.all([...children.keys()].map(killServer));
  };
  directories.add(directory);
  await start();
  return {
    urls: zones.map((_, index) => `nats://127.0.0.1:${portOf(0, index)}`),
    user: 'potstream',
    password: 'test-password',
    caFile: tlsFile('ca.pem'),
    seedFile: (role) => join(seeds, `${role}.nk`),
    agree: () => sameStreams(zones.map((_, index) => `http://127.0.0.1:${portOf(1, index)}`)),
    routes,
    killServer,
    freezeServer: (index) => void children.get(index)?.kill('SIGSTOP'),
    kill,
    async restart() {
      await start();
    },
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
      directories.delete(directory);
    },
  };
}

async function copyConfiguration(
  directory: string,
  asShipped: boolean,
  routes: readonly string[],
): Promise<string> {
  const read = (name: string) => readFile(join(packageRoot, 'deploy/nats', name), 'utf8');
  const shipped = await read('nats.conf');
  const configurationFile = join(directory, 'nats.conf');
  await writeFile(configurationFile, asShipped ? shipped : forOtherTests(shipped));
  await writeFile(join(directory, 'nats-roles.conf'), await read('nats-roles.conf'));
  await writeFile(join(directory, 'nats-routes.conf'), routesConfiguration(routes));
  return configurationFile;
}

/** As an operator makes it. */
export function routesConfiguration(servers: readonly string[]): string {
  return execFileSync(join(packageRoot, 'deploy/nats-routes.sh'), servers, { encoding: 'utf8' });
}

function forOtherTests(shipped: string): string {
  const users = /^ {2}users: \[\n/m;
  const tlsOfClients = /^tls \{\n[^}]*\}\n/m;
  if (!users.test(shipped) || !tlsOfClients.test(shipped))
    throw new Error('deploy/nats/nats.conf has no list of users, or no TLS.');
  return shipped
    .replace(users, '$&    { user: "potstream", password: "test-password" }\n')
    .replace(tlsOfClients, '');
}
