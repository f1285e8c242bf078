export interface FrameOptions {
  /** Zeros leave the bytes as they are; null: not masked, which clients must not do. */
  readonly mask?: readonly [number, number, number, number] | null;
  /** Bytes that say the length: as few as it needs, unless it is said here. */
  readonly lengthBytes?: 0 | 2 | 8;
}

/** A client's websocket frame (RFC 6455, 5.2). `first`: its first byte, 0x80 for the last fragment and the opcode. */
export function frame(
  first: number,
  content: string | readonly number[],
  { mask = [0, 0, 0, 0], lengthBytes }: FrameOptions = {},
): Buffer {
  const payload = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  const extended = lengthBytes ?? (payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(payload.length));
  const short = extended === 0 ? payload.length : extended === 2 ? 126 : 127;
  return Buffer.concat([
    Buffer.from([first, short | (mask === null ? 0 : 0x80)]),
    length.subarray(8 - extended),
    Buffer.from(mask ?? []),
    payload.map((byte, index) => byte ^ (mask?.[index % 4] ?? 0)),
  ]);
}
