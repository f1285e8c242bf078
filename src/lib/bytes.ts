const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** The largest array that V8 keeps on its heap. */
const short = 64;
/** Lower-case hexadecimal of each byte. */
export const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** UTF-8 of a text. ASCII of at most 64 characters stays on V8's heap, where it is cheaper to free. */
export function utf8(text: string): Uint8Array {
  if (text.length > short) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return encoder.encode(text);
    bytes[i] = code;
  }
  return bytes;
}

/** The number of bytes of a well-formed text in UTF-8, counted without encoding it. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7ff) length += 2;
    else if (code > 0x7f) length += 1;
    // A pair of surrogates is one character of four bytes.
    if (code >= 0xd800 && code <= 0xdfff) length -= 1;
  }
  return length;
}

/** As many whole characters from the beginning of a text as fit into `maxBytes` of UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read);
}

/** Decodes UTF-8. Drops a byte order mark; malformed bytes become U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A text with a character for each byte: a key for a map. */
export function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** Two lower-case hexadecimal digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += hexPairs[bytes[i]!];
  return text;
}

/** The bytes of hexadecimal digits in either case. Refuses nothing: check the text before. */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Eight bytes, big-endian, of an integer from 0 to 2^64 − 1; a number must be a safe integer. */
export function u64(value: bigint | number): Uint8Array {
  const bytes = new Uint8Array(8);
  const [high, low] =
    typeof value === 'bigint'
      ? [Number(value >> 32n), Number(value & 0xffff_ffffn)]
      : [Math.floor(value / 2 ** 32), value >>> 0];
  for (let i = 0; i < 4; i++) {
    bytes[i] = high >>> (24 - 8 * i);
    bytes[4 + i] = low >>> (24 - 8 * i);
  }
  return bytes;
}

/** Whether two arrays hold the same bytes. Not in constant time: never compare secrets with it. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** All parts in order, in one new array. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The same array if it has `size` bytes, otherwise a longer copy of at least twice the length. */
export function grown(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(size, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
