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
}

export interface AuditPlace {
  /** How many matching records are left out first. */
  readonly skip: number;
  readonly limit: number;
  readonly oldestFirst: boolean;
}

/** How many messages one list reads: ten thousand take a quarter of a second of a processor. */
const maxScannedMessages = 10_000;
/** An outcome follows its intent within this time, unless the trail was down. */
export const outcomeWithinMs = 60_000;

/** A page of the changes that match. @throws LogError */
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
  return { records: page.records, unreadMs: page.unreadMs };
}

interface Range {
  readonly first: number;
  readonly last: number;
}

async function readBackward(log: MessageSource & Pick<AuditLog, 'read'>, range: Range, page: Page) {
  const { fromMs, toMs } = page.filter;
  const outcomes = new Map<string, AuditEntry>();
  const last = toMs === undefined ? range.last : await lastUntil(log, range, toMs + outcomeWithinMs);
  for await (const { sequence, timestampMs, entries } of newestEntriesFirst(log, range.first, last)) {
    for (const entry of entries.toReversed()) {
      if (entry.kind === 'outcome') outcomes.set(entry.id, entry);
      else page.add({ intent: entry, outcome: takeOutcome(outcomes, entry), sequence });
      if (page.isFull) return;
    }
    if (fromMs !== undefined && timestampMs < fromMs - outcomeWithinMs) return;
    if (page.scannedTooMuch(timestampMs)) return;
  }
}

async function readForward(log: MessageSource & Pick<AuditLog, 'read'>, range: Range, page: Page) {
  const { fromMs, toMs } = page.filter;
  const first = fromMs === undefined ? range.first : await lastUntil(log, range, fromMs - outcomeWithinMs);
  for await (const { sequence, timestampMs, entries } of oldestEntriesFirst(
    log,
    Math.max(first, range.first),
    range.last,
  )) {
    for (const entry of entries) {
      if (entry.kind === 'outcome') page.complete(entry);
      else if (!page.isFull)
        page.add({ intent: entry, outcome: entry.kind === 'event' ? entry : null, sequence });
    }
    if (page.isFull && page.isCompleteAt(timestampMs)) return;
    if (toMs !== undefined && timestampMs > toMs + outcomeWithinMs) return;
    if (page.scannedTooMuch(timestampMs)) return;
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
  readonly records: AuditRecord[] = [];
  unreadMs: number | null = null;
  readonly #place: AuditPlace;
  #matching = 0;
  #scanned = 0;

  constructor(filter: AuditFilter, place: AuditPlace) {
    this.filter = filter;
    this.#place = place;
  }

  get isFull(): boolean {
    return this.records.length >= this.#place.limit;
  }

  add(record: AuditRecord): void {
    if (!isWanted(this.filter, record.intent)) return;
    this.#matching += 1;
    if (this.#matching > this.#place.skip) this.records.push(record);
  }

  complete(outcome: AuditEntry): void {
    const at = this.records.findIndex(({ intent }) => intent.id === outcome.id);
    if (at >= 0) this.records[at] = { ...(this.records[at] as AuditRecord), outcome };
  }

  isCompleteAt(timestampMs: number): boolean {
    return this.records.every(
      ({ intent, outcome }) => outcome !== null || timestampMs > intent.timestamp + outcomeWithinMs,
    );
  }

  scannedTooMuch(timestampMs: number): boolean {
    this.#scanned += 1;
    if (this.#scanned < maxScannedMessages) return false;
    this.unreadMs = timestampMs;
    return true;
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
