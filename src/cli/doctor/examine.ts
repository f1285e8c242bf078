import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment, type Settings } from '../../config/settings.ts';
import { prepareDataDirectory } from '../../runtime/data-directory.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import { findNatsServer } from '../../supervisor/nats-server/find.ts';
import { readServer, requireDurability } from '../../supervisor/nats-server/monitor.ts';
import {
  isSuitable,
  parseVersion,
  versionText,
  wantedVersions,
} from '../../supervisor/nats-server/version.ts';
import { chooseWebsocketEngine, glibcVersion } from '../up/websocket-engine.ts';
import { examineClock } from './clock.ts';
import { examineLanes } from './lanes.ts';
import { examineLog } from './log.ts';
import { patiently } from './patience.ts';
import { examinePorts } from './ports.ts';
import { examineProcesses } from './processes.ts';
import { type Reach, reachOf } from './reach.ts';
import { examineSeals } from './seals.ts';
import { examineSpace } from './space.ts';

/** The result of one check. */
type DoctorFinding = { readonly check: string; readonly ok: boolean; readonly detail: string };

const minFreeBytes = 2 * 1024 ** 3;
const minNodeVersion: readonly [major: number, minor: number] = [20, 19];

/**
 * Checks what Potstream needs of this machine, and the system that runs on the data. Like a start, it creates
 * the data directory and fetches a private nats-server if there is none.
 */
export async function examine(settings: Settings, print: (line: string) => void): Promise<DoctorFinding[]> {
  const checks: readonly [string, () => Promise<string> | string][] = [
    ['node', nodeVersion],
    ['data directory', () => prepareDataDirectory(settings.dataDirectory).root],
    ['disk', () => freeDisk(settings.dataDirectory)],
    ['C library', cLibrary],
    ['websocket engine', () => websocketEngine(settings)],
    ['nats-server', () => natsServer(settings, print)],
    ['running nats-server', () => patiently(() => runningServer(reachOf(settings)))],
    ['durability', () => patiently(() => durability(reachOf(settings)))],
    ['room', () => examineSpace(settings, reachOf(settings))],
    ['clock', () => patiently(() => examineClock(settings, reachOf(settings)))],
    ['lanes', () => patiently(() => examineLanes(settings, reachOf(settings)))],
    ['ports', () => patiently(() => examinePorts(settings))],
    ['processes', () => examineProcesses(settings)],
    ['log', () => examineLog(settings, reachOf(settings))],
    ['epoch seeds', () => examineSeals(settings, reachOf(settings))],
  ];
  // All at once: each may wait for a server that does not answer.
  return Promise.all(checks.map(([check, run]) => findingOf(check, run)));
}

async function findingOf(check: string, run: () => Promise<string> | string): Promise<DoctorFinding> {
  try {
    return { check, ok: true, detail: await run() };
  } catch (error) {
    return { check, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < minNodeVersion[0] || (major === minNodeVersion[0] && minor < minNodeVersion[1])) {
    throw new Error(
      `Node ${process.versions.node} is too old; install ${minNodeVersion.join('.')} or newer.`,
    );
  }
  return process.versions.node;
}

function freeDisk(directory: string): string {
  const { bavail, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  const text = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free`;
  if (freeBytes < minFreeBytes)
    throw new Error(`Only ${text} at ${directory}: make room, or give POTSTREAM_DATA another disk.`);
  return text;
}

function cLibrary(): string {
  const version = glibcVersion();
  return version === 'none'
    ? 'not glibc: uWebSockets.js cannot be loaded, the feeds use ws'
    : `glibc ${version}`;
}

async function websocketEngine(settings: Settings): Promise<string> {
  const { engine, fallbackReason } = await chooseWebsocketEngine(settings.websocketEngine);
  if (engine === 'uwebsockets') return `uWebSockets.js loads with glibc ${glibcVersion()}`;
  return fallbackReason === null
    ? 'ws, as POTSTREAM_WEBSOCKET_ENGINE says'
    : `ws, because ${fallbackReason}; it serves fewer sockets per core`;
}

async function natsServer(settings: Settings, print: (line: string) => void): Promise<string> {
  const found = await findNatsServer({
    namedPath: settings.natsServerPath,
    searchPath: inheritedEnvironment().PATH ?? '',
    privatePath: join(packageRoot, '.potstream/bin/nats-server'),
    print,
  });
  return `${versionText(found.version)} at ${found.path}`;
}

/** The server of the settings may be another one than the one of this machine. */
async function runningServer(reach: Reach | null): Promise<string> {
  if (reach === null) return 'not checked: nats-server is not running';
  const { version: text } = await readServer(reach.monitorUrl);
  const version = parseVersion(text);
  if (version === null || !isSuitable(version))
    throw new Error(`The nats-server at ${reach.monitorUrl} is ${text}; Potstream needs ${wantedVersions}.`);
  return `${versionText(version)} (${reach.monitorUrl})`;
}

async function durability(reach: Reach | null): Promise<string> {
  if (reach === null) return 'not checked: nats-server is not running';
  await requireDurability(reach.monitorUrl, false);
  return `every message is synced (${reach.monitorUrl})`;
}
