import { concatenate, fromHex, hexPairs, utf8 } from './bytes.ts';
import { sha1 } from './hashes.ts';

/** The text form of 16 bytes (RFC 9562), in lower case. */
export function uuidText(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += hexPairs[bytes[index]!];
  }
  return text;
}

/** The 16 bytes of a UUID in text form. Refuses nothing: check the text before. */
export function uuidBytes(text: string): Uint8Array {
  return fromHex(text.replaceAll('-', ''));
}

/** UUID version 5 (RFC 9562): the same namespace (16 bytes) and name always give the same id. */
export function nameUuid(namespace: Uint8Array, name: string): string {
  const bytes = sha1(concatenate([namespace, utf8(name)])).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return uuidText(bytes);
}
