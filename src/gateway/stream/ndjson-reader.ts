import { isAscii, isUtf8 } from 'node:buffer';
import type { ServicePrincipal } from '../../access/rights/principal.ts';
import { type ContributionV2, streamedContribution } from '../../contracts/contributions/contribution.ts';
import { type Draft, draftOf } from '../api/contribution/contribute.ts';
import type { AnswerForm } from '../api/contribution/reply.ts';
import { secondVersionRequest } from '../api/contribution/request.ts';
import { PublicError } from '../base/errors.ts';
import { parseBody, parseText } from '../base/json-body.ts';
import { compileValidator } from '../base/validate.ts';
import { streamLimits } from './limits.ts';
import { plainLine } from './plain/contribution.ts';
import { readPlainJson } from './plain/json.ts';
import { type NamedLine, type Ref, refOf, refOfText } from './ref.ts';

const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);

/** Lines of JSON. Lines of white space, carriage returns included, are counted and left out. */
export class NdjsonReader {
  /** Number of the line at hand, from 1. */
  line = 0;
  bytes = 0;
  /** Why no more lines can be read: the one after that at hand is too large. */
  fault: PublicError | null = null;
  #chunk: Buffer = nothing;
  #at = 0;
  /** Where the line at hand is: in the chunk, or in a buffer of its own where it came in several. */
  #from: Buffer = nothing;
  #start = 0;
  #end = 0;
  readonly #begun = new BegunLine();
  #linesRead = 0;

  push(chunk: Buffer): void {
    this.#chunk =
      this.#at < this.#chunk.length ? Buffer.concat([this.#chunk.subarray(this.#at), chunk]) : chunk;
    this.#at = 0;
  }

  /** No more bytes will come. */
  end(): void {
    // Ends the last line; an empty one means nothing.
    this.push(Buffer.from([lineFeed]));
  }

  /** Goes to the next line; false: it is not there, or there is a fault. */
  next(): boolean {
    while (this.fault === null && this.#at < this.#chunk.length) {
      const end = this.#chunk.indexOf(lineFeed, this.#at);
      const known = end < 0 ? this.#chunk.length : end;
      if (this.#exceeds(this.#begun.length + known - this.#at)) return false;
      if (end < 0) {
        this.#begun.append(this.#chunk, this.#at, known);
        this.#release();
        return false;
      }
      this.#goTo(end);
      if (this.#isBlank()) continue;
      this.line = this.#linesRead;
      return true;
    }
    return false;
  }

  /** The name of the line at hand. */
  ref(): Ref {
    const bytes = this.#from.subarray(this.#start, this.#end);
    return isUtf8(bytes) ? refOfText(this.#text()) : null;
  }

  /**
   * The contribution of the line at hand, checked as O16's body; names the line first. @throws PublicError
   */
  draft(line: NamedLine, caller: ServicePrincipal, form: AnswerForm<string>): Draft<string> {
    if (readPlainJson(this.#from, this.#start, this.#end)) {
      line.ref = plainLine.ref;
      return plainLine.draft(caller, form);
    }
    const value = this.#parse();
    line.ref = refOf(value);
    return generalDraft(value, caller, form);
  }

  /** Number of the first line that `next` has not gone to. */
  nextLine(): number {
    return this.#linesRead + 1;
  }

  #text(): string {
    return this.#from.toString('utf8', this.#start, this.#end);
  }

  #parse(): unknown {
    const bytes = this.#from.subarray(this.#start, this.#end);
    // Text that is ASCII needs no decoding.
    return isAscii(bytes) ? parseText(bytes.toString('latin1')) : parseBody(bytes);
  }

  #exceeds(bytes: number): boolean {
    if (bytes <= streamLimits.lineBytes) return false;
    this.fault = new PublicError('payload_too_large');
    this.#begun.drop();
    this.#release();
    return true;
  }

  #release(): void {
    this.#chunk = nothing;
    this.#at = 0;
  }

  /** The next line is that which ends there. */
  #goTo(end: number): void {
    this.#from = this.#chunk;
    this.#start = this.#at;
    this.#end = end;
    if (this.#begun.length > 0) {
      this.#begun.append(this.#chunk, this.#at, end);
      this.#from = this.#begun.take();
      this.#start = 0;
      this.#end = this.#from.length;
    }
    this.bytes = this.#end - this.#start;
    this.#at = end + 1;
    this.#linesRead += 1;
  }

  #isBlank(): boolean {
    for (let at = this.#start; at < this.#end; at += 1) {
      const code = this.#from[at];
      if (code !== 0x20 && code !== 0x0d && code !== 0x09) return false;
    }
    return true;
  }
}

const minBytes = 1_024;
const keptBytes = 8 * 1_024;

/** The beginning of a line of which the rest has not come, in one buffer: a line may come byte by byte. */
class BegunLine {
  #bytes: Buffer = nothing;
  length = 0;

  append(bytes: Buffer, from: number, to: number): void {
    const total = this.length + to - from;
    if (total > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minBytes, total, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.length, from, to);
    this.length = total;
  }

  /** All of it, good until the next `append`. The next line begins. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.length = 0;
    // One long line is no reason to keep its room.
    if (this.#bytes.length > keptBytes) this.#bytes = nothing;
    return taken;
  }

  drop(): void {
    this.#bytes = nothing;
  }
}

const validate = compileValidator(streamedContribution, 'body');

/** The contribution that any value says, with the checks of O16 in their order. @throws PublicError */
export function generalDraft(
  value: unknown,
  caller: ServicePrincipal,
  form: AnswerForm<string>,
): Draft<string> {
  const request = secondVersionRequest(validate(value) as ContributionV2, caller, null);
  return draftOf(request, caller.operator, form);
}
