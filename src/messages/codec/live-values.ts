import { highOf, lowOf } from '../../lib/wide.ts';
import type { LiveValues, LiveValuesNews, LiveValuesSink, PotLiveValues, PotMeters } from '../records.ts';

/**
 * Live values in replies and ticks (docs/decisions/0003): one entry an instance, written by the thousand a
 * second and seldom read. An entry is its own length (u32), sequence, version, epoch, time (f64 each), the
 * number of pots (u16), id, status and head, then each pot: flags (u8: 1 enabled, 2 with meters), instance
 * count and, with meters, contributions (f64), id, its amounts. Texts and bytes have their length (u16)
 * before them, amounts are high (f64) and low (u32); big-endian.
 */
const headBytes = 4 + 4 * 8 + 2;
const lengthBytes = 2;
const amountBytes = 12;
const maxTextBytes = 0xffff;
const potBytes = 1 + 2 * 8 + lengthBytes;
const metersOf = 6;
const half = 4_294_967_296n;
const isEnabled = 1;
const hasMeters = 2;

/** Writes entries one after the other. Used again and again. */
export class LiveValuesWriter implements LiveValuesSink {
  #bytes = Buffer.alloc(64 * 1024);
  #view = viewOf(this.#bytes);
  #at = 0;
  /** Where the entry under way began; what is before it is complete. */
  #began = 0;

  begin(): void {
    this.#at = 0;
    this.#began = 0;
  }

  get length(): number {
    return this.#at;
  }

  /** Takes the last entry back. */
  dropLast(): void {
    this.#at = this.#began;
  }

  /** A copy of the entries. */
  taken(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.#at));
  }

