import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment, type Settings } from '../config.ts';
import { dataPaths, prepareDataDirectory } from '../supervisor/data-directory.ts';
import { isPortFree } from '../supervisor/free-port.ts';
import { lockHolder } from '../supervisor/lock.ts';
import { findNatsServer } from '../supervisor/nats-server/find.ts';
import { requireDurability } from '../supervisor/nats-server/monitor.ts';
import { formatVersion } from '../supervisor/nats-server/version.ts';
import { packageRoot } from '../supervisor/package-root.ts';
import { isAlive } from '../supervisor/process-identity.ts';
import { probeWebsocketEngine } from '../supervisor/websocket-engine.ts';
import { readNatsAccess } from './up/nats-access.ts';

/** One thing looked at. */
export type Finding = { readonly check: string; readonly ok: boolean; readonly detail: string };

const leastFreeBytes = 2 * 1024 ** 3;
const oldestNode = 20;

/** Looks at everything that Potstream needs of this machine; changes nothing but making the data directory. */
export async function examine(settings: Settings, say: (line: string) => void): Promise<Finding[]> {
  const checks: readonly [string, () => Promise<string> | string][] = [
    ['node', nodeVersion],
    ['data directory', () => prepareDataDirectory(settings.dataDirectory).root],
    ['disk', () => freeDisk(settings.dataDirectory)],
    ['websocket engine', websocketEngine],
    ['nats-server', () => natsServer(settings, say)],
    ['durability', () => durability(settings)],
    ['port', () => gatewayPort(settings)],
  ];
  const findings: Finding[] = [];
  for (const [check, look] of checks) {
    try {
      findings.push({ check, ok: true, detail: await look() });
    } catch (error) {
      findings.push({ check, ok: false, detail: error instanceof Error ? error.message : String(error) });
    }
  }
  return findings;
}

function nodeVersion(): string {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    throw new Error(`Node ${process.versions.node} is too old; 20.19 or newer is needed.`);
  }
  return process.versions.node;
}

function freeDisk(directory: string): string {
  const { bavail, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  const text = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free`;
  if (freeBytes < leastFreeBytes) throw new Error(`Only ${text} at ${directory}.`);
  return text;
}

async function websocketEngine(): Promise<string> {
  const problem = await probeWebsocketEngine();
  if (problem !== null) throw new Error(problem);
  return 'loads';
}

async function natsServer(settings: Settings, say: (line: string) => void): Promise<string> {
  const found = await findNatsServer({
    namedPath: settings.natsServerPath,
    searchPath: inheritedEnvironment().PATH ?? '',
    privatePath: join(packageRoot, '.potstream/bin/nats-server'),
    say,
  });
  return `${formatVersion(found.version)} at ${found.path}`;
}

async function durability(settings: Settings): Promise<string> {
  const runDirectory = dataPaths(settings.dataDirectory).run;
  const holder = lockHolder(runDirectory);
  const running = holder !== null && isAlive(holder);
  const monitorUrl = settings.natsMonitorUrl ?? (running ? readNatsAccess(runDirectory)?.monitorUrl : null);
  if (monitorUrl === null || monitorUrl === undefined) return 'no server runs that could be asked';
  await requireDurability(monitorUrl, false);
  return `every message is synced (${monitorUrl})`;
}

async function gatewayPort(settings: Settings): Promise<string> {
  const free = await isPortFree(settings.gatewayPort, settings.gatewayHost);
  return free
    ? `${settings.gatewayHost}:${settings.gatewayPort} is free`
    : `${settings.gatewayPort} is taken; "potstream up" would use another`;
}
