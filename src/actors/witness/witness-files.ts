import { type FileHandle, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';
import type { Witness, WitnessedHead } from '../ports/witness.ts';
import { NewestHeads } from './newest-heads.ts';
import {
  compacted,
  extentOf,
  formatLine,
  headsOf,
  lastAcceptance,
  parseLines,
  trailName,
  trailsOf,
  type WitnessedTable,
  type WitnessedTrail,
  type WitnessLine,
} from './witness-lines.ts';

const ownerOnly = 0o600;
const writeEveryMs = 1000;
/** A file that has grown by this much is written anew with what must be kept. */
const compactAfterBytes = 1024 * 1024;

interface WitnessPlaces {
  readonly dataDirectory: string;
  readonly secondDirectory: string | null;
}

/** The places that one actor host writes to. */
interface HostPlaces extends WitnessPlaces {
  readonly host: string;
}

/** `<data>/witness/heads`. */
export function witnessPath(dataDirectory: string): string {
  return join(dataDirectory, 'witness', 'heads');
}

/** `<data>/witness/newest`: what the other file has of the last second, and more. */
function newestPath(dataDirectory: string): string {
  return join(dataDirectory, 'witness', 'newest');
}

/** In a second place the files of all hosts and systems may lie side by side: `<system>.<host>.heads`. */
export function secondWitnessPath(directory: string, system: string, host: string): string {
  return join(directory, `${system}.${host}.heads`);
}

/** All lines of the files here, and of these systems in the second place. */
export async function readWitness(
  places: WitnessPlaces,
  systems?: readonly string[],
): Promise<WitnessLine[]> {
  const { dataDirectory } = places;
  const paths = [witnessPath(dataDirectory), newestPath(dataDirectory)];
  const own = (await Promise.all(paths.map(textOf))).flatMap(parseLines);
  const known = new Set(systems ?? own.flatMap((line) => ('system' in line ? [line.system] : [])));
  const others = await secondFiles(places, known);
  const texts = await Promise.all(others.map(textOf));
  return [...own, ...texts.flatMap(parseLines)];
}

/** Appends to every file that says something of the same system. */
export async function appendEverywhere(places: WitnessPlaces, line: WitnessLine): Promise<void> {
  const own = parseLines(await textOf(witnessPath(places.dataDirectory)));
  const systems = new Set(own.flatMap((each) => ('system' in each ? [each.system] : [])));
  for (const path of [witnessPath(places.dataDirectory), ...(await secondFiles(places, systems))])
    await append(path, formatLine(line));
}

/**
 * The witness of this host, in files that only it writes. A failed write is only an alarm: the log is the
 * truth, and the witness checks whether it is whole.
 */
export async function openWitness(
  places: HostPlaces,
  system: string,
  clock: Clock,
  alarm: (message: string) => void,
): Promise<Witness & { stop(): Promise<void> }> {
  const lines = await readWitness(places, [system]);
  const { dataDirectory, secondDirectory, host } = places;
  const second = secondDirectory === null ? [] : [secondWitnessPath(secondDirectory, system, host)];
  const files = [witnessPath(dataDirectory), ...second].map((path) => new WitnessFile(path));
  const alarmOf = (error: unknown) => alarm(`Cannot write the witness of the log: ${String(error)}`);
  const newestHeads = await NewestHeads.open(newestPath(dataDirectory), clock, alarmOf);
  let pending = new Map<string, WitnessedHead | WitnessedTable | WitnessedTrail>();
  const newest = new Map<string, number>();
  let writing: Promise<void> | null = null;
  let cancel: (() => void) | null = null;
  let isFailing = false;

  const write = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    const written = pending;
    pending = new Map();
    const text = [...written.values()].map(formatLine).join('');
    const results = await Promise.allSettled(files.map((file) => file.append(text, clock.nowMs())));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined && !isFailing) alarmOf(failed.reason);
    isFailing = failed !== undefined;
  };
  const begin = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };
  const put = (key: string, line: WitnessedHead | WitnessedTable | WitnessedTrail): void => {
    pending.set(key, line);
    cancel ??= clock.after(writeEveryMs, () => begin().catch(crash));
  };
  const remember = (key: string, rank: number, line: WitnessedHead | WitnessedTable): void => {
    if (rank <= (newest.get(key) ?? 0)) return;
    newest.set(key, rank);
    put(key, line);
  };
  /** Later than what a person accepted, also by a clock that was set back since. */
  const countingMs = (accepted: string, atMs: number): number =>
    Math.max(atMs, (lastAcceptance(lines, accepted)?.atMs ?? Number.NEGATIVE_INFINITY) + 1);
  const written = async (): Promise<void> => {
    await writing;
    if (pending.size > 0) await begin();
  };
  return {
    system,
    heads: (lane) => headsOf(lines, lane),
    acceptance: (lane) => lastAcceptance(lines, String(lane)),
    seen(head) {
      const line = { system, ...head, atMs: countingMs(String(head.lane), head.atMs) };
      newestHeads.set(line);
      remember(`lane ${head.lane}`, head.sequence, line);
    },
    soon: (show) => newestHeads.soon(show),
    table: (table) => extentOf(lines, table),
    seenTable: (table, extent, atMs) =>
      remember(table, extent.revision, { system, table, ...extent, atMs: countingMs(table, atMs) }),
    trails: () => trailsOf(lines),
    trailAcceptance: () => lastAcceptance(lines, trailName),
    seenTrail: (seen) =>
      put(`${trailName} ${seen.last}`, {
        system,
        trail: trailName,
        ...seen,
        atMs: countingMs(trailName, seen.atMs),
      }),
    written,
    async stop() {
      await newestHeads.close();
      await written();
      cancel?.();
    },
  };
}

/** Appends, and every megabyte keeps only what must be kept. */
class WitnessFile {
  readonly #path: string;
  #grownBytes = Number.POSITIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
  }

  async append(text: string, nowMs: number): Promise<void> {
    if (this.#grownBytes >= compactAfterBytes) {
      await compact(this.#path, nowMs);
      this.#grownBytes = 0;
    }
    await append(this.#path, text);
    this.#grownBytes += text.length;
  }
}

async function append(path: string, text: string): Promise<void> {
  // One level: Node's own recursive form never returns where a parent cannot be made (below /proc, say).
  await mkdir(dirname(path), { mode: 0o700 }).catch(there);
  await synced(await open(path, 'a', ownerOnly), (file) => file.appendFile(text));
}

async function compact(path: string, nowMs: number): Promise<void> {
  const before = await textOf(path);
  const after = compacted(parseLines(before), nowMs).map(formatLine).join('');
  if (after.length >= before.length) return;
  await synced(await open(`${path}.new`, 'w', ownerOnly), (file) => writeFile(file, after));
  await rename(`${path}.new`, path);
}

async function synced(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function secondFiles(places: WitnessPlaces, systems: ReadonlySet<string>): Promise<string[]> {
  const { secondDirectory } = places;
  if (secondDirectory === null) return [];
  const names = await readdir(secondDirectory).catch(nothingThere<string[]>([]));
  return names
    .filter((name) => name.endsWith('.heads') && systems.has(name.slice(0, name.indexOf('.'))))
    .map((name) => join(secondDirectory, name));
}

function there(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(nothingThere(''));
}

function nothingThere<T>(nothing: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    throw error;
  };
}
