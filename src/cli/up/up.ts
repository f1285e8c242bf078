import { join } from 'node:path';
import { ConfigurationError } from '../../config/composed.ts';
import { inheritedEnvironment, type Settings } from '../../config/settings.ts';
import { replaceSecretFile } from '../../files/secret-file.ts';
import { urlToReach } from '../../lib/loopback.ts';
import { keepCompiledCode } from '../../runtime/compile-cache.ts';
import { type DataPaths, prepareDataDirectory, whyUnusable } from '../../runtime/data-directory.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import { endLeftovers, writeRunRecord } from '../../runtime/run-record.ts';
import { StartError } from '../../runtime/start-error.ts';
import { returnStartMemory } from '../../runtime/start-memory.ts';
import { portFault } from '../../supervisor/free-port.ts';
import { acquireLock } from '../../supervisor/lock.ts';
import { renderEmbeddedConfiguration } from '../../supervisor/nats-server/configuration.ts';
import { findNatsServer } from '../../supervisor/nats-server/find.ts';
import { healthFault, lostStreams, requireDurability } from '../../supervisor/nats-server/monitor.ts';
import { watchStore } from '../../supervisor/nats-server/store-watch.ts';
import { embeddedUsers } from '../../supervisor/nats-server/users.ts';
import { versionText } from '../../supervisor/nats-server/version.ts';
import { createProcessTree } from '../../supervisor/process-tree.ts';
import { bootstrapAdministrator } from '../admin/run.ts';
import { type Addresses, prepareCredentials, removePassword } from '../system/credentials-file.ts';
import {
  type NatsAccess,
  prepareNatsAccess,
  withNatsAccess,
  withoutNatsAccess,
} from '../system/nats-access.ts';
import { recordSettings } from '../system/settings.ts';
import { childName, drainLimitMs, natsServerChild, type RoleName, roleChild } from './children.ts';
import { exposureFault, isDevelopment } from './exposure.ts';
import { Fanouts } from './fanouts.ts';
import { Gateways } from './gateways.ts';
import { greeting } from './greeting.ts';
import { requireKeys } from './keys.ts';
import { type LogFiles, openLogFiles } from './log-files.ts';
import { lanesOf, startTreeOperations } from './operations.ts';
import { choosePorts, configuredListeners, type Ports } from './ports.ts';
import { wantedRestart } from './rolling-restart.ts';
import { reportSlowStart } from './slow-start.ts';
import { storageOfTree } from './storage.ts';
import { chooseWebsocketEngine } from './websocket-engine.ts';

const passwordRemoved =
  "The demo needs the administrator's password, and credentials.json has none. Write it there as admin.password, or start with --no-demo.";

/** A newcomer can verify a win of the demo two minutes after it (docs/rules/operating.md "The demo"). */
const demoEpochSeconds = 120;

type UpOptions = {
  readonly demo: boolean;
  /** The demo may listen on an address that others reach. */
  readonly publicDemo: boolean;
  /** How many actor hosts run on this machine. */
  readonly actorHosts: number;
  /** Progress for the person at the terminal. */
  readonly print: (line: string) => void;
};

/**
 * Runs the whole system on this machine until SIGTERM or SIGINT, and gives the exit code.
 * @throws StartError if it cannot start; then nothing is left running
 */
export async function up(settings: Settings, options: UpOptions): Promise<number> {
  const fault = exposureFault({ listeners: configuredListeners(settings), ...options });
  if (fault !== null) throw new StartError('demo_exposed', fault);
  if (options.demo && settings.systemSecondFactor === 'required')
    throw new ConfigurationError(
      "POTSTREAM_SYSTEM_SECOND_FACTOR is required, and the demo's administrator has no second factor. Start with --no-demo.",
    );
  try {
    return await runAlone(settings, options, prepareDataDirectory(settings.dataDirectory));
  } catch (error) {
    throw whyUnusable(settings.dataDirectory, error) ?? error;
  }
}

