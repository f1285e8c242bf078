import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, inheritedEnvironment, type Settings } from '../../config/settings.ts';
import { feedHandOverMs } from '../../fanout/base/limits.ts';
import { httpLimits } from '../../gateway/http/limits.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import { commandLineFlagsOf } from '../../runtime/v8-flags.ts';
import type { ChildDefinition } from '../../supervisor/child.ts';
import { answers, waitUntilStarted } from '../../supervisor/nats-server/monitor.ts';
import { withHugePages } from './huge-pages.ts';
import type { LogFiles } from './log-files.ts';

/**
 * For all children together, whatever their number: `up` ends within 20 s of a SIGTERM, unless the gateway is
 * to wait for a balancer. A child that is not done then is killed, which loses nothing: what was answered is
 * in the log.
 */
const treeDrainMs = 17_000;
/** For each child. */
const drainTimeoutMs = {
  demo: 1500,
  gateway: 4000,
  fanout: 2000,
  wallet: 1000,
  outbox: 3000,
  reporting: 2000,
  'reference-wallet': 500,
  actors: 5000,
  'nats-server': 5000,
};
const natsHealthyWithinMs = 60_000;
const setpriv = '/usr/bin/setpriv';
/** Behind standard input, output, error and the channel to `up`. */
const inheritedSocket = 4;

export type RoleName = Exclude<keyof typeof drainTimeoutMs, 'nats-server'>;

/** The roles of the demo, and the one that only reads the log. No other role waits for them. */
const dispensable: readonly RoleName[] = ['demo', 'reference-wallet', 'reporting'];

/** Within which all children have to end. */
export function drainLimitMs({ drainWaitMs }: Pick<Settings, 'drainWaitMs'>): number {
  return treeDrainMs + drainWaitMs;
}

/** The name of the nth process of a role, from 1, as a child and in logs. */
export function childName(role: RoleName, n: number): string {
  return n === 1 ? role : `${role}-${n}`;
}

/** Whether a child is a gateway. */
export function isGateway(name: string): boolean {
  return /^gateway(-[0-9]+)?$/.test(name);
}

/** Whether a child is an actor host. */
export function isActors(name: string): boolean {
  return /^actors(-[0-9]+)?$/.test(name);
}

/** A role in its own process, `potstream <role>`. It gets its settings through the environment. */
export function roleChild(
  role: RoleName,
  settings: Settings,
  logs: LogFiles,
  name: string = role,
): ChildDefinition {
  return {
    name,
    drainTimeoutMs: drainTimeoutMs[role] + (role === 'gateway' ? settings.drainWaitMs : 0),
    dispensable: () => dispensable.includes(role),
    givesWay: role === 'reporting',
    start: () => startRole(role, settings, logs, name, []),
  };
}

/** How long a process of several may take to give its connections to the others. */
const handOverMs = { gateway: httpLimits.handOverMs, fanout: feedHandOverMs };

/**
 * One of several processes of a role at one port. `fd`: the socket of `up`; null: each opens the port.
 * `othersWork`: whether another one works now.
 */
export function sharingChild(
  role: keyof typeof handOverMs,
  settings: Settings,
  logs: LogFiles,
  name: string,
  { fd, othersWork }: { readonly fd: number | null; readonly othersWork: () => boolean },
): ChildDefinition {
  const listening = { ...settings, listenFd: fd === null ? null : inheritedSocket };
  return {
    ...roleChild(role, listening, logs, name),
    group: `${role}s`,
    handOverTimeoutMs: handOverMs[role],
    dispensable: othersWork,
    start: () => startRole(role, listening, logs, name, fd === null ? [] : [fd]),
  };
}

function startRole(
  role: RoleName,
  settings: Settings,
  logs: LogFiles,
  name: string,
  sockets: readonly number[],
): ChildProcess {
  return logs.withFile(name, (log) =>
    spawn(process.execPath, [...commandLineFlagsOf(role), join(packageRoot, 'bin/potstream'), role], {
      env: withHugePages({ ...inheritedEnvironment(), ...environmentOf(settings) }),
      stdio: ['ignore', log, log, 'ipc', ...sockets],
      // Its own session: Ctrl-C reaches only `up`, which then drains in order.
      detached: true,
    }),
  );
}

/** nats-server. It ends with `up` if the kernel supports that; otherwise the roles end it. */
export function natsServerChild(
  server: { readonly path: string; readonly configurationFile: string; readonly monitorUrl: string },
  logs: LogFiles,
): ChildDefinition {
  const command = [server.path, '-c', server.configurationFile];
  const [program, ...programArguments] = existsSync(setpriv)
    ? [setpriv, '--pdeathsig', 'TERM', ...command]
    : command;
  return {
    name: 'nats-server',
    drainTimeoutMs: drainTimeoutMs['nats-server'],
    start: (): ChildProcess =>
      logs.withFile('nats-server', (log) =>
        spawn(program ?? server.path, programArguments, {
          env: inheritedEnvironment(),
          stdio: ['ignore', log, log],
          detached: true,
        }),
      ),
    probe: (signal) => waitUntilStarted(server.monitorUrl, { timeoutMs: natsHealthyWithinMs, signal }),
    isAlive: (signal) => answers(server.monitorUrl, signal),
  };
}
