import { accessSync, chmodSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from './start-error.ts';

/** A start writes far less, but nats-server needs room afterwards. */
const minFreeBytes = 4 * 1024 * 1024;

/** Paths below the data directory. The actors also use `snapshots` and `witness` there. */
export type DataPaths = {
  readonly root: string;
  /** Locks, ports, process numbers, nats-server's configuration: of this run, not worth a backup. */
  readonly run: string;
  readonly logs: string;
  /** JetStream's files. */
  readonly nats: string;
  /** Keys that seal accounts and, in a directory of the actors, draw seeds; every backup needs them. */
  readonly keys: string;
  /** The reporting database, where it is no PostgreSQL: made again from the log, not worth a backup. */
  readonly reporting: string;
  readonly credentials: string;
};

/** The paths below a data directory (docs/rules/operating.md "Files"). */
export function dataPaths(root: string): DataPaths {
  return {
    root,
    run: join(root, 'run'),
    logs: join(root, 'logs'),
    nats: join(root, 'nats'),
    keys: join(root, 'keys'),
    reporting: join(root, 'reporting'),
    credentials: join(root, 'credentials.json'),
  };
}

/**
 * Creates the data directory and its subdirectories, and restricts `keys` to this user.
 * @throws StartError `data_directory_unusable`; `disk_full` with less than 4 MiB free
 */
export function prepareDataDirectory(root: string, availableBytes = freeBytes): DataPaths {
  const paths = dataPaths(root);
  try {
    for (const directory of [paths.root, paths.run, paths.logs, paths.nats, paths.keys]) {
      makeDirectory(directory);
      accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    chmodSync(paths.keys, 0o700);
    if (availableBytes(paths.root) < minFreeBytes) throw diskFull(root);
  } catch (error) {
    throw error instanceof StartError ? error : (whyUnusable(root, error) ?? unusable(root, error));
  }
  return paths;
}

const noRoom: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const notForUs: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO']);

/**
 * A failed read or write in the data directory as a StartError, `disk_full` or `data_directory_unusable`;
 * null for any other error.
 */
export function whyUnusable(root: string, error: unknown): StartError | null {
  const { code, path } = error as NodeJS.ErrnoException;
  if (noRoom.has(code)) return diskFull(root);
  return notForUs.has(code) && path?.startsWith(root) === true ? unusable(root, error) : null;
}

function unusable(root: string, error: unknown): StartError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(
    'data_directory_unusable',
    `The data directory ${root} cannot be used (${reason}). Give POTSTREAM_DATA a directory that this user may write to.`,
  );
}

function diskFull(root: string): StartError {
  return new StartError(
    'disk_full',
    `The disk of the data directory ${root} is full. Nothing was lost; make room there, then start again.`,
  );
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/**
 * Makes a directory and its parents, one level at a time: Node's recursive mkdir never returns if a parent
 * cannot be created, such as below /proc.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error(`${path} is not a directory`);
    return;
  }
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
