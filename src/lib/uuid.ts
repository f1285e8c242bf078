import { concatenate, fromHex, hexPairs, utf8 } from './bytes.ts';
import { sha1 } from './sha1.ts';

/** The text form of 16 bytes. */
export function uuidText(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += hexPairs[bytes[index]!];
  }
  return text;
}

export function uuidBytes(text: string): Uint8Array {
  return fromHex(text.replaceAll('-', ''));
}

/** UUID version 5 (RFC 9562): the same name below the same namespace is the same id, wherever it is made. */
export function nameUuid(namespace: Uint8Array, name: string): string {
  const bytes = sha1(concatenate([namespace, utf8(name)])).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return uuidText(bytes);
}