async function runAlone(settings: Settings, options: UpOptions, paths: DataPaths): Promise<number> {
  const lock = acquireLock(paths.run);
  const logs = openLogFiles(paths.logs);
  try {
    return await runTree(settings, options, paths, logs);
  } finally {
    logs.stop();
    lock.release();
  }
}

async function runTree(
  settings: Settings,
  options: UpOptions,
  paths: DataPaths,
  logs: LogFiles,
): Promise<number> {
  const print = (line: string): void => options.print(`${new Date().toISOString().slice(0, 19)}Z ${line}`);
  const ending = endOfService();
  // An unhandled error drains everything in order and is printed, instead of ending the process half way.
  process.on('uncaughtException', ending.fail);
  process.on('unhandledRejection', ending.fail);
  const leftovers = await endLeftovers(paths.run);
  if (leftovers > 0) print(`Ended ${leftovers} processes of an earlier start.`);
  const [server, { engine, fallbackReason }] = await Promise.all([
    findServer(settings, print),
    chooseWebsocketEngine(settings.websocketEngine),
  ]);
  if (fallbackReason !== null) print(`The feeds use the websocket engine ws: ${fallbackReason}.`);
  const ports = await choosePorts(paths.run, settings);
  await reportOtherPorts(settings, ports, print);
  const development = isDevelopment({ demo: options.demo, said: settings.development });
  const access = prepareNatsAccess(paths.run, ports, development);
  const configurationFile = await writeNatsConfiguration(paths, ports, access, settings.lanes);
  const childSettings: Settings = {
    ...withoutNatsAccess(settings),
    gatewayPort: ports.gateway,
    listenFd: null,
    publicDemo: options.publicDemo,
    fanoutPort: ports.fanout,
    walletPort: ports.wallet,
    websocketEngine: engine,
    // `up` serves them all on its own.
    operationsHost: '127.0.0.1',
    operationsPort: 0,
    epochSeconds: settings.epochSeconds ?? (options.demo ? demoEpochSeconds : null),
    development,
  };
  recordSettings(paths.run, {
    ...childSettings,
    operationsHost: settings.operationsHost,
    operationsPort: ports.operations,
    websocketEngine: settings.websocketEngine,
  });

  let seeded = !options.demo;
  let started = false;
  const hangs = { afterMs: settings.hungAfterSeconds * 1000, action: settings.hungAction };
  const tree = createProcessTree(
    {
      onMessage: (name, message) => {
        if (message.type === 'seeded') {
          seeded = true;
          gateways.release();
        }
        gateways.onMessage(name, message);
      },
      onProcesses: (processes) => recordProcesses(paths.run, processes, print),
      onRestart: (name, how, afterMs) =>
        print(`${name} ended (${how}) and restarts in ${afterMs} ms. Log: ${logs.pathOf(name)}`),
      onHung: (name, silentMs, action) =>
        print(
          `${name} is hung: no sign of life for ${silentMs / 1000} s. ${action === 'replace' ? 'Replacing it.' : 'It keeps running (POTSTREAM_HUNG_ACTION).'} Log: ${logs.pathOf(name)}`,
        ),
      onResponsive: (name) => print(`${name} responds again.`),
      onGivenUp: (name, reason) =>
        print(
          `${name} ${reason}. It will not be restarted; everything else continues. Log: ${logs.pathOf(name)}`,
        ),
      onEscalate: (name, reason) =>
        ending.fail(
          `${name} ${reason}. Everything stops. Log: ${logs.pathOf(name)}; "potstream doctor" may find the cause.`,
        ),
    },
    hangs,
  );
  const { run: runDirectory } = paths;
  const gateways = new Gateways({ count: settings.gateways, tree, logs, runDirectory, print });
  const fanouts = new Fanouts({ count: settings.fanouts, tree, logs, runDirectory, print });
  process.on('SIGUSR2', () => {
    const { restarts } = wantedRestart(runDirectory) === 'fanouts' ? fanouts : gateways;
    restarts.restart().catch(ending.fail);
  });
  const storage = storageOfTree(logs);
  const operations = await startTreeOperations(
    tree,
    {
      started: () => started && seeded,
      storeFault: () => healthFault(access.monitorUrl),
      details: fallbackReason === null ? [] : [`websocket engine ws: ${fallbackReason}`],
      storageMetrics: () => storage.metrics(),
    },
    { host: settings.operationsHost, port: ports.operations },
  );
  const addresses: Addresses = {
    baseUrl: urlToReach(settings.gatewayHost, ports.gateway),
    operationsUrl: urlToReach(settings.operationsHost, ports.operations),
  };

  const slowStart = reportSlowStart(tree, logs.pathOf, print);
  const stopWatches: (() => void)[] = [slowStart.stop];
  const start = async (): Promise<void> => {
    const addRole = (role: RoleName, roleSettings: Settings, name: string = role): Promise<boolean> =>
      tree.add(roleChild(role, settingsOf(role, roleSettings, access), logs, name));
    const nats = natsServerChild(
      { path: server.path, configurationFile, monitorUrl: access.monitorUrl },
      logs,
    );
    if (!(await tree.add(nats))) return;
    print(`nats-server ${versionText(server.version)} runs on port ${ports.nats} (${server.path}).`);
    for (const stream of await lostStreams(access.monitorUrl, paths.nats))
      print(
        `nats-server cannot read the description of the stream ${stream}. The roles make it again, with the messages in its files.`,
      );
    const restart = (): Promise<void> => tree.restart('nats-server');
    stopWatches.push(watchStore(access.monitorUrl, paths.nats, { restart, print }).stop);
    await requireDurability(access.monitorUrl, settings.insecureDurability);
    await storage.start(withNatsAccess(childSettings, access, 'storage'));
    const startSettings = withNatsAccess(childSettings, access, 'start');
    await requireKeys(startSettings);
    const administrator = prepareCredentials(paths.credentials, addresses);
    if (administrator === null && options.demo) throw new StartError('password_removed', passwordRemoved);
    const bootstrapped =
      administrator !== null && (await bootstrapAdministrator(startSettings, administrator));
    if (bootstrapped === 'audit_unavailable')
      throw new StartError(
        'audit_unavailable',
        'The first administrator needs the audit trail, which cannot be written.',
      );
    // The account is older than the file: the new password belongs to no account.
    if (administrator?.isNew === true && bootstrapped === 'bootstrap_closed') {
      removePassword(paths.credentials);
      if (options.demo) throw new StartError('password_removed', passwordRemoved);
    }
    if (bootstrapped === 'done') print(`Created the first administrator: ${paths.credentials}`);
    if (!(await addRole('actors', childSettings))) return;
    const amiss = await lanesOf(tree);
    const ready = amiss.length === 0 ? 'all' : amiss.length < settings.lanes ? 'all other' : 'no';
    print(`actors runs; ${ready} lanes have caught up.`);
    for (const { lane, condition, code } of amiss)
      print(`Lane ${lane} is ${condition} (${code}). See "potstream lane list".`);
    for (let n = 2; n <= options.actorHosts; n += 1) {
      if (!(await addRole('actors', hostSettings(childSettings, n), childName('actors', n)))) return;
      print(`${childName('actors', n)} runs; lanes move to it one at a time.`);
    }
    const surfaces = [
      ...(options.demo ? [addRole('reference-wallet', childSettings)] : []),
      addRole('wallet', childSettings),
      addRole('outbox', childSettings),
      ...(settings.reportingRole === 'on' ? [addRole('reporting', childSettings)] : []),
      // Draining runs backwards: sockets get the fan-out's close code (1001) while the gateway still passes
      // it on.
      gateways.add(settingsOf('gateway', { ...childSettings, holdReady: options.demo }, access)),
      fanouts.add(settingsOf('fanout', { ...childSettings, drainWaitMs: 0 }, access)),
    ];
    if (!(await Promise.all(surfaces)).every(Boolean)) return;
    const listening = settings.gateways === 1 ? 'gateway listens' : `${settings.gateways} gateways listen`;
    const fanoutText = settings.fanouts === 1 ? 'fanout' : `${settings.fanouts} fan-outs`;
    print(
      `${listening} on ${addresses.baseUrl}, ${fanoutText} on port ${ports.fanout} of ${settings.fanoutHost}.`,
    );
    if (options.demo) {
      print('demo creates its operator, sources and instances…');
      if (!(await addRole('demo', childSettings))) return;
    }
    started = true;
    slowStart.stop();
    keepCompiledCode();
    returnStartMemory();
    gateways.restarts.announce();
    fanouts.restarts.announce();
    options.print(
      greeting(addresses, {
        credentialsPath: paths.credentials,
        logsDirectory: paths.logs,
        demo: options.demo,
        console: settings.console === 'on',
        gateways: settings.gateways,
      }),
    );
  };

  start().catch((error: unknown) => ending.fail(error));
  const reason = await ending.reached;
  if (reason.kind === 'asked') print(`${reason.signal}: draining…`);
  for (const stop of stopWatches) stop();
  gateways.stop();
  fanouts.stop();
  await storage.stop();
  await tree.stop(drainLimitMs(settings));
  await operations.stop();
  if (reason.kind === 'failed') throw reason.error;
  print('Stopped; nothing is left running.');
  return 0;
}

