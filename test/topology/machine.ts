import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Container, Deployment } from './container.ts';

const repository = resolve(import.meta.dirname, '../..');
/** The network of containers; the test is at its first address. */
const network = '10.20';
const callersAddress = `${network}.0.1`;
/** Public: roles call no others. */
const operatorAddresses = ['11.0.0.2', '11.0.0.3'] as const;
const stopWithinMs = 60_000;
const readyWithinMs = 120_000;
const restartAfterMs = 500;
const maxRestarts = 60;

/** A connection that a process has, or had not closed for long. */
export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/**
 * Runs containers as processes, each in a network namespace of its own, on one bridge, and in a root of its own with the machine's
 * programs and the files that it mounts. This process must be in namespaces of its own already (see namespaces.ts), so that nothing is
 * left when it ends.
 */
export class Machine {
  readonly operator = operatorAddresses;
  readonly #directory: string;
  readonly #deployment: Deployment;
  readonly #natsServer: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #addresses = new Map<string, string>();
  readonly #running = new Map<string, ChildProcess>();
  /** Those that nobody has stopped. */
  readonly #wanted = new Set<string>();
  readonly #restarts = new Map<string, number>();
  #commands = 0;

  /** `environment`: of every container, instead of its own. */
  constructor(
    directory: string,
    deployment: Deployment,
    natsServer: string,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#directory = directory;
    this.#deployment = deployment;
    this.#natsServer = natsServer;
    this.#environment = environment;
    mkdirSync(this.logs, { recursive: true });
    ip('link set lo up');
    ip('link add bridge0 type bridge');
    ip('link set bridge0 up');
    ip(`addr add ${callersAddress}/16 dev bridge0`);
    for (const address of operatorAddresses) ip(`addr add ${address}/32 dev bridge0`);
    for (const { name } of deployment.containers) this.#connect(name);
  }

