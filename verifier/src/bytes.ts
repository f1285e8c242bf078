const encoder = new TextEncoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Of lower-case hexadecimal that was checked to be such. */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = (digit(text, 2 * at) << 4) | digit(text, 2 * at + 1);
  return bytes;
}

/** Eight bytes, big-endian. */
export function u64(value: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function digit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
}
