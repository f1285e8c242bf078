/** One record as it lies in its file or body. */
export interface RawRecord {
  /** Physical line on which it begins, from 1. */
  readonly line: number;
  /** Byte at which it begins. */
  readonly offset: number;
  /** Without its line end. */
  readonly bytes: Buffer;
  /** The next record begins here, or behind blank lines. */
  readonly behind: RecordPlace;
  /** A quote is where CSV has none. */
  readonly isBroken: boolean;
}

/** A place between two records. */
export interface RecordPlace {
  readonly line: number;
  readonly offset: number;
}

/** Nothing says where a record ends. The message names its line. */
export class EndlessRecordError extends Error {}

export const firstPlace: RecordPlace = { line: 1, offset: 0 };
/** A longer record has no cells. */
export const maxRecordBytes = 64 * 1024;
/** A line without quotes ends somewhere; until then it may not take all memory. */
const maxLineBytes = 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const space = 0x20;
const tab = 0x09;
const mark = Buffer.from('\uFEFF');

/**
 * Cuts UTF-8 text into records; blank lines are none. A line of CSV ends with LF, CRLF or CR, whatever the
 * others end with. A line end in a quoted cell belongs to its record, and a quote quotes only where a cell
 * begins.
 */
export class RecordCutter {
  readonly #separators: readonly number[] | null;
  /** What has begun and not ended. */
  #begun: Buffer = Buffer.alloc(0);
  #line: number;
  #offset: number;

  /** @param separators of cells, characters of one byte; null: it is no CSV, and only LF ends a line */
  constructor({ line, offset }: RecordPlace, separators: string | null) {
    this.#line = line;
    this.#offset = offset;
    this.#separators = separators === null ? null : [...Buffer.from(separators)];
  }

  /** The records that end in what was given so far. @throws EndlessRecordError */
  cut(chunk: Buffer): RawRecord[] {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    return this.#recordsIn(bytes, false);
  }

  /** The record behind the last line end. @throws EndlessRecordError */
  end(): RawRecord[] {
    return this.#recordsIn(this.#begun, true);
  }

  #recordsIn(bytes: Buffer, isLast: boolean): RawRecord[] {
    const records: RawRecord[] = [];
    const next = new NextBytes(bytes);
    let start = 0;
    while (start < bytes.length) {
      const content = this.#offset === 0 && bytes.indexOf(mark) === 0 ? mark.length : start;
      const found = this.#endOf(bytes, content, next);
      if (found === null && (isLast || bytes.length - start > maxRecordBytes)) throw this.#endless();
      if (found === null) break;
      const { end, isBroken } = found;
      const behind = end + lineEndAt(bytes, end);
      // The record may go on in the next chunk, or its carriage return be half a line end.
      if (!isLast && behind === bytes.length && bytes[end] !== lineFeed) break;
      const innerLines = next.quote(content) < end ? lineEndsIn(bytes.subarray(content, end)) : 0;
      if (innerLines > 0 && end - content > maxRecordBytes) throw this.#endless();
      const place = { line: this.#line, offset: this.#offset };
      this.#line += 1 + innerLines;
      this.#offset += behind - start;
      const record = bytes.subarray(content, end);
      if (!isBlank(record))
        records.push({
          ...place,
          bytes: record,
          behind: { line: this.#line, offset: this.#offset },
          isBroken,
        });
      start = behind;
    }
    this.#begun = bytes.subarray(start);
    if (this.#begun.length > maxLineBytes) throw this.#endless();
    return records;
  }

  /** null: a quote is open where the bytes end. */
  #endOf(bytes: Buffer, start: number, next: NextBytes): RecordEnd | null {
    if (this.#separators === null) return { end: next.lineFeed(start), isBroken: false };
    const end = Math.min(next.lineFeed(start), next.carriageReturn(start));
    return next.quote(start) < end ? endOfQuoted(bytes, start, this.#separators) : { end, isBroken: false };
  }

  #endless(): EndlessRecordError {
    return new EndlessRecordError(
      `The record that begins in line ${this.#line} does not end. Is a quote not closed?`,
    );
  }
}

/** Where bytes of a kind are next; each is searched for once. */
class NextBytes {
  readonly #bytes: Buffer;
  #lineFeed = -1;
  #carriageReturn = -1;
  #quote = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  lineFeed(from: number): number {
    if (this.#lineFeed < from) this.#lineFeed = this.#indexOf(lineFeed, from);
    return this.#lineFeed;
  }

  carriageReturn(from: number): number {
    if (this.#carriageReturn < from) this.#carriageReturn = this.#indexOf(carriageReturn, from);
    return this.#carriageReturn;
  }

  quote(from: number): number {
    if (this.#quote < from) this.#quote = this.#indexOf(quote, from);
    return this.#quote;
  }

  /** Behind the bytes where there is none. */
  #indexOf(byte: number, from: number): number {
    const index = this.#bytes.indexOf(byte, from);
    return index < 0 ? this.#bytes.length : index;
  }
}

interface RecordEnd {
  /** Where its line end begins; the number of bytes where they have none. */
  readonly end: number;
  readonly isBroken: boolean;
}

function endOfQuoted(bytes: Buffer, start: number, separators: readonly number[]): RecordEnd | null {
  let cell: 'begins' | 'is bare' | 'is quoted' | 'may be closed' | 'is closed' = 'begins';
  let isBroken = false;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (cell === 'is quoted') cell = byte === quote ? 'may be closed' : cell;
    else if (byte === lineFeed || byte === carriageReturn) return { end: at, isBroken };
    else if (separators.includes(byte)) cell = 'begins';
    // Two quotes are one of the cell's.
    else if (byte === quote && (cell === 'begins' || cell === 'may be closed')) cell = 'is quoted';
    else if (isWhite(byte)) cell = cell === 'may be closed' ? 'is closed' : cell;
    else {
      isBroken ||= cell !== 'begins' && (byte === quote || cell !== 'is bare');
      cell = 'is bare';
    }
  }
  return cell === 'is quoted' ? null : { end: bytes.length, isBroken };
}

function lineEndAt(bytes: Buffer, at: number): number {
  if (at === bytes.length) return 0;
  return bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? 2 : 1;
}

function lineEndsIn(bytes: Buffer): number {
  return bytes.toString('latin1').match(/\r\n|\r|\n/g)?.length ?? 0;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => isWhite(byte) || byte === carriageReturn);
}

function isWhite(byte: number): boolean {
  return byte === space || byte === tab;
}
