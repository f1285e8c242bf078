import type { JackpotUpdate } from '../index.ts';

/** Which jackpot of a feed is meant: an instance, or the one of a source, or the first that has these pots. */
export interface Wanted {
  readonly instance?: string | null;
  readonly source?: string | null;
  readonly pots?: readonly string[];
}

/** The jackpot that was chosen, and its newest update. */
export class Choice {
  readonly #wanted: Wanted;
  #update: JackpotUpdate | null = null;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  get update(): JackpotUpdate | null {
    return this.#update;
  }

  /** Whether the update is of the jackpot that is meant. A source may be bound to another one while the page is open. */
  take(update: JackpotUpdate): boolean {
    const isKnown = this.#update?.data.id === update.data.id;
    if (!isKnown && this.#update !== null && this.#fits(this.#update)) return false;
    if (!isKnown && !this.#fits(update)) return false;
    this.#update = update;
    return true;
  }

  #fits({ data }: JackpotUpdate): boolean {
    const { instance, source, pots = [] } = this.#wanted;
    if (instance) return data.id === instance;
    if (source) return data.allowed_sources?.includes(source) === true;
    return pots.every((id) => data.pots.some((pot) => pot.id === id));
  }
}
