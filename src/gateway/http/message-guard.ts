import { Transform, type TransformCallback } from 'node:stream';
import { clientMessageBytes } from '../../contracts/feed.ts';

/** The longest header of a client's frame: two bytes, eight of length, four of mask (RFC 6455, 5.2). */
const maxHeaderBytes = 14;
const tooBig = 1009;
/** A gateway hands over: the client comes back at once (docs/rules/feeds.md "Closes"). */
const goingAway = 1001;
const nothing = Buffer.alloc(0);

/**
 * Guards websocket messages on their way to the fan-out. The engine there keeps a message until its last fragment and
 * cuts one that is too large without a close. So a message over the limit, in any number of fragments, stops here and
 * is replaced by a close that the engine answers with the same code (docs/decisions/0077).
 */
export class MessageGuard extends Transform {
  readonly #refuse: (send: () => void) => void;
  /** The beginning of a header of which the rest has not come. */
  #partial: Buffer | null = null;
  #payloadLeft = 0;
  #messageBytes = 0;
  #isOver = false;
  #isLeaving = false;

  /** `refuse` calls back when the close may leave; nothing more is read of the client until then. */
  constructor(refuse: (send: () => void) => void = (send) => send()) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const wasOver = this.#isOver;
    const passed = this.#passed(chunk);
    if (wasOver || !this.#isOver) done(null, passed);
    else this.#refuse(() => done(null, passed));
  }

  /** Ends the connection with a close, between two frames of the client: now, or behind the one that is on its way. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#isOver || this.#payloadLeft > 0 || this.#partial !== null) return;
    this.#isOver = true;
    this.push(closeFrame(goingAway));
  }

  /** The part of a chunk to pass on. */
  #passed(chunk: Buffer): Buffer {
    if (this.#isOver) return nothing;
    const bytes = this.#partial === null ? chunk : Buffer.concat([this.#partial, chunk]);
    this.#partial = null;
    let at = 0;
    while (at < bytes.length) {
      const skipped = Math.min(this.#payloadLeft, bytes.length - at);
      this.#payloadLeft -= skipped;
      at += skipped;
      if (this.#isLeaving && this.#payloadLeft === 0) {
        this.#isOver = true;
        return Buffer.concat([bytes.subarray(0, at), closeFrame(goingAway)]);
      }
      if (at === bytes.length) break;
      const header = headerOf(bytes, at);
      if (header === null) {
        this.#partial = bytes.subarray(at, at + maxHeaderBytes);
        break;
      }
      if (this.#passesLimit(header)) {
        this.#isOver = true;
        return Buffer.concat([bytes.subarray(0, at), closeFrame(tooBig)]);
      }
      this.#payloadLeft = header.payloadBytes;
      at += header.bytes;
    }
    return bytes.subarray(0, at);
  }

  #passesLimit({ opcode, payloadBytes }: FrameHeader): boolean {
    // A control frame may come between the fragments of a message; the engine takes at most 125 bytes of one.
    if (opcode >= 8) return payloadBytes > 125;
    this.#messageBytes = opcode === 0 ? this.#messageBytes + payloadBytes : payloadBytes;
    return this.#messageBytes > clientMessageBytes;
  }
}

interface FrameHeader {
  readonly opcode: number;
  readonly bytes: number;
  readonly payloadBytes: number;
}

/** null: it is not whole. */
function headerOf(bytes: Buffer, at: number): FrameHeader | null {
  if (bytes.length < at + 2) return null;
  const opcode = bytes[at]! & 0x0f;
  const masked = (bytes[at + 1]! & 0x80) === 0 ? 0 : 4;
  const length = bytes[at + 1]! & 0x7f;
  const extended = length === 127 ? 8 : length === 126 ? 2 : 0;
  const size = 2 + extended + masked;
  if (bytes.length < at + size) return null;
  if (extended === 0) return { opcode, bytes: size, payloadBytes: length };
  const payloadBytes = extended === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  return { opcode, bytes: size, payloadBytes };
}

/** Masked with zeros, as a client's frames have to be masked. */
function closeFrame(code: number): Buffer {
  return Buffer.from([0x88, 0x82, 0, 0, 0, 0, code >> 8, code & 0xff]);
}
