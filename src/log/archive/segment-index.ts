import { type Archive, LogError, type Table } from '../../ports.ts';
import { type ArchivedMessage, decodeSegment, type LogSegment, type SegmentFacts } from './segment.ts';

/** A segment that counts: KV ARCHIVE names it. */
export interface IndexedSegment extends SegmentFacts {
  readonly sha256: string;
  readonly object: string;
  readonly storedBytes: number;
}

/** Where segments are kept, and which of them count. */
interface ArchivePorts {
  readonly table: () => Promise<Table>;
  readonly store: () => Promise<Archive>;
}

/** Segments that stay decoded: neighbours of a message are often asked for next. */
const maxDecoded = 2;
const sequenceDigits = 16;
const shownDigits = 12;

/**
 * The archive of all lanes. An uploaded segment counts from the moment that the table has its key, which
 * names its first sequence and is written once: two archivers cannot both continue a lane
 * (docs/decisions/0332).
 */
export class SegmentIndex {
  readonly #ports: ArchivePorts;
  readonly #segments = new Map<number, IndexedSegment[]>();
  readonly #decoded = new Map<string, Promise<readonly ArchivedMessage[]>>();
  #opening: Promise<{ stop(): Promise<void> }> | null = null;

  constructor(ports: ArchivePorts) {
    this.#ports = ports;
  }

  async open(): Promise<void> {
    this.#opening ??= this.#watch();
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }

  async close(): Promise<void> {
    const watch = await this.#opening?.catch(() => null);
    await watch?.stop();
  }

  segments(lane: number): readonly IndexedSegment[] {
    return this.#segments.get(lane) ?? [];
  }

  lastSequence(lane: number): number {
    return this.segments(lane).at(-1)?.last ?? 0;
  }

  /** The first message archived without a gap up to the last one; null: nothing is archived. */
  firstSequence(lane: number): number | null {
    const segments = this.segments(lane);
    let first: number | null = null;
    for (let index = segments.length - 1; index >= 0; index -= 1) {
      const segment = segments[index] as IndexedSegment;
      if (first !== null && segment.last + 1 !== first) break;
      first = segment.first;
    }
    return first;
  }

  /** The segment that has a message; null: none has. */
  find(lane: number, sequence: number): IndexedSegment | null {
    const segments = this.segments(lane);
    let [low, high] = [0, segments.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((segments[middle] as IndexedSegment).last < sequence) low = middle + 1;
      else high = middle;
    }
    const found = segments[low];
    return found !== undefined && found.first <= sequence ? found : null;
  }

  /** The messages of a segment, checked. @throws LogError; `corrupt` if it is lost or another one */
  messages(segment: IndexedSegment): Promise<readonly ArchivedMessage[]> {
    const known = this.#decoded.get(segment.object);
    if (known !== undefined) return known;
    const reading = this.#read(segment);
    this.#decoded.set(segment.object, reading);
    reading.catch(() => this.#decoded.delete(segment.object));
    for (const [oldest] of this.#decoded) {
      if (this.#decoded.size <= maxDecoded) break;
      this.#decoded.delete(oldest);
    }
    return reading;
  }

  /** One archived message; null: the archive does not have it. @throws LogError */
  async message(lane: number, sequence: number): Promise<ArchivedMessage | null> {
    await this.open();
    const segment = this.find(lane, sequence);
    if (segment === null) return null;
    return (await this.messages(segment))[sequence - segment.first] ?? null;
  }

  /**
   * Records an uploaded segment. False: another archiver has recorded one with the same beginning.
   * @throws LogError
   */
  async record(segment: LogSegment, object: string): Promise<boolean> {
    const { facts, sha256, bytes } = segment;
    const indexed: IndexedSegment = { ...facts, sha256, object, storedBytes: bytes.length };
    const value = new TextEncoder().encode(JSON.stringify(indexed));
    const table = await this.#ports.table();
    if ((await table.put(keyOf(facts), value, 0)) === null) return false;
    this.#add(indexed);
    return true;
  }

  /** Removes a segment: first its record, then its bytes. */
  async remove(segment: IndexedSegment): Promise<void> {
    const table = await this.#ports.table();
    const present = await table.get(keyOf(segment));
    if (present !== null) await table.remove(present.key, present.revision);
    this.#forget(segment.lane, segment.first);
    await (await this.#ports.store()).remove(segment.object);
  }

  store(): Promise<Archive> {
    return this.#ports.store();
  }

  async #read(segment: IndexedSegment): Promise<readonly ArchivedMessage[]> {
    const bytes = await (await this.#ports.store()).get(segment.object);
    if (bytes === null) throw damaged(segment, 'the store does not have it');
    const { facts, sha256, messages } = await decodeSegment(bytes);
    if (sha256 !== segment.sha256 || facts.first !== segment.first || facts.lane !== segment.lane)
      throw damaged(segment, 'the store has another one');
    return messages;
  }

  async #watch(): Promise<{ stop(): Promise<void> }> {
    const table = await this.#ports.table();
    let watch: { stop(): Promise<void> } | null = null;
    await new Promise<void>((resolve, reject) => {
      table
        .watch({
          entry: (key, value) => {
            const segment = value === null ? null : readEntry(value);
            if (segment === null) this.#forget(...placeOf(key));
            else this.#add(segment);
          },
          current: resolve,
        })
        .then((started) => {
          watch = started;
        }, reject);
    });
    return { stop: async () => watch?.stop() };
  }

  #add(segment: IndexedSegment): void {
    const segments = this.#segments.get(segment.lane) ?? [];
    this.#segments.set(segment.lane, segments);
    const at = segments.findIndex(({ first }) => first >= segment.first);
    if (at < 0) segments.push(segment);
    else segments.splice(at, segments[at]?.first === segment.first ? 1 : 0, segment);
  }

  #forget(lane: number, first: number): void {
    const segments = this.#segments.get(lane) ?? [];
    const at = segments.findIndex((segment) => segment.first === first);
    if (at >= 0) segments.splice(at, 1);
  }
}

/** `<lane>/<first>-<last>-<SHA-256>.segment`: names sort by sequence, and other bytes have another name. */
export function segmentObject({ facts: { lane, first, last }, sha256 }: LogSegment): string {
  return `${lane}/${padded(first)}-${padded(last)}-${sha256.slice(0, shownDigits)}.segment`;
}

/** The lane and the first sequence of an object in the store; null: it is no segment. */
export function placeOfObject(object: string): { readonly lane: number; readonly first: number } | null {
  const read = /^(\d{1,4})\/(\d{16})-\d{16}-[0-9a-f]{12}\.segment$/.exec(object);
  return read === null ? null : { lane: Number(read[1]), first: Number(read[2]) };
}

/** null where an entry cannot be read: `verify` finds what is missing then. */
function readEntry(value: Uint8Array): IndexedSegment | null {
  try {
    return JSON.parse(new TextDecoder().decode(value)) as IndexedSegment;
  } catch {
    return null;
  }
}

function keyOf({ lane, first }: Pick<SegmentFacts, 'lane' | 'first'>): string {
  return `${lane}.${padded(first)}`;
}

function placeOf(key: string): [lane: number, first: number] {
  const [lane, first] = key.split('.', 2);
  return [Number(lane), Number(first)];
}

function padded(sequence: number): string {
  return String(sequence).padStart(sequenceDigits, '0');
}

function damaged({ object }: IndexedSegment, what: string): LogError {
  return new LogError('corrupt', `The segment ${object} of the archive is damaged: ${what}.`);
}
