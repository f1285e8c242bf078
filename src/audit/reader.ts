import type { AuditLog } from '../ports.ts';
import type { AuditEntry } from './entry.ts';
import { type MessageSource, newestEntriesFirst, oldestEntriesFirst } from './scan.ts';

/** Which changes a list has; absent members match all. */
export interface AuditFilter {
  readonly user?: string | undefined;
  readonly operation?: string | undefined;
  /** Times of the intent in milliseconds, both included. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly matches: (entry: Pick<AuditEntry, 'owners'>) => boolean;
}

/** A change with its outcome; null: none is stored. */
export interface AuditRecord {
  readonly intent: AuditEntry;
  readonly outcome: AuditEntry | null;
  readonly sequence: number;
}

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** The scan stopped at changes of this time, and did not look at the others. null: it looked at all. */
  readonly unreadMs: number | null;
  /** Behind which the list goes on, also where the scan stopped; null: nothing comes after the page. */
  readonly last: AuditPosition | null;
  /** Changes of all pages, as far as they were counted; null: only a scan of the trail would know. */
  readonly total: number | null;
}

/** A change in the trail by its message. Without an id: all changes of the message. */
export interface AuditPosition {
  readonly sequence: number;
  readonly id: string;
}

export interface AuditPlace {
  /** How many matching records are left out first. */
  readonly skip: number;
  readonly limit: number;
  readonly oldestFirst: boolean;
  /** Has what comes behind that one; `skip` is then 0. */
  readonly after?: AuditPosition | null;
  /** Counts the changes that match, up to here and one more; absent: it does not count. */
  readonly countsTo?: number;
}

/** How many messages one list reads: ten thousand take a quarter of a second of a processor. */
const maxScannedMessages = 10_000;
/** An outcome follows its intent within this time, unless the trail was down. */
export const outcomeWithinMs = 60_000;