/** Those of the nth actor host, from 2: its own id and directory, and the keys that all hosts share. */
function hostSettings(settings: Settings, n: number): Settings {
  return {
    ...settings,
    hostId: `${settings.hostId.slice(0, 60)}-${n}`,
    hostDirectory: join(settings.hostDirectory, 'hosts', String(n)),
  };
}

/** Each role that uses nats-server gets its own user there. */
function settingsOf(role: RoleName, settings: Settings, access: NatsAccess): Settings {
  return role === 'demo' || role === 'reference-wallet' ? settings : withNatsAccess(settings, access, role);
}

/** On a full disk the last record stays, which may lack a restarted process. */
function recordProcesses(
  runDirectory: string,
  processes: Parameters<typeof writeRunRecord>[1],
  print: (line: string) => void,
): void {
  try {
    writeRunRecord(runDirectory, processes);
  } catch (error) {
    print(`Cannot write the record of running processes: ${String(error)}`);
  }
}

type Ending =
  | { readonly kind: 'asked'; readonly signal: string }
  | { readonly kind: 'failed'; readonly error: Error };

/** Why this service ends: a signal, or a failure. The first reason counts. */
function endOfService(): { readonly reached: Promise<Ending>; fail(reason: unknown): void } {
  let settle: (ending: Ending) => void;
  const reached = new Promise<Ending>((resolve) => {
    settle = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => settle({ kind: 'asked', signal }));
  }
  return {
    reached,
    fail(reason) {
      const error = reason instanceof Error ? reason : new StartError('child_failed', String(reason));
      settle({ kind: 'failed', error });
    },
  };
}

