import { setTimeout as sleep } from 'node:timers/promises';
import { JsonText, writeJson } from '../lib/json.ts';
import { type AuditLog, LogError } from '../ports.ts';
import { encodeMessage, hashOf, noPrevious } from './chain.ts';
import type { AuditEntry } from './entry.ts';

/** The trail does not take the entry. It may be stored all the same where the log's answer was lost. */
export class AuditUnavailable extends Error {
  readonly code = 'audit_unavailable';
  readonly retryable = true;
}

const maxWaitingEntries = 2_000;
const maxEntriesOfMessage = 64;
const maxBytesOfMessage = 256 * 1024;
const storeWithinMs = 3_000;
const waitAtMostMs = 3_000;
const maxTries = 200;
const outagePauseMs = 100;
const maxLostRacePauseMs = 20;
/** While changes follow one another, entries gather for so long (docs/decisions/0222). */
const gatherMs = 4;

interface Waiting {
  readonly entry: JsonText;
  readonly bytes: number;
  readonly sinceMs: number;
  readonly stored: () => void;
  readonly failed: (error: AuditUnavailable) => void;
}

/** The message that may be stored although its answer was lost. */
interface SentMessages {
  doubtful: End | null;
}

interface End {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Appends entries to the trail. One message is under way at a time; entries that come meanwhile share the
 * next one. The log stores a message only behind the one that it names, so writers of several processes make
 * one chain (docs/decisions/0222).
 */
export class AuditWriter {
  readonly #log: AuditLog;
  readonly #waiting: Waiting[] = [];
  #writing = false;
  /** null: not known. */
  #end: End | null = null;

  constructor(log: AuditLog) {
    this.#log = log;
  }

  /** Resolves when the entry is stored. @throws AuditUnavailable after six seconds at most */
  append(entry: AuditEntry): Promise<void> {
    if (this.#waiting.length >= maxWaitingEntries)
      return Promise.reject(new AuditUnavailable('Too many entries of the audit trail wait.'));
    return new Promise((stored, failed) => {
      const text = writeJson(entry);
      const bytes = Buffer.byteLength(text);
      this.#waiting.push({ entry: new JsonText(text), bytes, sinceMs: performance.now(), stored, failed });
      if (!this.#writing) void this.#write().catch(failed);
    });
  }

  /** Stores an entry of several processes once. `isKnown` reads the whole trail. @throws AuditUnavailable */
  async appendOnce(entry: AuditEntry, isKnown: () => Promise<boolean>): Promise<void> {
    const entries = [new JsonText(writeJson(entry))];
    try {
      for (let tries = 1; tries <= maxTries; tries += 1) {
        const end = await this.#readEnd();
        if (await isKnown()) return;
        const bytes = encodeMessage({ sequence: end.sequence + 1, previous: end.hash, entries });
        // The faster writer may have stored this very entry.
        if ((await this.#log.append(bytes, end.sequence)).kind === 'stored') return;
      }
    } catch (cause) {
      throw new AuditUnavailable('The audit trail cannot be written.', { cause });
    }
    throw new AuditUnavailable('The audit trail did not take a message in time.');
  }

  async #write(): Promise<void> {
    this.#writing = true;
    try {
      for (let isFirst = true; this.#waiting.length > 0; isFirst = false) {
        if (!isFirst && this.#waiting.length < maxEntriesOfMessage) await sleep(gatherMs);
        const batch = this.#nextBatch();
        if (batch.length === 0) break;
        try {
          await this.#store(batch.map(({ entry }) => entry));
          for (const { stored } of batch) stored();
        } catch (cause) {
          this.#end = null;
          const error = new AuditUnavailable('The audit trail cannot be written.', { cause });
          // Those that came meanwhile would wait as long again, and their callers with them.
          for (const { failed } of [...batch, ...this.#waiting.splice(0)]) failed(error);
        }
      }
    } finally {
      this.#writing = false;
    }
  }

  #nextBatch(): Waiting[] {
    this.#refuseOverdue();
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes;
      if (count === maxEntriesOfMessage || (count > 0 && bytes > maxBytesOfMessage)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #refuseOverdue(): void {
    const fresh = this.#waiting.findIndex(({ sinceMs }) => performance.now() - sinceMs < waitAtMostMs);
    const overdue = this.#waiting.splice(0, fresh < 0 ? this.#waiting.length : fresh);
    for (const { failed } of overdue) failed(new AuditUnavailable('The audit trail is too slow.'));
  }

  async #store(entries: readonly JsonText[]): Promise<void> {
    const deadlineMs = performance.now() + storeWithinMs;
    const sent: SentMessages = { doubtful: null };
    for (let tries = 1; ; tries += 1) {
      let pauseMs: number;
      try {
        if (await this.#tryToStore(entries, sent)) return;
        pauseMs = Math.random() * Math.min(tries, maxLostRacePauseMs);
      } catch (error) {
        this.#end = null;
        if (!(error instanceof LogError && error.retryable)) throw error;
        pauseMs = outagePauseMs;
      }
      if (tries >= maxTries || performance.now() + pauseMs > deadlineMs)
        throw new LogError('unavailable', 'The audit trail did not take a message in time.');
      await sleep(pauseMs);
    }
  }

  /** False: another writer was faster. */
  async #tryToStore(entries: readonly JsonText[], sent: SentMessages): Promise<boolean> {
    if (sent.doubtful !== null && (await this.#isStored(sent.doubtful))) return this.#isAt(sent.doubtful);
    const end = this.#end ?? (await this.#readEnd());
    const sequence = end.sequence + 1;
    // A message of unknown outcome is stored here with these bytes, or another one has taken its place.
    const bytes = encodeMessage({ sequence, previous: end.hash, entries });
    const own = { sequence, hash: hashOf(bytes) };
    const wasDoubtful = sent.doubtful !== null;
    sent.doubtful = own;
    if ((await this.#log.append(bytes, end.sequence)).kind === 'stored') return this.#isAt(own);
    if (wasDoubtful && (await this.#isStored(own))) return this.#isAt(own);
    sent.doubtful = null;
    this.#end = null;
    return false;
  }

  #isAt(end: End): true {
    this.#end = end;
    return true;
  }

  async #isStored({ sequence, hash }: End): Promise<boolean> {
    const stored = await this.#log.read(sequence);
    return stored !== null && hashOf(stored.bytes) === hash;
  }

  async #readEnd(): Promise<End> {
    const { lastSequence } = await this.#log.extent();
    const last = await this.#log.read(lastSequence);
    return { sequence: lastSequence, hash: last === null ? noPrevious : hashOf(last.bytes) };
  }
}
