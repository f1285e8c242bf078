import { setTimeout as sleep } from 'node:timers/promises';
import { LoopTurn, nextTurn } from '../lib/turns.ts';
import type { AuditLog } from '../ports.ts';
import type { AuditEntry } from './entry.ts';
import {
  type AuditFilter,
  type AuditPage,
  type AuditPlace,
  type AuditRecord,
  Behind,
  isWanted,
  outcomeWithinMs,
  readTrail,
} from './reader.ts';
import { readWindow, scanned } from './scan.ts';
import { type IndexedChange, maxIndexedChanges, TrailIndex } from './trail-index.ts';

type TrailLog = Pick<AuditLog, 'readFrom' | 'read' | 'extent'>;

/** A trail that is further ahead is read in the background, and its lists by scans until then. */
const maxReadForPage = 1_000;
/** Messages between two of a page that are read with them instead of in another request. */
const maxGap = 8;
/** Messages of a batch that the log gives at once. */
const maxWindow = 128;
const parallelReads = 4;
const everyMs = 1_000;
/** Reading a long trail, it pauses this many times as long as a batch took. */
const restTimes = 3;

/**
 * Pages of the trail, which read the messages of their own changes only: an index in memory has the filters
 * of the newest 200,000 changes (docs/decisions/0207). Older ones are scanned.
 */
export class IndexedTrail {
  readonly #log: TrailLog;
  readonly #maxChanges: number;
  readonly #index: TrailIndex;
  #catchingUp: Promise<void> = Promise.resolve();
  #nextCatchUp: Promise<void> | null = null;

  constructor(log: TrailLog, maxChanges = maxIndexedChanges) {
    this.#log = log;
    this.#maxChanges = maxChanges;
    this.#index = new TrailIndex(maxChanges);
  }