  get logs(): string {
    return join(this.#directory, 'logs');
  }

  address(name: string): string {
    const address = this.#addresses.get(name);
    if (address === undefined) throw new Error(`There is no container ${name}.`);
    return address;
  }

  logOf(name: string): string {
    return readFileSync(join(this.logs, `${name}.log`), 'utf8');
  }

  /** All containers at once; resolves when each is ready. */
  async start(): Promise<void> {
    for (const container of this.#deployment.containers) this.startOne(container.name);
    await Promise.all(this.#deployment.containers.map(({ name }) => this.ready(name)));
  }

  /** One that ends by itself is started again, as container engines do. */
  startOne(name: string): void {
    const container = this.#deployment.containers.find((each) => each.name === name) as Container;
    const child = this.#spawn(container);
    this.#running.set(name, child);
    this.#wanted.add(name);
    child.once('exit', () => {
      const restarts = (this.#restarts.get(name) ?? 0) + 1;
      if (!this.#wanted.has(name) || restarts > maxRestarts) return;
      this.#restarts.set(name, restarts);
      setTimeout(() => this.#wanted.has(name) && this.startOne(name), restartAfterMs);
    });
  }

  async ready(name: string): Promise<void> {
    const { readiness } = this.#deployment.containers.find((each) => each.name === name) as Container;
    const url = `http://${this.address(name)}:${readiness.port}${readiness.path}`;
    const deadline = performance.now() + readyWithinMs;
    for (;;) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch((error: Error) => error);
      if (answer instanceof Response && answer.status === 200) return;
      const said = answer instanceof Error ? answer.message : await answer.text();
      if (performance.now() > deadline)
        throw new Error(`${name} is not ready: ${said}\n${this.logOf(name).slice(-4_000)}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /** Ends a container; resolves with its exit code, or the signal's name. */
  async stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    const child = this.#running.get(name) as ChildProcess;
    this.#wanted.delete(name);
    if (child.exitCode !== null || child.signalCode !== null)
      return child.exitCode ?? (child.signalCode as string);
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    const [code, by] = await ended;
    clearTimeout(timer);
    return code ?? (by as string);
  }

  async stopAll(): Promise<ReadonlyMap<string, number | string>> {
    const codes = new Map<string, number | string>();
    const programs = ['potstream', 'nats-server'] as const;
    for (const program of programs) {
      const names = this.#deployment.containers
        .filter((each) => each.program === program)
        .map(({ name }) => name);
      const ends = names
        .filter((name) => this.#running.has(name))
        .map(async (name) => codes.set(name, await this.stop(name)));
      await Promise.all(ends);
    }
    return codes;
  }

  /** A command of `potstream` as an administrator of the machine runs it, with its role's user at nats-server. */
  async command(
    role: string,
    args: readonly string[],
  ): Promise<{ code: number | null; stdout: string; log: string }> {
    this.#commands += 1;
    const name = `${role}-command-${this.#commands}`;
    this.#connect(name);
    const child = this.#spawn({ ...this.#deployment.command(role, args), name }, true);
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, log: this.logOf(name) };
  }

  /** Connections that containers have now, to other containers, to callers and to the operator. */
  connections(): readonly Connection[] {
    const names = new Map([...this.#addresses].map(([name, address]) => [address, name]));
    names.set(callersAddress, 'callers');
    for (const address of operatorAddresses) names.set(address, 'operator');
    return [...this.#running].flatMap(([name, { pid, exitCode, signalCode }]) => {
      if (exitCode !== null || signalCode !== null) return [];
      const sockets = ['tcp', 'tcp6'].flatMap((table) => socketsOf(tableOf(pid, table)));
      const listening = new Set(
        sockets.filter(({ state }) => state === 'listening').map(({ local }) => local.port),
      );
      return sockets.flatMap(({ local, remote, state }): Connection[] => {
        const peer = names.get(remote.address);
        if (state !== 'established' || peer === undefined || peer === name) return [];
        return listening.has(local.port)
          ? [{ from: peer, to: name, port: local.port }]
          : [{ from: name, to: peer, port: remote.port }];
      });
    });
  }

  /** A namespace with an address on the bridge. It has no way to those that it may not talk to in either direction. */
  #connect(name: string): void {
    const number = this.#addresses.size + 1;
    const address = `${network}.1.${number}`;
    this.#addresses.set(name, address);
    ip(`netns add ${name}`);
    ip(`link add veth${number} type veth peer name eth0 netns ${name}`);
    ip(`link set veth${number} master bridge0 up`);
    ip(`-n ${name} link set lo up`);
    ip(`-n ${name} addr add ${address}/16 dev eth0`);
    ip(`-n ${name} link set eth0 up`);
    for (const each of operatorAddresses) ip(`-n ${name} route add ${each}/32 dev eth0`);
  }

  /** Cuts what no rule allows, in whole: a rule about ports is checked where a connection was made. */
  isolate(): void {
    const { containers } = this.#deployment;
    for (const { name } of containers) {
      for (const other of [...containers.map((each) => each.name), 'operator']) {
        if (other === name || this.#mayTalk(name, other)) continue;
        const addresses = other === 'operator' ? operatorAddresses : [this.address(other)];
        for (const address of addresses) ip(`-n ${name} route replace unreachable ${address}/32`);
      }
    }
  }

  #mayTalk(one: string, other: string): boolean {
    const ports = [443, 4222, 6222, 8080, 8081, 8222, 9090];
    return ports.some(
      (port) => this.#deployment.allows(one, other, port) || this.#deployment.allows(other, one, port),
    );
  }

  #spawn(container: Container, pipesOut = false): ChildProcess {
    const { name, uid, gid, environment, program, args } = container;
    const root = join(this.#directory, 'roots', name);
    mkdirSync(root, { recursive: true });
    const path =
      program === 'potstream' ? ['/opt/node', '/opt/potstream/bin/potstream'] : ['/opt/nats-server'];
    const script = [
      `echo ${name} > /proc/sys/kernel/hostname`,
      ...this.#rootOf(container, root),
      `exec chroot --userspec=${uid}:${gid} --groups=${gid} ${root} "$@"`,
    ];
    const log = openSync(join(this.logs, `${name}.log`), 'a');
    return spawn(
      'ip',
      [
        'netns',
        'exec',
        name,
        'unshare',
        '--mount',
        '--uts',
        'sh',
        '-euc',
        script.join('\n'),
        'sh',
        ...path,
        ...args,
      ],
      {
        stdio: ['ignore', pipesOut ? 'pipe' : log, log],
        env: {
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          HOME: '/tmp',
          ...environment,
          ...this.#environment,
        },
      },
    );
  }

  /** The machine's programs read-only, files of our own, and what the container mounts. */
  #rootOf({ mounts }: Container, root: string): string[] {
    const etc = join(this.#directory, 'etc');
    mkdirSync(etc, { recursive: true });
    const named = this.#deployment.containers.flatMap(({ name, names }) =>
      names.map((each) => `${this.address(name)} ${each}`),
    );
    writeFileSync(join(etc, 'hosts'), ['127.0.0.1 localhost', ...named].join('\n'));
    writeFileSync(join(etc, 'passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
    writeFileSync(join(etc, 'nsswitch.conf'), 'hosts: files\n');
    const lines = [`mount -t tmpfs -o mode=755 tmpfs ${root}`];
    const bind = (source: string, target: string): void => {
      const at = join(root, target);
      lines.push(
        `if [ -d ${source} ]; then mkdir -p ${at}; else mkdir -p ${dirname(at)}; : > ${at}; fi`,
        `mount --rbind ${source} ${at}`,
      );
    };
    for (const directory of ['bin', 'sbin', 'lib', 'lib64'])
      lines.push(
        `if [ -L /${directory} ]; then cp -P /${directory} ${root}/; elif [ -d /${directory} ]; then mkdir ${root}/${directory}; mount --bind /${directory} ${root}/${directory}; fi`,
      );
    for (const directory of ['usr', 'proc', 'dev']) bind(`/${directory}`, directory);
    for (const file of ['hosts', 'passwd', 'nsswitch.conf']) bind(join(etc, file), join('etc', file));
    lines.push(`mkdir -m 1777 ${root}/tmp`);
    lines.push(
      `mkdir -p ${root}/opt ${root}/var/lib/potstream ${root}/run/secrets`,
      `chown 1000:1000 ${root}/var/lib/potstream`,
    );
    bind(realpathSync(process.execPath), '/opt/node');
    bind(repository, '/opt/potstream');
    bind(realpathSync(this.#natsServer), '/opt/nats-server');
    bind(join(this.#directory, 'operator'), '/opt/operator');
    // Outer ones first.
    for (const { source, target } of mounts.toSorted((a, b) => a.target.length - b.target.length))
      bind(source, target);
    return lines;
  }
}

interface Socket {
  readonly local: { readonly address: string; readonly port: number };
  readonly remote: { readonly address: string; readonly port: number };
  readonly state: 'established' | 'listening' | 'other';
}

/** Empty where the process has just ended. */
function tableOf(pid: number | undefined, table: string): string {
  try {
    return readFileSync(`/proc/${pid}/net/${table}`, 'utf8');
  } catch {
    return '';
  }
}

/** Lines of /proc/net/tcp and tcp6. */
function socketsOf(table: string): Socket[] {
  const states: Readonly<Record<string, Socket['state']>> = { '01': 'established', '0A': 'listening' };
  return table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, local = '', remote = '', state = ''] = line.trim().split(/\s+/);
      return { local: endOf(local), remote: endOf(remote), state: states[state] ?? 'other' };
    });
}

/** The last four bytes are the address, of IPv4 in IPv6 too. */
function endOf(text: string): Socket['local'] {
  const [address = '', port = ''] = text.split(':');
  const bytes = (address.slice(-8).match(/../g) ?? []).reverse().map((hex) => Number.parseInt(hex, 16));
  return { address: bytes.join('.'), port: Number.parseInt(port, 16) };
}

function ip(command: string): void {
  execFileSync('ip', command.split(' '));
}
