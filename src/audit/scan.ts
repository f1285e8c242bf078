import type { AuditLog, StoredAudit } from '../ports.ts';
import { decodeMessage } from './chain.ts';
import type { AuditEntry } from './entry.ts';

export type MessageSource = Pick<AuditLog, 'readFrom'>;

/** A message of the trail; without entries where it cannot be read. */
export interface ScannedMessage {
  readonly sequence: number;
  readonly timestampMs: number;
  readonly entries: readonly AuditEntry[];
}

const windowMessages = 100;

/** Messages of a range in order. @throws LogError */
export async function* oldestEntriesFirst(
  log: MessageSource,
  first: number,
  last: number,
): AsyncGenerator<ScannedMessage> {
  for (let from = first; from <= last; from += windowMessages) {
    const window = await readWindow(log, from, Math.min(last, from + windowMessages - 1));
    for (const message of window) yield scanned(message);
  }
}

/** Messages of a range, the last one first. @throws LogError */
export async function* newestEntriesFirst(
  log: MessageSource,
  first: number,
  last: number,
): AsyncGenerator<ScannedMessage> {
  for (let to = last; to >= first; to -= windowMessages) {
    const window = await readWindow(log, Math.max(first, to - windowMessages + 1), to);
    for (const message of window.toReversed()) yield scanned(message);
  }
}

/** Its entries, where they are what was written. */
export function scanned({ sequence, timestampMs, bytes, relayed }: StoredAudit): ScannedMessage {
  return { sequence, timestampMs, entries: (relayed ? null : decodeMessage(bytes))?.entries ?? [] };
}

/** Messages of a range. @throws LogError */
export async function readWindow(
  log: MessageSource,
  from: number,
  to: number,
): Promise<readonly StoredAudit[]> {
  const messages: StoredAudit[] = [];
  for (let next = from; next <= to; ) {
    const batch = await log.readFrom(next);
    const last = batch.at(-1);
    if (last === undefined) break;
    for (const message of batch) if (message.sequence <= to) messages.push(message);
    next = last.sequence + 1;
  }
  return messages;
}
