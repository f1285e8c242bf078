import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DeployTool, pathOf } from './deploy-tools.ts';
import { freePort } from './free-port.ts';

export const balancerNames = ['nginx', 'haproxy'] as const satisfies readonly DeployTool[];
export type BalancerName = (typeof balancerNames)[number];

const repository = resolve(import.meta.dirname, '../..');
const patienceMs = 60_000;

export interface Balancer {
  readonly port: number;
  /** Leaves a gateway out from now on. */
  readonly takeOut: (gatewayPort: number) => Promise<void>;
  stop(): Promise<void>;
}

/** Runs the example of deploy/ in front of these gateways: only its addresses and directories are replaced. */
export async function startBalancer(name: BalancerName, gatewayPorts: readonly number[]): Promise<Balancer> {
  const directory = mkdtempSync(join(tmpdir(), `potstream-${name}-`));
  const port = await freePort();
  const process = name === 'nginx' ? runNginx : runHaproxy;
  const { child, takeOut, output } = process(directory, port, gatewayPorts);
  await until(() => answers(port), output);
  return {
    port,
    takeOut,
    async stop() {
      const ended = new Promise((end) => child.once('exit', end));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Run {
  readonly child: ChildProcess;
  readonly takeOut: Balancer['takeOut'];
  readonly output: () => string;
}

function runNginx(directory: string, port: number, gateways: readonly number[]): Run {
  const file = join(directory, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(directory, kind)};`)
    .join(' ');
  const write = (out: readonly number[]) =>
    writeFileSync(
      file,
      replaced('nginx.conf', [
        ['pid /run/nginx.pid;', `pid ${join(directory, 'pid')};`],
        ['http {', `http { ${temporary} access_log off;`],
        ['listen 80;', `listen 127.0.0.1:${port};`],
        ...gateways.map(
          (gateway, index) =>
            [
              `server 10.0.0.1${index + 1}:8080`,
              `server 127.0.0.1:${gateway}${out.includes(gateway) ? ' down' : ''}`,
            ] as const,
        ),
      ]),
    );
  write([]);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const run = start('nginx', ['-c', file, '-p', directory, '-e', 'stderr', '-g', `daemon off; ${user}`]);
  return {
    ...run,
    // The way that deploy/nginx.conf names: workers with the old configuration end with what they have under way.
    async takeOut(gateway) {
      const before = childrenOf(run.child.pid!);
      write([gateway]);
      run.child.kill('SIGHUP');
      await until(() => {
        const now = childrenOf(run.child.pid!);
        return now.length > 0 && now.every((pid) => !before.includes(pid));
      }, run.output);
    },
  };
}

function runHaproxy(directory: string, port: number, gateways: readonly number[]): Run {
  const file = join(directory, 'haproxy.cfg');
  const socket = join(directory, 'admin');
  writeFileSync(
    file,
    replaced('haproxy.cfg', [
      ['maxconn 20000', `maxconn 1000\n  stats socket ${socket}`],
      ['bind :80\n', `bind 127.0.0.1:${port}\n`],
      ...gateways.map((gateway, index) => [`10.0.0.1${index + 1}:8080`, `127.0.0.1:${gateway}`] as const),
    ]),
  );
  const run = start('haproxy', ['-f', file, '-db']);
  return {
    ...run,
    // It asks for itself: here the test only sees whether it has noticed.
    async takeOut(gateway) {
      const name = `gateway-${gateways.indexOf(gateway) + 1}`;
      await until(async () => isDown(await say(socket, 'show servers state\n'), name), run.output);
    },
  };
}

/** Columns 4 and 6: the server's name, and its state as checks see it (2: up). */
function isDown(states: string, name: string): boolean {
  const row = states
    .split('\n')
    .map((line) => line.split(' '))
    .find((columns) => columns[3] === name);
  return row !== undefined && row[5] !== '2';
}

/** The example with other addresses; each must be there, once. */
function replaced(example: string, pairs: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(repository, 'deploy', example), 'utf8');
  for (const [from, to] of pairs) {
    if (text.split(from).length !== 2) throw new Error(`deploy/${example} does not have "${from}" once.`);
    text = text.replace(from, () => to);
  }
  return text;
}

function start(name: BalancerName, args: readonly string[]) {
  const child = spawn(pathOf(name), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-20_000);
    });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return { child: child as ChildProcess, output: () => text };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

function say(socketPath: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath, () => socket.write(command));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.once('end', () => resolve(text));
    socket.once('error', reject);
  });
}

async function answers(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return answer?.status === 200;
}

async function until(condition: () => boolean | Promise<boolean>, output: () => string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`It did not happen. The balancer says:\n${output()}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}
