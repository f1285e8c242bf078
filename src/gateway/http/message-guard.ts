import { Transform, type TransformCallback } from 'node:stream';

/** The longest header of a client's frame: two bytes, eight of length, four of mask (RFC 6455, 5.2). */
const maxHeaderBytes = 14;
const maxControlBytes = 125;
const protocolError = 1002;
const tooBig = 1009;
/** A gateway hands over: the client comes back at once (docs/rules/feeds.md "Closes"). */
const goingAway = 1001;
const nothing = Buffer.alloc(0);

/**
 * Guards websocket messages to the fan-out, whose engine cuts a message that is too large without a close.
 * Such a message, and a frame that RFC 6455 forbids and an engine takes, is replaced by a close that the
 * engine answers with the same code (docs/decisions/0077).
 */
export class MessageGuard extends Transform {
  readonly #maxBytes: number;
  readonly #refuse: (send: () => void) => void;
  #partial: Buffer | null = null;
  #payloadLeft = 0;
  #messageBytes = 0;
  /** A message has begun whose last fragment has not come. */
  #isUnfinished = false;
  #isOver = false;
  #isLeaving = false;

  /** `refuse` calls back when the close may leave; no more of the client is read until then. */
  constructor(maxBytes: number, refuse: (send: () => void) => void) {
    super();
    this.#maxBytes = maxBytes;
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const wasOver = this.#isOver;
    const passed = this.#passed(chunk);
    if (wasOver || !this.#isOver) done(null, passed);
    else this.#refuse(() => done(null, passed));
  }

  /** Ends the connection with a close, now or after the client's frame that is on its way. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#isOver || this.#payloadLeft > 0 || this.#partial !== null) return;
    this.#isOver = true;
    this.push(closeFrame(goingAway));
  }

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
      const fault = this.#faultOf(header);
      if (fault !== null) {
        this.#isOver = true;
        return Buffer.concat([bytes.subarray(0, at), closeFrame(fault)]);
      }
      this.#payloadLeft = header.payloadBytes;
      at += header.bytes;
    }
    return bytes.subarray(0, at);
  }

  /** The code of the close that replaces a frame; null: it may pass. */
  #faultOf({ opcode, isLast, isMasked, isMinimal, payloadBytes }: FrameHeader): number | null {
    if (!isMasked || !isMinimal) return protocolError;
    // A control frame may come between the fragments of a message.
    if (opcode >= 8) return payloadBytes > maxControlBytes ? protocolError : null;
    const goesOn = opcode === 0;
    if (goesOn !== this.#isUnfinished) return protocolError;
    this.#isUnfinished = !isLast;
    this.#messageBytes = goesOn ? this.#messageBytes + payloadBytes : payloadBytes;
    return this.#messageBytes > this.#maxBytes ? tooBig : null;
  }
}

interface FrameHeader {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly isMasked: boolean;
  /** Its length is said in as few bytes as it needs. */
  readonly isMinimal: boolean;
  readonly bytes: number;
  readonly payloadBytes: number;
}

/** null: it is not whole. */
function headerOf(bytes: Buffer, at: number): FrameHeader | null {
  if (bytes.length < at + 2) return null;
  const [first, second] = [bytes[at]!, bytes[at + 1]!];
  const isMasked = (second & 0x80) !== 0;
  const length = second & 0x7f;
  const extended = length === 127 ? 8 : length === 126 ? 2 : 0;
  const size = 2 + extended + (isMasked ? 4 : 0);
  if (bytes.length < at + size) return null;
  const payloadBytes =
    extended === 0
      ? length
      : extended === 2
        ? bytes.readUInt16BE(at + 2)
        : Number(bytes.readBigUInt64BE(at + 2));
  const least = extended === 0 ? 0 : extended === 2 ? 126 : 65_536;
  return {
    opcode: first & 0x0f,
    isLast: (first & 0x80) !== 0,
    isMasked,
    isMinimal: payloadBytes >= least,
    bytes: size,
    payloadBytes,
  };
}

/** Masked with zeros, as a client's frames have to be masked. */
function closeFrame(code: number): Buffer {
  return Buffer.from([0x88, 0x82, 0, 0, 0, 0, code >> 8, code & 0xff]);
}