/** A page of the changes that match, which counts nothing. @throws LogError */
export async function readTrail(
  log: MessageSource & Pick<AuditLog, 'extent' | 'read'>,
  filter: AuditFilter,
  place: AuditPlace,
): Promise<AuditPage> {
  const { firstSequence, lastSequence } = await log.extent();
  const page = new Page(filter, place);
  const range = { first: firstSequence, last: lastSequence };
  if (place.oldestFirst) await readForward(log, range, page);
  else await readBackward(log, range, page);
  return page.result;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

async function readBackward(log: MessageSource & Pick<AuditLog, 'read'>, range: Range, page: Page) {
  const { fromMs } = page.filter;
  // What the list had shown is gone from the trail, and all behind it.
  if (page.after !== null && page.after.sequence < range.first) return;
  const outcomes = new Map<string, AuditEntry>();
  const beganMs = await newestMs(log, page);
  const last = beganMs === null ? range.last : await lastUntil(log, range, beganMs + outcomeWithinMs);
  for await (const { sequence, timestampMs, entries } of newestEntriesFirst(log, range.first, last)) {
    for (const entry of entries.toReversed()) {
      if (entry.kind === 'outcome') outcomes.set(entry.id, entry);
      else page.add({ intent: entry, outcome: takeOutcome(outcomes, entry), sequence });
      if (page.isFull) return;
    }
    if (fromMs !== undefined && timestampMs < fromMs - outcomeWithinMs) return;
    if (page.scannedTooMuch(sequence, timestampMs)) return;
  }
}

/** When the newest change of the page can have been stored; null: now. */
async function newestMs(log: MessageSource, { filter, after }: Page): Promise<number | null> {
  if (after === null) return filter.toMs ?? null;
  // Its own message, or the next one that is there.
  const [message] = await log.readFrom(after.sequence);
  return message?.timestampMs ?? null;
}

async function readForward(log: MessageSource & Pick<AuditLog, 'read'>, range: Range, page: Page) {
  const { fromMs, toMs } = page.filter;
  const first = fromMs === undefined ? range.first : await lastUntil(log, range, fromMs - outcomeWithinMs);
  for await (const { sequence, timestampMs, entries } of oldestEntriesFirst(
    log,
    Math.max(first, range.first, page.after?.sequence ?? 0),
    range.last,
  )) {
    for (const entry of entries) {
      if (entry.kind === 'outcome') page.complete(entry);
      else if (!page.isFull)
        page.add({ intent: entry, outcome: entry.kind === 'event' ? entry : null, sequence });
    }
    if (page.isFull && page.isCompleteAt(timestampMs)) return;
    if (toMs !== undefined && timestampMs > toMs + outcomeWithinMs) return;
    if (page.scannedTooMuch(sequence, timestampMs)) return;
  }
}

function takeOutcome(outcomes: Map<string, AuditEntry>, entry: AuditEntry): AuditEntry | null {
  if (entry.kind === 'event') return entry;
  const outcome = outcomes.get(entry.id) ?? null;
  outcomes.delete(entry.id);
  return outcome;
}

class Page {
  readonly filter: AuditFilter;
  readonly #found: AuditRecord[] = [];
  readonly #place: AuditPlace;
  readonly #behind: Behind;
  #matching = 0;
  #scanned = 0;
  #stoppedAt: { readonly sequence: number; readonly timestampMs: number } | null = null;

  constructor(filter: AuditFilter, place: AuditPlace) {
    this.filter = filter;
    this.#place = place;
    this.#behind = new Behind(place);
  }

  get after(): AuditPosition | null {
    return this.#place.after ?? null;
  }

  /** One more than it shows tells whether there is another page. */
  get isFull(): boolean {
    return this.#found.length > this.#place.limit;
  }

  get result(): AuditPage {
    const { skip, limit } = this.#place;
    const records = this.#found.slice(0, limit);
    const stopped = this.isFull ? null : this.#stoppedAt;
    // Behind a page with a number would be shown what it has to leave out first.
    const isPlace = stopped !== null && this.#matching >= skip;
    return {
      records,
      unreadMs: stopped?.timestampMs ?? null,
      last: this.isFull
        ? positionOf(records.at(-1)!)
        : isPlace
          ? { sequence: stopped.sequence, id: '' }
          : null,
      total: null,
    };
  }

  add(record: AuditRecord): void {
    if (!this.#behind.has(record.sequence, record.intent.id)) return;
    if (!isWanted(this.filter, record.intent)) return;
    this.#matching += 1;
    if (this.#matching > this.#place.skip) this.#found.push(record);
  }

  complete(outcome: AuditEntry): void {
    const at = this.#found.findIndex(({ intent }) => intent.id === outcome.id);
    if (at >= 0) this.#found[at] = { ...(this.#found[at] as AuditRecord), outcome };
  }

  isCompleteAt(timestampMs: number): boolean {
    return this.#found.every(
      ({ intent, outcome }) => outcome !== null || timestampMs > intent.timestamp + outcomeWithinMs,
    );
  }

  scannedTooMuch(sequence: number, timestampMs: number): boolean {
    // Messages before the page have but outcomes for it.
    if (!this.#place.oldestFirst && this.after !== null && sequence > this.after.sequence) return false;
    this.#scanned += 1;
    if (this.#scanned < maxScannedMessages) return false;
    this.#stoppedAt = { sequence, timestampMs };
    return true;
  }
}

function positionOf({ sequence, intent: { id } }: AuditRecord): AuditPosition {
  return { sequence, id };
}

/** Whether changes, asked for in the order of the list, come behind the place where it goes on. */
export class Behind {
  readonly #after: AuditPosition | null;
  readonly #oldestFirst: boolean;
  #hasPassed = false;

  constructor({ after = null, oldestFirst }: AuditPlace) {
    this.#after = after;
    this.#oldestFirst = oldestFirst;
  }

  has(sequence: number, id: string): boolean {
    if (this.#after === null || this.#hasPassed) return true;
    if (sequence !== this.#after.sequence) return this.#oldestFirst === sequence > this.#after.sequence;
    this.#hasPassed = id === this.#after.id;
    return false;
  }
}

type Filtered = Pick<AuditEntry, 'user' | 'operation' | 'timestamp' | 'owners'>;

/** Whether a list has a change with this intent. */
export function isWanted({ user, operation, fromMs, toMs, matches }: AuditFilter, intent: Filtered): boolean {
  if (user !== undefined && intent.user !== user) return false;
  if (operation !== undefined && intent.operation !== operation) return false;
  if (fromMs !== undefined && intent.timestamp < fromMs) return false;
  if (toMs !== undefined && intent.timestamp > toMs) return false;
  return matches(intent);
}

/** The last message that was stored until then, by halves; the first one where none was. */
async function lastUntil(
  log: Pick<AuditLog, 'read'>,
  { first, last }: Range,
  timeMs: number,
): Promise<number> {
  let low = first;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const message = await log.read(middle);
    if (message === null || message.timestampMs > timeMs) high = middle - 1;
    else low = middle;
  }
  return low;
}
