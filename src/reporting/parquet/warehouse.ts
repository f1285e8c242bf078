import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { orNull, syncDirectory } from '../../files/directories.ts';
import type { tables } from '../base/tables.ts';

/** Tables whose rows are written once, and stay as they are: what happened, by its place in the log. */
export const parquetTables = [
  ...(['contributions', 'wins', 'entries', 'payment_changes'] as const),
  ...(['statuses', 'parameter_changes', 'opt_in_changes', 'tickets'] as const),
] as const satisfies readonly (keyof typeof tables)[];
export type ParquetTable = (typeof parquetTables)[number];

export const hourMs = 3_600_000;

/** The rows of an hour of a lane, and the messages that they can be of. */
export interface LaneHour {
  readonly lane: number;
  /** When it begins. */
  readonly startMs: number;
  readonly first: number;
  readonly last: number;
}

const manifestName = 'manifest.json';
const manifestShape = z.object({
  system_id: z.string(),
  schema_version: z.int(),
  hour: z.string(),
  lane: z.int(),
  first_sequence: z.int(),
  last_sequence: z.int(),
  /** How many players were forgotten when its rows were read. */
  forgotten: z.int(),
  files: z.array(
    z.object({
      name: z.string(),
      table: z.enum(parquetTables),
      rows: z.int(),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
});
export type HourManifest = z.infer<typeof manifestShape>;

const systemFile = 'potstream.json';
/** What is not whole yet; deeper than an hour, so that no pattern for hours finds it. */
const staging = '.writing/drafts';

/** A directory of Parquet files: each hour of a lane is a directory, which appears in one step. */
export class Warehouse {
  readonly #directory: string;
  readonly #systemId: string;

  constructor(directory: string, systemId: string) {
    this.#directory = directory;
    this.#systemId = systemId;
  }

  /** The hours that are written, in the order of the log. @throws Error also where it is another system's. */
  async hours(lane: number | null = null): Promise<readonly LaneHour[]> {
    await this.#requireOwn();
    const found: LaneHour[] = [];
    for (const day of await readdir(this.#directory)) {
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) continue;
      for (const name of await readdir(join(this.#directory, day))) {
        const hour = hourNamed(name);
        if (hour !== null && (lane === null || hour.lane === lane)) found.push(hour);
      }
    }
    return found.sort((one, other) => one.lane - other.lane || one.first - other.first);
  }

  /** An empty directory for an hour; what killed processes left of this lane is gone. */
  async stage(lane: number): Promise<string> {
    const drafts = join(this.#directory, staging);
    for (const name of (await orNull(readdir(drafts))) ?? [])
      if (name.startsWith(`lane-${lane}-`)) await rm(join(drafts, name), { recursive: true, force: true });
    return this.#draft(`lane-${lane}`);
  }

  /** Gives the files of a staged hour their names, and puts the hour in its place. It is never replaced. */
  async commit(
    staged: string,
    hour: LaneHour,
    { files, ...manifest }: Pick<HourManifest, 'schema_version' | 'forgotten' | 'files'>,
  ): Promise<void> {
    const named = files.map((file) => ({ ...file, name: `${file.table}-${nameOf(hour)}.parquet` }));
    for (const [index, { name }] of named.entries())
      await rename(join(staged, files[index]!.name), join(staged, name));
    const text: HourManifest = {
      ...{ system_id: this.#systemId, ...manifest, hour: new Date(hour.startMs).toISOString() },
      ...{ lane: hour.lane, first_sequence: hour.first, last_sequence: hour.last, files: named },
    };
    await writeFile(join(staged, manifestName), `${JSON.stringify(text, null, 2)}\n`, { flush: true });
    await syncDirectory(staged);
    const place = join(this.#directory, directoryOf(hour));
    const day = dirname(place);
    if ((await mkdir(day, { recursive: true })) !== undefined) await syncDirectory(this.#directory);
    try {
      await rename(staged, place);
    } catch (error) {
      // Another process has written it: its rows are the same.
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await rm(staged, { recursive: true, force: true });
    }
    await syncDirectory(day);
  }

  /** null: it was removed, or it cannot be read. */
  async manifest(hour: LaneHour): Promise<HourManifest | null> {
    const text = await orNull(readFile(join(this.#directory, directoryOf(hour), manifestName), 'utf8'));
    try {
      return manifestShape.safeParse(JSON.parse(text ?? 'null')).data ?? null;
    } catch {
      return null;
    }
  }

  /** The files of an hour that are there, as paths below the directory, and their tables. */
  async files(hour: LaneHour): Promise<readonly { readonly path: string; readonly table: ParquetTable }[]> {
    const directory = directoryOf(hour);
    const names = new Set(await readdir(join(this.#directory, directory)));
    return parquetTables
      .map((table) => ({ table, name: `${table}-${nameOf(hour)}.parquet` }))
      .filter(({ name }) => names.has(name))
      .map(({ table, name }) => ({ table, path: `${directory}/${name}` }));
  }

  pathOf(path: string): string {
    return join(this.#directory, path);
  }

  /** The directory is not made: where a disk is not mounted, there is to be an error. */
  async #requireOwn(): Promise<void> {
    const path = join(this.#directory, systemFile);
    const text = await orNull(readFile(path, 'utf8'));
    if (text === null) return this.#claim(path);
    const { system_id } = z.object({ system_id: z.string() }).parse(JSON.parse(text));
    if (system_id !== this.#systemId) throw new Error(`${this.#directory} has the files of ${system_id}.`);
  }

  async #claim(path: string): Promise<void> {
    await readdir(this.#directory);
    const draft = await this.#draft('system');
    const text = `${JSON.stringify({ system_id: this.#systemId })}\n`;
    await writeFile(join(draft, systemFile), text, { flush: true });
    await rename(join(draft, systemFile), path);
    await rm(draft, { recursive: true });
    await syncDirectory(this.#directory);
  }

  async #draft(name: string): Promise<string> {
    const drafts = join(this.#directory, staging);
    await mkdir(drafts, { recursive: true });
    return mkdtemp(join(drafts, `${name}-`));
  }
}

function hourText(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 13);
}

function nameOf({ lane, startMs, first, last }: LaneHour): string {
  return `${hourText(startMs)}-lane-${lane}-${first}-${last}`;
}

/** Where an hour is, below the warehouse's directory. */
export function directoryOf(hour: LaneHour): string {
  return `${hourText(hour.startMs).slice(0, 10)}/${nameOf(hour)}`;
}

function hourNamed(name: string): LaneHour | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d)-lane-(\d+)-(\d+)-(\d+)$/.exec(name);
  if (parts === null) return null;
  const startMs = Date.parse(`${parts[1]}:00:00Z`);
  return { lane: Number(parts[2]), startMs, first: Number(parts[3]), last: Number(parts[4]) };
}