  instance(values: Omit<LiveValues, 'pots'>, pots: number): void {
    this.#began = this.#at;
    this.#reserve(headBytes);
    const view = this.#view;
    view.setFloat64(this.#at + 4, values.sequence);
    view.setFloat64(this.#at + 12, values.version);
    view.setFloat64(this.#at + 20, values.epoch);
    view.setFloat64(this.#at + 28, values.lastUpdatedMs);
    view.setUint16(this.#at + 36, pots);
    this.#at += headBytes;
    this.#text(values.instance);
    this.#text(values.status);
    const { length } = values.head;
    this.#reserve(lengthBytes + length);
    this.#view.setUint16(this.#at, length);
    this.#bytes.set(values.head, this.#at + lengthBytes);
    this.#at += lengthBytes + length;
    this.#close();
  }

  pot(id: string, instanceCount: number, enabled: boolean, totalContributions: number | null): void {
    this.#reserve(potBytes);
    this.#bytes[this.#at] = (enabled ? isEnabled : 0) | (totalContributions === null ? 0 : hasMeters);
    this.#view.setFloat64(this.#at + 1, instanceCount);
    this.#at += 9;
    if (totalContributions !== null) {
      this.#view.setFloat64(this.#at, totalContributions);
      this.#at += 8;
    }
    this.#text(id);
    this.#close();
  }

  amount(high: number, low: number): void {
    this.#reserve(amountBytes);
    this.#view.setFloat64(this.#at, high);
    this.#view.setUint32(this.#at + 8, low);
    this.#at += amountBytes;
    this.#close();
  }

  #text(text: string): void {
    const max = 3 * text.length;
    this.#reserve(lengthBytes + max);
    const length = this.#bytes.write(text, this.#at + lengthBytes, max, 'utf8');
    if (length > maxTextBytes) throw new RangeError('a text is too long');
    this.#view.setUint16(this.#at, length);
    this.#at += lengthBytes + length;
  }

  #close(): void {
    this.#view.setUint32(this.#began, this.#at - this.#began);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * this.#bytes.length + bytes);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

const writer = new LiveValuesWriter();

/** Entries of live values. */
export function packLiveValues(all: readonly LiveValues[]): Uint8Array {
  writer.begin();
  for (const values of all) writeLiveValues(writer, values);
  return writer.taken();
}

/** Writes an entry. */
export function writeLiveValues(sink: LiveValuesSink, values: LiveValues): void {
  sink.instance(values, values.pots.length);
  for (const { pot, currentAtoms, instanceCount, enabled, meters } of values.pots) {
    sink.pot(pot, instanceCount, enabled, meters?.totalContributions ?? null);
    writeAmount(sink, currentAtoms);
    if (meters === undefined) continue;
    writeAmount(sink, meters.seedAtoms);
    writeAmount(sink, meters.surplusAtoms);
    writeAmount(sink, meters.overflowAtoms);
    writeAmount(sink, meters.contributedAtoms);
    writeAmount(sink, meters.contributedSeedAtoms);
    writeAmount(sink, meters.initialCostAtoms);
  }
}

function writeAmount(sink: LiveValuesSink, atoms: bigint): void {
  sink.amount(highOf(atoms), lowOf(atoms));
}

/** The entries; each keeps its own bytes. @throws RangeError if they end early */
export function unpackLiveValues(bytes: Uint8Array): PackedLiveValues[] {
  const view = viewOf(bytes);
  const all: PackedLiveValues[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint32(at);
    if (length < headBytes || at + length > bytes.length) throw new RangeError('an entry ends early');
    // A copy: a view would keep the whole message for as long as the instance stays as it is.
    all.push(new PackedLiveValues(new Uint8Array(bytes.subarray(at, at + length))));
    at += length;
  }
  return all;
}

/** An entry. */
class PackedLiveValues implements LiveValuesNews {
  readonly instance: string;
  readonly status: string;
  readonly sequence: number;
  readonly lastUpdatedMs: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    const reader = new EntryReader(bytes);
    this.#bytes = bytes;
    this.sequence = reader.view.getFloat64(4);
    this.lastUpdatedMs = reader.view.getFloat64(28);
    this.instance = reader.text();
    this.status = reader.text();
  }

  values(): LiveValues {
    const { instance, status, sequence, lastUpdatedMs } = this;
    const reader = new EntryReader(this.#bytes);
    const { view } = reader;
    reader.skip();
    reader.skip();
    const head = reader.taken();
    const pots = Array.from({ length: view.getUint16(36) }, () => readPot(reader));
    const [version, epoch] = [view.getFloat64(12), view.getFloat64(20)];
    return { instance, sequence, version, status, pots, head, epoch, lastUpdatedMs };
  }
}

function readPot(reader: EntryReader): PotLiveValues {
  const flags = reader.byte();
  const instanceCount = reader.number();
  const totalContributions = (flags & hasMeters) === 0 ? null : reader.number();
  const pot = reader.text();
  const enabled = (flags & isEnabled) !== 0;
  const currentAtoms = reader.amount();
  const values = { pot, currentAtoms, instanceCount, enabled };
  return totalContributions === null ? values : { ...values, meters: readMeters(reader, totalContributions) };
}

function readMeters(reader: EntryReader, totalContributions: number): PotMeters {
  const [seedAtoms, surplusAtoms, overflowAtoms, contributedAtoms, contributedSeedAtoms, initialCostAtoms] =
    Array.from({ length: metersOf }, () => reader.amount()) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
  return {
    seedAtoms,
    surplusAtoms,
    overflowAtoms,
    contributedAtoms,
    contributedSeedAtoms,
    initialCostAtoms,
    totalContributions,
  };
}

/** Reads what follows the fixed part of an entry. */
class EntryReader {
  readonly view: DataView;
  readonly #bytes: Buffer;
  #at = headBytes;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.view = viewOf(bytes);
  }

  byte(): number {
    this.#at += 1;
    return this.view.getUint8(this.#at - 1);
  }

  number(): number {
    this.#at += 8;
    return this.view.getFloat64(this.#at - 8);
  }

  amount(): bigint {
    this.#at += amountBytes;
    const [high, low] = [this.view.getFloat64(this.#at - amountBytes), this.view.getUint32(this.#at - 4)];
    return BigInt(high) * half + BigInt(low);
  }

  text(): string {
    const length = this.#enter();
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  taken(): Uint8Array {
    const length = this.#enter();
    return new Uint8Array(this.#bytes.subarray(this.#at - length, this.#at));
  }

  skip(): void {
    this.#enter();
  }

  #enter(): number {
    const length = this.view.getUint16(this.#at);
    this.#at += lengthBytes + length;
    if (this.#at > this.#bytes.length) throw new RangeError('an entry ends early');
    return length;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
