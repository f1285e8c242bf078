import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** One record of the input as it lies in the file. */
export interface RawRecord {
  /** Physical line on which it begins, from 1. */
  readonly line: number;
  /** Byte at which it begins. */
  readonly offset: number;
  /** Without its line feed. */
  readonly bytes: Buffer;
  /** The next record begins here, or behind blank lines. */
  readonly behind: Place;
}

/** A place between two records. */
export interface Place {
  readonly line: number;
  readonly offset: number;
}

/** The input cannot be used. The message is for the user of the command. */
export class InputError extends Error {}

export const firstPlace: Place = { line: 1, offset: 0 };
/** One record, and one line of the stream. */
export const maxRecordBytes = 64 * 1024;
const readBytes = 256 * 1024;
const lineFeed = 0x0a;
const quote = 0x22;

/** SHA-256 of the file's bytes, and how many there are. @throws InputError */
export async function identityOf(path: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await openInput(path);
  try {
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: readBytes })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}

/**
 * The records of a file from a place on, many at a time; blank lines are left out. In a file with quotes, as CSV is, a line feed
 * between quotes belongs to its record.
 * @throws InputError a record that is too large, where nothing says where it ends
 */
export async function* readRecords(
  path: string,
  from: Place,
  hasQuotes: boolean,
): AsyncGenerator<readonly RawRecord[]> {
  const file = await openInput(path);
  try {
    const cutter = new RecordCutter(from, hasQuotes);
    for (let offset = from.offset; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(readBytes), 0, readBytes, offset);
      offset += bytesRead;
      const records = bytesRead === 0 ? cutter.end() : cutter.cut(buffer.subarray(0, bytesRead));
      if (records.length > 0) yield records;
      if (bytesRead === 0) return;
    }
  } finally {
    await file.close();
  }
}

async function openInput(path: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw new InputError(`${path} cannot be read: ${(error as Error).message}`);
  }
  throw new InputError(`${path} is not a file, and cannot be read again after an interruption.`);
}

class RecordCutter {
  readonly #hasQuotes: boolean;
  /** What has begun and not ended. */
  #begun: Buffer = Buffer.alloc(0);
  /** How much of it was looked at. */
  #searched = 0;
  #isQuoted = false;
  #line: number;
  #offset: number;
  /** Line feeds inside the record that has begun. */
  #inner = 0;

  constructor({ line, offset }: Place, hasQuotes: boolean) {
    this.#line = line;
    this.#offset = offset;
    this.#hasQuotes = hasQuotes;
  }

  cut(chunk: Buffer): RawRecord[] {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    const records: RawRecord[] = [];
    let start = 0;
    for (let at = this.#searched; ; ) {
      const end = bytes.indexOf(lineFeed, at);
      if (this.#hasQuotes) this.#countQuotes(bytes, at, end < 0 ? bytes.length : end);
      if (end < 0) break;
      at = end + 1;
      if (this.#isQuoted) {
        this.#inner += 1;
        this.#requireBounded(at - start);
        continue;
      }
      this.#add(records, bytes.subarray(start, end), 1);
      start = at;
    }
    this.#begun = bytes.subarray(start);
    this.#searched = this.#begun.length;
    if (this.#isQuoted) this.#requireBounded(this.#begun.length);
    // A line without quotes is refused when it ends; until then it may not take all memory.
    if (this.#begun.length > readBytes * 4) throw this.#tooLarge();
    return records;
  }

  end(): RawRecord[] {
    if (this.#isQuoted)
      throw new InputError(`The quote in line ${this.#line} is not closed before the end of the file.`);
    const records: RawRecord[] = [];
    this.#add(records, this.#begun, 0);
    return records;
  }

  #add(records: RawRecord[], bytes: Buffer, lineFeeds: number): void {
    const [line, offset] = [this.#line, this.#offset];
    this.#line += this.#inner + lineFeeds;
    this.#offset += bytes.length + lineFeeds;
    this.#inner = 0;
    const content = withoutMark(bytes, offset);
    if (isBlank(content)) return;
    records.push({ line, offset, bytes: content, behind: { line: this.#line, offset: this.#offset } });
  }

  #countQuotes(bytes: Buffer, from: number, to: number): void {
    for (let at = bytes.indexOf(quote, from); at >= 0 && at < to; at = bytes.indexOf(quote, at + 1))
      this.#isQuoted = !this.#isQuoted;
  }

  #requireBounded(bytes: number): void {
    if (bytes > maxRecordBytes) throw this.#tooLarge();
  }

  #tooLarge(): InputError {
    return new InputError(
      `The record that begins in line ${this.#line} does not end within ${maxRecordBytes} bytes; is a quote missing?`,
    );
  }
}

function withoutMark(bytes: Buffer, offset: number): Buffer {
  const hasMark = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
