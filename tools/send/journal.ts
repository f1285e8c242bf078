import { rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { orNull } from '../../src/files/directories.ts';
import { readJsonFile } from '../../src/files/json-file.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import { createSecretFile } from '../../src/files/secret-file.ts';
import type { RecordPlace } from '../../src/lib/csv/record-cutter.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from '../../src/runtime/process-identity.ts';
import { InputError } from '../input/records.ts';
import type { StoredTally } from './tally.ts';

/** How far a file is sent. The results file has exactly the lines that are neither open nor behind `next`. */
export interface Journal {
  readonly version: 1;
  readonly sha256: string;
  readonly bytes: number;
  /** What decides about idempotency keys: it may not change on the way. */
  readonly batch: string;
  readonly key: string | null;
  readonly format: string;
  /** Absolute path, and how much of it counts; null: no results are written. */
  readonly results: { readonly path: string; readonly bytes: number } | null;
  /** The first record that was not taken from the file. */
  readonly next: RecordPlace;
  /**
   * Line and offset of records that were taken and have no result. There are as many as contributions under
   * way at most.
   */
  readonly open: readonly (readonly [number, number])[];
  readonly tally: StoredTally;
  readonly isDone: boolean;
  /** Its run ended in order: nothing but `open` may have been sent without a result. */
  readonly isOrderly: boolean;
  /** Milliseconds since the epoch. */
  readonly writtenMs: number;
}

/** The journal at a path; null: there is none. @throws InputError */
export async function readJournal(path: string): Promise<Journal | null> {
  const text = await orNull(readFile(path, 'utf8')).catch((error) => {
    throw new InputError(`${path} cannot be read: ${(error as Error).message}`);
  });
  if (text === null) return null;
  try {
    const journal = JSON.parse(text) as Journal | null;
    if (journal?.version === 1) return journal;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InputError(`${path} is not a journal of this release.`);
}

/** Durable when it resolves. */
export function writeJournal(path: string, journal: Journal): Promise<void> {
  return replaceFile(path, `${JSON.stringify(journal)}\n`);
}

/** Makes this process the only one that sends with a journal. @throws InputError */
export function lockJournal(path: string): { release(): Promise<void> } {
  const lock = `${resolve(path)}.lock`;
  const mine = identifyProcess(process.pid) ?? { pid: process.pid, birth: 'unknown' };
  if (!createLock(lock, mine)) {
    const holder = readJsonFile(lock) as ProcessIdentity | null;
    if (holder !== null && isAlive(holder))
      throw new InputError(`Process ${holder.pid} is sending this file.`);
    rmSync(lock, { force: true });
    if (!createLock(lock, mine)) throw new InputError('Another process is just starting to send this file.');
  }
  return { release: () => rm(lock, { force: true }) };
}

/**
 * The journal lies beside the input unless it is named, and not every input lies where one may write. @throws
 * InputError
 */
function createLock(lock: string, mine: ProcessIdentity): boolean {
  try {
    return createSecretFile(lock, JSON.stringify(mine));
  } catch (error) {
    throw new InputError(
      `The journal cannot be kept there: ${(error as Error).message}. Give it another place with --journal.`,
    );
  }
}
