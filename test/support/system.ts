import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';
import { descendantsOf, isAlive, type RunningProcess } from './processes.ts';

export interface SystemOptions {
  /** As after `npm start --`: `--no-traffic`, `--no-demo`. */
  readonly args?: readonly string[];
  /** A directory of an earlier start; it is then left alone in the end. */
  readonly dataDirectory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Another `bin/potstream` than the repository's, which is built already. */
  readonly program?: string;
}

export interface SystemCredentials {
  readonly base_url: string;
  readonly ops_url: string;
  readonly admin: { readonly username: string; readonly password: string };
  readonly service: { readonly username: string; readonly password: string };
  readonly operator_id: string;
  readonly brand_id: string;
  readonly wallet_url: string | null;
  readonly players: readonly {
    readonly player_id: string;
    readonly token: string;
    readonly currency: string;
  }[];
}

export interface RunningSystem {
  readonly baseUrl: string;
  readonly dataDirectory: string;
  readonly credentials: SystemCredentials;
  /** What the system has printed so far. */
  output(): string;
  /** Process ids by role (`gateway`, `actors`, `fanout`, `demo`, `nats-server`, …) as they are now. */
  processes(): Promise<Map<string, number>>;
  /** SIGKILL, by default, and waits until another process has taken the role. */
  kill(role: string, signal?: NodeJS.Signals): Promise<void>;
  /** Resolves when every process works: /readyz answers 200 at the gateway and at the operations port. */
  ready(): Promise<void>;
  /** SIGKILL of every process at once, as when the machine loses power; the data stay. */
  killAll(): Promise<void>;
  /** SIGTERM; resolves with the exit code, and removes the data unless it was given. */
  stop(): Promise<number | null>;
}

const startLimitMs = 180_000;
const stopLimitMs = 90_000;
const restartLimitMs = 90_000;
const askLimitMs = 10_000;
/** A question costs: it makes `up` ask each of its children. */
const pollMs = 250;
const keptOutput = 200_000;
const repository = resolve(import.meta.dirname, '../..');

/** Starts the whole system as a user would: `npm start`, on a free port and with data of its own. */
export async function startSystem(options: SystemOptions = {}): Promise<RunningSystem> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'potstream-system-')));
  const port = await freePort();
  const start =
    options.program === undefined ? ['scripts/start.mjs'] : [options.program, 'up', '--development'];
  const child = spawn(process.execPath, [...start, ...(options.args ?? [])], {
    cwd: repository,
    env: {
      ...process.env,
      POTSTREAM_REPORTING: 'off',
      // Tests take the whole machine.
      POTSTREAM_REPORTING_GIVES_WAY_SECONDS: '0',
      ...options.environment,
      POTSTREAM_DATA: dataDirectory,
      POTSTREAM_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = collect(child);
  const end = () => killGroup(child);
  process.once('exit', end);

  const discard = async () => {
    process.off('exit', end);
    const left = child.pid === undefined ? [] : await descendantsOf(child.pid);
    for (const { pid } of left) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    killGroup(child);
    if (options.dataDirectory === undefined) await removeDirectory(dataDirectory);
  };
  try {
    const credentials = await waitForStart(child, dataDirectory, output);
    const forget = () => process.off('exit', end);
    return running(child, { credentials, dataDirectory, output, forget, discard });
  } catch (error) {
    await discard();
    throw error;
  }
}

interface Started {
  readonly credentials: SystemCredentials;
  readonly dataDirectory: string;
  readonly output: () => string;
  /** Nothing is left that the end of this process would have to end. */
  readonly forget: () => void;
  readonly discard: () => Promise<void>;
}

function running(child: ChildProcess, started: Started): RunningSystem {
  const { credentials, dataDirectory, output, forget, discard } = started;
  const tellEnd = () => console.error(`The system ended, though nobody had asked it to:\n${output()}`);
  child.once('exit', tellEnd);
  const processes = async () => rolesOf(await descendantsOf(child.pid as number));
  const ready = () => poll(startLimitMs, () => isReady(credentials), 'the system is not ready again', output);
  return {
    baseUrl: credentials.base_url,
    dataDirectory,
    credentials,
    output,
    processes,
    ready,
    async kill(role, signal = 'SIGKILL') {
      const pid = (await processes()).get(role);
      if (pid === undefined) throw new Error(`No process has the role ${role}.`);
      process.kill(pid, signal);
      const replaced = async () => {
        const now = (await processes()).get(role);
        return now !== undefined && now !== pid;
      };
      await poll(restartLimitMs, replaced, `${role} was not started again`, output);
    },
    async killAll() {
      child.off('exit', tellEnd);
      const exited = exitOf(child);
      const all = await descendantsOf(child.pid as number);
      child.kill('SIGKILL');
      for (const { pid } of all) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      killGroup(child);
      await exited;
      forget();
    },
    async stop() {
      child.off('exit', tellEnd);
      const exited = exitOf(child);
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const code = await Promise.race([exited, pause(stopLimitMs).then(() => null)]);
      await discard();
      return code;
    },
  };
}

async function waitForStart(
  child: ChildProcess,
  dataDirectory: string,
  output: () => string,
): Promise<SystemCredentials> {
  let credentials: SystemCredentials | null = null;
  const started = async () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The system ended while it started:\n${output()}`);
    credentials = await readCredentials(dataDirectory);
    return credentials !== null && (await isReady(credentials));
  };
  await poll(startLimitMs, started, 'the system did not become ready', output);
  return (await readCredentials(dataDirectory)) ?? (credentials as never);
}

async function readCredentials(dataDirectory: string): Promise<SystemCredentials | null> {
  try {
    return JSON.parse(await readFile(join(dataDirectory, 'credentials.json'), 'utf8'));
  } catch {
    return null;
  }
}

async function isReady({ base_url, ops_url }: SystemCredentials): Promise<boolean> {
  const statuses = await Promise.all([base_url, ops_url].map(readiness));
  return statuses.every((status) => status === 200);
}

/** Null: no answer. */
async function readiness(url: string): Promise<number | null> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(askLimitMs) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}

function rolesOf(processes: readonly RunningProcess[]): Map<string, number> {
  const roles = new Map<string, number>();
  for (const { pid, command } of processes) {
    const role = /nats-server/.test(command[0] ?? '')
      ? 'nats-server'
      : /potstream ([a-z-]+)$/.exec(command.join(' '))?.[1];
    if (role !== undefined) roles.set(role, pid);
  }
  return roles;
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-keptOutput);
    });
  }
  return () => text;
}

async function poll(
  limitMs: number,
  done: () => Promise<boolean>,
  problem: string,
  output: () => string,
): Promise<void> {
  const endsAt = performance.now() + limitMs;
  while (!(await done())) {
    if (performance.now() > endsAt) throw new Error(`After ${limitMs} ms ${problem}:\n${output()}`);
    await pause(pollMs);
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((done) => child.once('exit', (code) => done(code)));
}

/** The system was started as a process group of its own, so that nothing of it outlives the test. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || !isAlive(-child.pid)) return;
  process.kill(-child.pid, 'SIGKILL');
}

async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
