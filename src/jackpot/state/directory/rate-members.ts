import type { SetRates } from '../../../messages/lane-commands.ts';

type Member = SetRates['multipliers'][number];

/**
 * The members of a rate table: one text and one array of numbers. As objects, the thousand that a table may have are copied by the
 * collector in each lane, and the lane waits for it (docs/decisions/0065).
 */
export class RateMembers {
  /** A line for each: the currency as JSON text, its multiplier, its exponent or nothing, separated by tabs. */
  readonly #text: string;
  /** Where lines begin, plus one, by the hash of their currency; 0: free. */
  readonly #places: Int32Array;

  /** Multipliers without tabs or line breaks. Of a currency that stands twice, the second one counts. */
  constructor(members: readonly Member[]) {
    const lines = members.map(lineOf);
    this.#text = lines.join('');
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * members.length + 1)));
    let at = 0;
    for (const [index, [currency]] of members.entries()) {
      this.#places[this.#placeOf(currency)] = at + 1;
      at += lines[index]!.length;
    }
  }

  get(currency: string): { readonly multiplier: string; readonly exponent: number | null } | null {
    const at = this.#places[this.#placeOf(currency)]! - 1;
    if (at < 0) return null;
    const [, multiplier = '', exponent = ''] = this.#text.slice(at, this.#text.indexOf('\n', at)).split('\t');
    return { multiplier, exponent: exponent === '' ? null : Number(exponent) };
  }

  has(currency: string): boolean {
    return this.#places[this.#placeOf(currency)] !== 0;
  }

  /** All of them, as they were given. */
  list(): readonly Member[] {
    return this.#text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [currency = '', multiplier = '', exponent = ''] = line.split('\t');
        return [nameOf(currency), multiplier, exponent === '' ? null : Number(exponent)];
      });
  }

  /** Its place, or the free one that it would take. */
  #placeOf(currency: string): number {
    const mask = this.#places.length - 1;
    const begin = `${JSON.stringify(currency)}\t`;
    let place = hashOf(currency) & mask;
    for (;;) {
      const at = this.#places[place]! - 1;
      if (at < 0 || this.#text.startsWith(begin, at)) return place;
      place = (place + 1) & mask;
    }
  }
}

function lineOf([currency, multiplier, exponent]: Member): string {
  return `${JSON.stringify(currency)}\t${multiplier}\t${exponent ?? ''}\n`;
}

function nameOf(json: string): string {
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1);
}

/** FNV-1a of its UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
