/** Which letters and which pairs of letters a text has, each as one of 32 bits: most texts without a part are seen by them. */
export interface TextMarks {
  readonly letters: number;
  readonly pairs: number;
}

/** The marks of a text in lower case. */
export function marksOf(text: string): TextMarks {
  let letters = 0;
  let pairs = 0;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    letters |= 1 << (code & 31);
    if (at > 0) pairs |= 1 << ((Math.imul(before, 0x9e3779b1) + Math.imul(code, 0x85ebca6b)) >>> 27);
    before = code;
  }
  return { letters, pairs };
}

/** Finds a part of texts in any case. */
export class TextFilter {
  readonly #part: string;
  readonly #marks: TextMarks;

  constructor(part: string) {
    this.#part = part.toLowerCase();
    this.#marks = marksOf(this.#part);
  }

  /** False: a text with these marks does not have the part. */
  mayMatch({ letters, pairs }: TextMarks): boolean {
    const wanted = this.#marks;
    return (letters & wanted.letters) === wanted.letters && (pairs & wanted.pairs) === wanted.pairs;
  }

  /** Whether the text, in lower case, has the part. */
  matches(text: string): boolean {
    return text.includes(this.#part);
  }
}
