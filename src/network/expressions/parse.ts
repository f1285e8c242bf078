/** A regular expression as a tree; what it captures does not matter here. */
export type Expression =
  | { readonly kind: 'empty' }
  /** One character of those that `text` matches, an expression with its flags. */
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly body: Expression; readonly min: number; readonly max: number };

const empty: Expression = { kind: 'empty' };

/** Reads an expression in RE2's syntax. RE2 has accepted it before: only then the tree is right. */
export function parseExpression(text: string): Expression {
  return new Parser(text).choice('');
}

const repeatForm = /\{(\d+)(,(\d*))?\}/y;
const flagsForm = /\(\?([imsU]*)(?:-([imsU]*))?([:)])/y;
const groupForm = /\((?:\?P?<[^>]*>)?/y;
const emptyQuoteForm = /(?:\\Q\\E)+/y;
const quoteForm = /\\Q([\s\S]*?)(?:\\E|$)/y;
/** Ends of lines and texts, and edges of words. */
const positionForm = /[\^$]|\\[AbBz]/y;
const escapeForm = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)/suy;
const classForm = /\[\^?\]?(?:\[:\^?\w+:\]|\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)|[^\]])*\]/suy;
const anyForm = /./suy;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Up to the end of the group; `flags` that it sets itself end with it. */
  choice(flags: string): Expression {
    const choices: Expression[] = [];
    let parts: Expression[] = [];
    let current = flags;
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      const set = this.#setFlags(current);
      if (set !== null) current = set;
      else if (this.#take('|')) {
        choices.push({ kind: 'sequence', parts });
        parts = [];
      } else parts.push(...this.#repeated(this.#items(current)));
    }
    choices.push({ kind: 'sequence', parts });
    return { kind: 'choice', parts: choices };
  }

  /** `(?i)`, which counts for the rest of the group; null: there is none here. */
  #setFlags(flags: string): string | null {
    const start = this.#at;
    const [, on = '', off = '', end] = this.#match(flagsForm) ?? [];
    if (end === ')') return changed(flags, on, off);
    this.#at = start;
    return null;
  }

  /** One, or the characters of a quotation, of which only the last is repeated. */
  #items(flags: string): Expression[] {
    const [, on = '', off = '', end] = this.#match(flagsForm) ?? [];
    if (end === ':') return [this.#group(changed(flags, on, off))];
    if (this.#match(groupForm) !== null) return [this.#group(flags)];
    if (this.#match(emptyQuoteForm) !== null) return [];
    const quoted = this.#match(quoteForm);
    if (quoted !== null) return [...quoted[1]!].map((each) => character(`\\Q${each}`, flags));
    if (this.#match(positionForm) !== null) return [empty];
    const [text = ''] = this.#match(escapeForm) ?? this.#match(classForm) ?? this.#match(anyForm) ?? [];
    return [character(text, flags)];
  }

  #group(flags: string): Expression {
    const body = this.choice(flags);
    this.#take(')');
    return body;
  }

  #repeated(items: Expression[]): Expression[] {
    let body = items.pop() ?? empty;
    this.#match(emptyQuoteForm);
    for (let bounds = this.#bounds(); bounds !== null; bounds = this.#bounds()) {
      this.#take('?');
      body = { kind: 'repeat', body, ...bounds };
    }
    return [...items, body];
  }

  #bounds(): { readonly min: number; readonly max: number } | null {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    const [, from, range, to] = this.#match(repeatForm) ?? [];
    if (from === undefined) return null;
    const min = Number(from);
    if (range === undefined) return { min, max: min };
    return { min, max: to === '' || to === undefined ? Number.POSITIVE_INFINITY : Number(to) };
  }

  #take(text: string): boolean {
    if (this.#text[this.#at] !== text) return false;
    this.#at += 1;
    return true;
  }

  #match(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}

function character(text: string, flags: string): Expression {
  return { kind: 'character', text: flags === '' ? text : `(?${flags})${text}` };
}

function changed(flags: string, on: string, off: string): string {
  return [...new Set(flags + on)].filter((flag) => !off.includes(flag)).join('');
}
