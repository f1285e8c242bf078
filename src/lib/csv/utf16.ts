import { TextDecoder } from 'node:util';

/** Decodes a text that begins with a mark of UTF-16, in chunks; it throws TypeError where that is broken. null: there is no mark. */
export function utf16Decoder(beginning: Buffer): TextDecoder | null {
  const [first, second] = beginning;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return isLittle || isBig ? new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true }) : null;
}
