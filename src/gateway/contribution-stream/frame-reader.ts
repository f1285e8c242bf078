import type { ServicePrincipal } from '../../access/principal.ts';
import type { AnswerForm } from '../contribution/answer-form.ts';
import type { Draft } from '../contribution/contribute.ts';
import { PublicError } from '../errors.ts';
import { BegunLine } from './begun-line.ts';
import { frameBody, frameRef } from './frame-body.ts';
import type { LineReader, Named, Ref } from './framing.ts';
import { generalDraft } from './general-draft.ts';
import { streamLimits } from './limits.ts';
import { plain } from './plain/contribution.ts';
import { readPlainFrame } from './plain/frame.ts';

/** Length of the value behind it, big-endian. */
const headBytes = 4;
const nothing = Buffer.alloc(0);

/** Frames of a length and a MessagePack value. Empty frames are counted and left out. */
export class FrameReader implements LineReader {
  line = 0;
  bytes = 0;
  fault: PublicError | null = null;
  #chunk: Buffer = nothing;
  #at = 0;
  /** Where the value of the frame at hand is: in the chunk, or in a buffer of its own where it came in several. */
  #from: Buffer = nothing;
  #start = 0;
  #end = 0;
  /** A frame of which the rest has not come, with its head. */
  readonly #begun = new BegunLine();
  #hasEnded = false;
  #framesRead = 0;

  push(chunk: Buffer): void {
    this.#chunk =
      this.#at < this.#chunk.length ? Buffer.concat([this.#chunk.subarray(this.#at), chunk]) : chunk;
    this.#at = 0;
  }

  end(): void {
    this.#hasEnded = true;
  }

  next(): boolean {
    while (this.fault === null) {
      const isWhole = this.#begun.length === 0 ? this.#cut() : this.#gather();
      if (!isWhole) {
        if (this.fault === null && this.#hasEnded && this.#begun.length > 0)
          this.fault = new PublicError('malformed_http');
        return false;
      }
      this.#framesRead += 1;
      if (this.#start === this.#end) continue;
      this.line = this.#framesRead;
      this.bytes = this.#end - this.#start;
      return true;
    }
    return false;
  }

  ref(): Ref {
    return frameRef(this.#from.subarray(this.#start, this.#end));
  }

  draft(line: Named, caller: ServicePrincipal, form: AnswerForm<unknown>): Draft<unknown> {
    if (readPlainFrame(this.#from, this.#start, this.#end)) {
      line.ref = plain.ref;
      return plain.draft(caller, form);
    }
    const body = frameBody(this.#from.subarray(this.#start, this.#end), line);
    return generalDraft(body, caller, form);
  }

  nextLine(): number {
    return this.#framesRead + 1;
  }

  /** Goes to the frame that begins in the chunk; false: it is not whole, or too large. */
  #cut(): boolean {
    const chunk = this.#chunk;
    const start = this.#at + headBytes;
    if (start <= chunk.length) {
      const size = chunk.readUInt32BE(this.#at);
      if (this.#exceeds(size)) return false;
      if (start + size <= chunk.length) {
        this.#from = chunk;
        this.#start = start;
        this.#end = start + size;
        this.#at = this.#end;
        return true;
      }
    }
    this.#begin(chunk.length - this.#at);
    return false;
  }

  /** Goes to the frame that has begun; false: it is not whole, or too large. */
  #gather(): boolean {
    const begun = this.#begun;
    if (begun.length < headBytes) this.#begin(headBytes - begun.length);
    if (begun.length < headBytes) return false;
    const size = begun.readUInt32BE();
    if (this.#exceeds(size)) return false;
    this.#begin(headBytes + size - begun.length);
    if (begun.length < headBytes + size) return false;
    this.#from = begun.take();
    this.#start = headBytes;
    this.#end = headBytes + size;
    return true;
  }

  /** Keeps so many bytes of the chunk, where it has them. */
  #begin(wanted: number): void {
    const to = Math.min(this.#chunk.length, this.#at + wanted);
    this.#begun.append(this.#chunk, this.#at, to);
    this.#at = to;
    // What was read of it is not kept for what is begun.
    if (to === this.#chunk.length) this.#release();
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
}
