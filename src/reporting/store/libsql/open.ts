import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { draftSuffix, replaceFile } from '../../../files/replace-file.ts';
import { nextTurn } from '../../../lib/turns.ts';
import { StoreError } from '../../base/errors.ts';
import type { ForgottenPlayer, ForgottenPlayers } from '../../base/forgotten.ts';
import type { LaneBatch, LanePosition, StreamBatch } from '../../base/lane-batch.ts';
import type { SideStream } from '../../base/side-tables.ts';
import { checkFacts, factsOf, readFacts } from '../shared/facts.ts';
import { ForgottenInBooks, forgetPlayers } from '../shared/forget.ts';
import { type AnyRow, readPosition } from '../shared/rows.ts';
import { createStatements } from '../shared/schema.ts';
import type { BooksStore } from '../store.ts';
import { LibsqlWriter } from './writer.ts';

/**
 * The books of `npm start`: files of a directory, one of which `current` names. Another one is made beside
 * it, and takes its place when `current` names it.
 */

/** A crash may take the last commits, position and rows: they are written again from the log. */
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -16384;
`;
const busyWithinMs = 5_000;
const firstFile = 'books-1.db';
const filePattern = /^books-(\d+)\.db$/;

/** Opens the books of a directory, and makes them where there are none. @throws StoreError */
export async function openLibsqlBooks(directory: string, systemId: string): Promise<BooksStore> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = currentFile(directory);
  if (name === null) await replaceFile(join(directory, 'current'), firstFile);
  return openFile(directory, name ?? firstFile, systemId);
}

/** New, empty books beside the current ones. @throws StoreError */
export function openNextLibsqlBooks(directory: string, systemId: string): BooksStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = nextFile(directory);
  removeFiles(directory, (each) => each === name);
  // A swap that was killed leaves one.
  for (const file of readdirSync(directory))
    if (file.endsWith(draftSuffix)) rmSync(join(directory, file), { force: true });
  return openFile(directory, name, systemId);
}

/** Puts the new books, which are closed, in the place of the current ones. Who has those open is fenced. */
export async function swapLibsqlBooks(directory: string): Promise<void> {
  await replaceFile(join(directory, 'current'), nextFile(directory));
  const current = currentFile(directory);
  removeFiles(directory, (each) => each !== current);
}

class LibsqlBooks implements BooksStore {
  readonly dialect = 'libsql';
  readonly prefix = '';
  readonly #database: Database.Database;
  readonly #writer: LibsqlWriter;
  readonly isCurrent: () => boolean;
  readonly #forgotten: ForgottenInBooks = new ForgottenInBooks(this);

  constructor(database: Database.Database, isCurrent: () => boolean) {
    this.#database = database;
    this.#writer = new LibsqlWriter(database);
    this.isCurrent = isCurrent;
  }

  async position(lane: number): Promise<LanePosition | null> {
    const [row] = await this.select('SELECT * FROM positions WHERE lane = ?', [lane]);
    return row === undefined ? null : readPosition(row);
  }

  async streamPosition(stream: SideStream): Promise<number | null> {
    const [row] = await this.select('SELECT sequence FROM stream_positions WHERE stream = ?', [stream]);
    return row === undefined ? null : Number(row.sequence);
  }

  async write(batch: LaneBatch): Promise<void> {
    await this.#forgotten.write((forgetting) =>
      this.#commit(() => {
        const fact = this.#database.prepare("SELECT value FROM facts WHERE name = 'forgotten'").get();
        if (Number((fact as AnyRow | undefined)?.value) !== forgetting.count) return false;
        this.#writer.write(forgetting.applied(batch));
        return true;
      }),
    );
  }

  async forget(players: ForgottenPlayers): Promise<readonly ForgottenPlayer[]> {
    if (await this.#forgotten.hasAll(players)) return [];
    return this.#commit(() => {
      const steps = forgetPlayers(this, players);
      let step = steps.next();
      while (step.done !== true) step = steps.next(this.#run(step.value.text, step.value.values));
      return step.value;
    });
  }

  #run(text: string, values: readonly unknown[]): readonly AnyRow[] {
    const statement = this.#database.prepare(text);
    if (text.startsWith('SELECT')) return statement.safeIntegers(true).all(...values) as AnyRow[];
    statement.run(...values);
    return [];
  }

  async writeStream(batch: StreamBatch): Promise<void> {
    this.#commit(() => this.#writer.writeStream(batch));
  }

  #commit<T>(write: () => T): T {
    if (!this.isCurrent())
      throw new StoreError('reporting_fenced', 'Other books have taken the place of the ones that are open.');
    return passingAsUnavailable(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const written = write();
        this.#database.exec('COMMIT');
        return written;
      } catch (error) {
        // SQLite may have rolled back by itself, for example when the disk is full.
        if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** The driver is synchronous: a reader of many pages lets others in between. */
  async select(text: string, values: readonly unknown[]): Promise<readonly AnyRow[]> {
    await nextTurn();
    return passingAsUnavailable(() =>
      this.#database
        .prepare(text)
        .safeIntegers(true)
        .all(...values),
    ) as AnyRow[];
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

function openFile(directory: string, name: string, systemId: string): BooksStore {
  const database = passingAsUnavailable(() => new Database(join(directory, name), { timeout: busyWithinMs }));
  try {
    database.exec(pragmas);
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").get() !== undefined;
    if (!has) makeTables(database, systemId);
    checkFacts(readFacts(database.prepare('SELECT name, value FROM facts').all() as AnyRow[]), systemId);
    return new LibsqlBooks(database, () => isOpenable(directory, name));
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The current books, or the next ones while they are made. */
function isOpenable(directory: string, name: string): boolean {
  const current = currentFile(directory);
  return current === null || numberOf(name) >= numberOf(current);
}

function makeTables(database: Database.Database, systemId: string): void {
  database.exec('BEGIN IMMEDIATE');
  for (const statement of createStatements('libsql', '')) database.exec(statement);
  const add = database.prepare('INSERT INTO facts (name, value, since) VALUES (?, ?, ?)');
  for (const [name, value] of Object.entries(factsOf(systemId))) add.run(name, value, Date.now());
  database.exec('COMMIT');
}

function currentFile(directory: string): string | null {
  try {
    const name = readFileSync(join(directory, 'current'), 'utf8');
    return filePattern.test(name) ? name : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function nextFile(directory: string): string {
  const current = currentFile(directory);
  return `books-${current === null ? 1 : numberOf(current) + 1}.db`;
}

function numberOf(name: string): number {
  return Number(filePattern.exec(name)?.[1] ?? 0);
}

/** Removes books with what belongs to them: their write-ahead log and its index. */
function removeFiles(directory: string, isOne: (name: string) => boolean): void {
  for (const file of readdirSync(directory)) {
    const name = file.replace(/-(wal|shm)$/, '');
    if (filePattern.test(name) && isOne(name)) rmSync(join(directory, file), { force: true });
  }
}

/** A full disk, a locked file and a failing one pass; other errors of the database are bugs. */
const passing = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/;

function passingAsUnavailable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string };
    if (!passing.test(String(code))) throw error;
    throw new StoreError(
      'reporting_unavailable',
      `The reporting database does not answer: ${message}`,
      error,
    );
  }
}
