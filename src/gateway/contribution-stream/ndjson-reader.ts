import { isAscii } from 'node:buffer';
import { type ParsedBody, parseBody, parseText } from '../body/parse.ts';
import { PublicError } from '../errors.ts';
import type { LineReader } from './framing.ts';
import { streamLimits } from './limits.ts';

const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);
const minBegunBytes = 1_024;
const keptBegunBytes = 8 * 1_024;

/** Lines of JSON. Lines of white space are counted and left out; a carriage return before the line feed is white space. */
export class NdjsonReader implements LineReader {
  line = 0;
  bytes = 0;
  fault: PublicError | null = null;
  #chunk: Buffer = nothing;
  #isAscii = true;
  #at = 0;
  /** Where the line at hand is in the chunk. */
  #start = 0;
  #end = 0;
  /** The line at hand, where it came in several chunks. */
  #joined: Buffer | null = null;
  /** The beginning of a line of which the rest has not come. */
  #begun: Buffer = nothing;
  #begunBytes = 0;
  #linesRead = 0;

  push(chunk: Buffer): void {
    this.#chunk =
      this.#at < this.#chunk.length ? Buffer.concat([this.#chunk.subarray(this.#at), chunk]) : chunk;
    this.#at = 0;
    this.#isAscii = isAscii(this.#chunk);
  }

  end(): void {
    // As if a line feed came behind it; an empty line means nothing.
    this.push(Buffer.from([lineFeed]));
  }

  next(): boolean {
    while (this.fault === null && this.#at < this.#chunk.length) {
      const end = this.#chunk.indexOf(lineFeed, this.#at);
      if (end < 0) {
        this.#begin();
        return false;
      }
      this.#start = this.#at;
      this.#end = end;
      if (this.#exceeds(this.#begunBytes + end - this.#at)) return false;
      this.#at = end + 1;
      this.#linesRead += 1;
      this.#join();
      if (this.#isBlank()) continue;
      this.line = this.#linesRead;
      return true;
    }
    return false;
  }

  parse(): ParsedBody {
    if (this.#joined !== null) return parseBody(this.#joined);
    // A chunk is looked at once; text that is ASCII needs no decoding.
    if (this.#isAscii) return parseText(this.#chunk.toString('latin1', this.#start, this.#end));
    return parseBody(this.#chunk.subarray(this.#start, this.#end));
  }

  nextLine(): number {
    return this.#linesRead + 1;
  }

  #begin(): void {
    const rest = this.#chunk.subarray(this.#at);
    this.#at = this.#chunk.length;
    if (this.#exceeds(this.#begunBytes + rest.length)) return;
    this.#append(rest);
  }

  /** Copies into one buffer: a line may come byte by byte. */
  #append(bytes: Buffer): void {
    const total = this.#begunBytes + bytes.length;
    if (total > this.#begun.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minBegunBytes, total, 2 * this.#begun.length));
      this.#begun.copy(larger, 0, 0, this.#begunBytes);
      this.#begun = larger;
    }
    bytes.copy(this.#begun, this.#begunBytes);
    this.#begunBytes = total;
  }

  #exceeds(bytes: number): boolean {
    if (bytes <= streamLimits.lineBytes) return false;
    this.fault = new PublicError('payload_too_large');
    this.#begun = nothing;
    this.#chunk = nothing;
    return true;
  }

  #join(): void {
    this.bytes = this.#begunBytes + this.#end - this.#start;
    if (this.#begunBytes === 0) {
      this.#joined = null;
      return;
    }
    this.#append(this.#chunk.subarray(this.#start, this.#end));
    this.#joined = this.#begun.subarray(0, this.#begunBytes);
    this.#begunBytes = 0;
    // One long line is no reason to keep its room.
    if (this.#begun.length > keptBegunBytes) this.#begun = nothing;
  }

  #isBlank(): boolean {
    const bytes = this.#joined ?? this.#chunk;
    const end = this.#joined === null ? this.#end : bytes.length;
    for (let at = this.#joined === null ? this.#start : 0; at < end; at += 1) {
      const code = bytes[at];
      if (code !== 0x20 && code !== 0x0d && code !== 0x09) return false;
    }
    return true;
  }
}
