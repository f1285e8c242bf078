/** Texts that are remembered: a power of two. */
const places = 1024;
/** Longer ones are not remembered: they hardly come again. */
const maxLength = 64;
const fromCharCode = String.fromCharCode;
/** For each length up to `maxLength` room for the character codes of one text. */
const rooms: readonly number[][] = Array.from({ length: maxLength + 1 }, (_, length) =>
  Array.from({ length }, () => 0),
);

/** The text of ASCII bytes; null where one is not ASCII or there are more than 64. */
export function asciiText(bytes: Uint8Array, from: number, length: number): string | null {
  if (length > maxLength) return null;
  const codes = rooms[length]!;
  let all = 0;
  for (let i = 0; i < length; i++) {
    const code = bytes[from + i]!;
    codes[i] = code;
    all |= code;
  }
  return all > 0x7f ? null : fromCharCode.apply(null, codes);
}

/**
 * Texts that come again and again, such as names of instances and currencies: the bytes are compared with the text that
 * was made of them before. A text that is the same object is also found faster in the maps of the engine.
 */
export class InternedTexts {
  readonly #texts: string[] = Array.from({ length: places }, () => '');

  /** As asciiText. */
  read(bytes: Uint8Array, from: number, length: number): string | null {
    if (length === 0) return '';
    const last = from + length - 1;
    const mixed = Math.imul(bytes[last]! + 31 * bytes[from + (length >> 1)]! + 961 * length, 0x9e3779b1);
    const place = (mixed ^ Math.imul(bytes[Math.max(from, last - 1)]!, 0x85ebca6b)) >>> 22;
    const known = this.#texts[place]!;
    if (isText(known, bytes, from, length)) return known;
    const text = asciiText(bytes, from, length);
    if (text !== null) this.#texts[place] = text;
    return text;
  }
}

function isText(text: string, bytes: Uint8Array, from: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== bytes[from + i]) return false;
  return true;
}