  /** A page of the changes that match, all of them that are stored by now. @throws LogError */
  async page(filter: AuditFilter, place: AuditPlace): Promise<AuditPage> {
    const { firstSequence, lastSequence } = await this.#log.extent();
    if (lastSequence - this.#index.lastSequence > maxReadForPage) {
      this.catchUp().catch(() => {});
      return readTrail(this.#log, filter, place);
    }
    if (lastSequence > this.#index.lastSequence) await this.catchUp();
    const picked = this.#pick(filter, place, firstSequence);
    if (picked === null) return readTrail(this.#log, filter, place);
    const { changes, ...around } = picked;
    return { records: await this.#read(changes), ...around };
  }

  /** Whether the trail has a change of this id, among the newest ones. @throws LogError */
  async has(id: string): Promise<boolean> {
    await this.catchUp();
    return this.#index.changes.some((change) => change.id === id);
  }

  /** Reads on to the end of the trail. @throws LogError */
  catchUp(): Promise<void> {
    // The one that runs may have asked for the end before the newest message was stored.
    this.#nextCatchUp ??= this.#catchingUp
      .catch(() => {})
      .then(() => {
        this.#nextCatchUp = null;
        this.#catchingUp = this.#readOn();
        return this.#catchingUp;
      });
    return this.#nextCatchUp;
  }

  /** Keeps the index near the end of the trail. */
  follow(report: (error: unknown) => void): { stop(): void } {
    let isRunning = false;
    const readOn = (): void => {
      if (isRunning) return;
      isRunning = true;
      this.catchUp()
        .catch(report)
        .finally(() => {
          isRunning = false;
        });
    };
    readOn();
    const timer = setInterval(readOn, everyMs);
    timer.unref();
    return { stop: () => clearInterval(timer) };
  }

  async #readOn(): Promise<void> {
    const index = this.#index;
    const { firstSequence, lastSequence } = await this.#log.extent();
    // A change has two entries, mostly in a message each.
    const oldest = Math.max(firstSequence, lastSequence - 2 * this.#maxChanges + 1);
    const turn = new LoopTurn();
    for (let next = Math.max(index.lastSequence + 1, oldest); next <= lastSequence; ) {
      const batch = await this.#log.readFrom(next);
      const beganAt = performance.now();
      turn.begin();
      for (const message of batch) {
        if (message.sequence <= index.lastSequence) continue;
        index.take(scanned(message));
        if (turn.isOver) await turn.next();
      }
      const last = batch.at(-1);
      if (last === undefined) return;
      next = last.sequence + 1;
      // No page waits for a long trail.
      if (lastSequence - next > maxReadForPage) await sleep(restTimes * (performance.now() - beganAt));
    }
  }

  /** null: only a scan has them. */
  #pick(
    filter: AuditFilter,
    place: AuditPlace,
    oldestSequence: number,
  ): (Omit<AuditPage, 'records'> & { readonly changes: readonly IndexedChange[] }) | null {
    const { changes, firstSequence, firstMs } = this.#index;
    const { after = null, limit, oldestFirst, countsTo = 0 } = place;
    const hasAll = firstSequence <= oldestSequence;
    const { fromMs, toMs } = filter;
    const endsBefore = toMs !== undefined && toMs < firstMs + outcomeWithinMs;
    const reachesBack = fromMs === undefined || fromMs < firstMs + outcomeWithinMs;
    const beginsBefore = after === null ? oldestFirst && reachesBack : after.sequence <= firstSequence;
    if (!hasAll && (endsBefore || beginsBefore)) return null;
    const matches = decidedOnce(filter.matches);
    const wanted: AuditFilter = { ...filter, matches };
    const behind = new Behind(place);
    const found: IndexedChange[] = [];
    let matching = 0;
    const isOver = () => found.length > limit && matching > countsTo;
    const step = oldestFirst ? 1 : -1;
    for (let at = oldestFirst ? 0 : changes.length - 1; at >= 0 && at < changes.length; at += step) {
      const change = changes[at]!;
      if (!behind.has(change.sequence, change.id) || !isWanted(wanted, change)) continue;
      matching += 1;
      // One more than the page shows tells whether there is another.
      if (matching > place.skip && found.length <= limit) found.push(change);
      if (isOver()) break;
    }
    const isWhole = hasAll || oldestFirst || !reachesBack;
    const oldest = changes[0] ?? { sequence: firstSequence, id: '' };
    const hasMore = found.length > limit;
    const { sequence, id } = hasMore ? found[limit - 1]! : oldest;
    return {
      changes: found.slice(0, limit),
      unreadMs: hasMore || isWhole ? null : firstMs,
      last: hasMore || !(isWhole || matching < place.skip) ? { sequence, id } : null,
      total: place.countsTo !== undefined && (isWhole || matching > countsTo) ? matching : null,
    };
  }

  async #read(changes: readonly IndexedChange[]): Promise<readonly AuditRecord[]> {
    const sequences = new Set<number>();
    for (const { sequence, outcomeSequence } of changes) {
      sequences.add(sequence);
      if (outcomeSequence > 0) sequences.add(outcomeSequence);
    }
    const windows = windowsOf([...sequences].sort((a, b) => a - b));
    const entries = new Map<string, AuditEntry>();
    const readNext = async (): Promise<void> => {
      for (let window = windows.pop(); window !== undefined; window = windows.pop()) {
        const messages = await this.#messages(window);
        for (const message of messages) {
          if (!sequences.has(message.sequence)) continue;
          for (const entry of scanned(message).entries) entries.set(`${entry.kind} ${entry.id}`, entry);
        }
        await nextTurn();
      }
    };
    await Promise.all(Array.from({ length: parallelReads }, readNext));
    return changes.flatMap(({ id, sequence }) => {
      const event = entries.get(`event ${id}`);
      const intent = event ?? entries.get(`intent ${id}`);
      if (intent === undefined) return [];
      return [{ intent, outcome: event ?? entries.get(`outcome ${id}`) ?? null, sequence }];
    });
  }

  async #messages({ first, last }: Window) {
    if (first < last) return readWindow(this.#log, first, last);
    const message = await this.#log.read(first);
    return message === null ? [] : [message];
  }
}

interface Window {
  readonly first: number;
  readonly last: number;
}

/** Ranges that have the sequences, few of them and with little between. */
function windowsOf(sequences: readonly number[]): Window[] {
  const windows: Window[] = [];
  for (const sequence of sequences) {
    const open = windows.at(-1);
    if (open !== undefined && sequence - open.last <= maxGap && sequence - open.first < maxWindow)
      windows[windows.length - 1] = { first: open.first, last: sequence };
    else windows.push({ first: sequence, last: sequence });
  }
  return windows;
}

/** Changes of the same owners share a list of them. */
function decidedOnce(matches: AuditFilter['matches']): AuditFilter['matches'] {
  const decided = new Map<readonly string[], boolean>();
  return ({ owners }) => {
    let isShown = decided.get(owners);
    if (isShown === undefined) {
      isShown = matches({ owners });
      decided.set(owners, isShown);
    }
    return isShown;
  };
}
