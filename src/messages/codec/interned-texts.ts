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
 * Texts that come again, such as names of instances: their bytes are compared with those that a text was made
 * of before. The same text object is also found faster in the engine's maps.
 */
export class InternedTexts {
  readonly #texts: string[] = Array.from({ length: places }, () => '');
  /** The bytes of each text, which are faster to compare than its characters. */
  readonly #known = new Uint8Array(places * maxLength);
  readonly #accepts: (text: string) => boolean;

  /** `accepts`: what is remembered; a text is judged when it is made, and not each time that it comes. */
  constructor(accepts: (text: string) => boolean = () => true) {
    this.#accepts = accepts;
  }

  /** As asciiText; null also for a text that is not accepted. */
  read(bytes: Uint8Array, from: number, length: number): string | null {
    if (length === 0) return this.#accepts('') ? '' : null;
    const last = from + length - 1;
    const mixed = Math.imul(bytes[last]! + 31 * bytes[from + (length >> 1)]! + 961 * length, 0x9e3779b1);
    const place = (mixed ^ Math.imul(bytes[Math.max(from, last - 1)]!, 0x85ebca6b)) >>> 22;
    const text = this.#texts[place]!;
    if (text.length === length && this.#isKnown(place, bytes, from, length)) return text;
    return this.#learn(place, bytes, from, length);
  }

  #isKnown(place: number, bytes: Uint8Array, from: number, length: number): boolean {
    const known = this.#known;
    const at = place * maxLength;
    for (let i = 0; i < length; i++) if (known[at + i] !== bytes[from + i]) return false;
    return true;
  }

  #learn(place: number, bytes: Uint8Array, from: number, length: number): string | null {
    const text = asciiText(bytes, from, length);
    if (text === null || !this.#accepts(text)) return null;
    this.#texts[place] = text;
    for (let i = 0; i < length; i++) this.#known[place * maxLength + i] = bytes[from + i]!;
    return text;
  }
}