function findServer(settings: Settings, print: (line: string) => void) {
  return findNatsServer({
    namedPath: settings.natsServerPath,
    searchPath: inheritedEnvironment().PATH ?? '',
    privatePath: join(packageRoot, '.potstream/bin/nats-server'),
    print,
  });
}

async function writeNatsConfiguration(
  paths: DataPaths,
  ports: Ports,
  access: NatsAccess,
  lanes: number,
): Promise<string> {
  const configurationFile = join(paths.run, 'nats.conf');
  const configuration = await renderEmbeddedConfiguration({
    serverName: 'potstream',
    port: ports.nats,
    monitorPort: ports.natsMonitor,
    storeDirectory: paths.nats,
    pidFile: join(paths.run, 'nats.pid'),
    users: embeddedUsers(access.passwords, lanes),
  });
  replaceSecretFile(configurationFile, configuration);
  return configurationFile;
}

/** Prints the named ports that another process has. */
async function reportOtherPorts(
  settings: Settings,
  ports: Ports,
  print: (line: string) => void,
): Promise<void> {
  for (const { of, variables, port, host } of configuredListeners(settings)) {
    if (port === 0 || port === ports[of]) continue;
    const fault = (await portFault(port, host)) ?? 'was taken';
    print(`Port ${port} ${fault}, so ${ports[of]} is used instead (${variables.port} names another).`);
  }
}
