import type { RaffleWinEvent, WinEvent } from '../index.ts';

/** A win as the ticker celebrates it. */
export interface Win {
  readonly instance: string;
  readonly pot: string;
  readonly amount: string;
  readonly currency: string;
  readonly player: string;
  readonly timestampMs: number;
}

/** Older wins are recovered ones: they were not seen to happen. */
const freshMs = 15_000;
export const celebrationMs = 5_000;
/** Wins that wait for their turn; of more, the oldest are left out. */
export const maxWaiting = 8;
export const announcementGapMs = 10_000;

/** `newestMs`: the service's time, of the newest event; a player's clock may be wrong by years. */
export function isFresh(win: Win, newestMs: number): boolean {
  return newestMs - win.timestampMs < freshMs;
}

/** Shows one win after the other, each for `celebrationMs`. */
export class Celebrations {
  readonly #show: (win: Win | null) => void;
  readonly #waiting: Win[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(show: (win: Win | null) => void) {
    this.#show = show;
  }

  add(win: Win): void {
    this.#waiting.push(win);
    if (this.#waiting.length > maxWaiting) this.#waiting.shift();
    if (this.#timer === null) this.#next();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting.length = 0;
    this.#show(null);
  }

  #next(): void {
    const win = this.#waiting.shift() ?? null;
    this.#timer = win === null ? null : setTimeout(() => this.#next(), celebrationMs);
    this.#show(win);
  }
}

/** What is to be said: its text, by how many wins more came since the last one was. */
type Say = (more: number) => void;

/** Screen readers hear of a win at most once in ten seconds, however many tickers a page has. */
export class Announcer {
  #timer: ReturnType<typeof setTimeout> | null = null;
  #waiting: Say | null = null;
  #more = 0;

  announce(say: Say): void {
    if (this.#timer === null) {
      say(0);
      this.#wait();
      return;
    }
    if (this.#waiting !== null) this.#more += 1;
    this.#waiting = say;
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#waiting === null) return;
      const [say, more] = [this.#waiting, this.#more];
      [this.#waiting, this.#more] = [null, 0];
      say(more);
      this.#wait();
    }, announcementGapMs);
  }
}

/** null: it belongs to no instance. */
export function winOf({ data, instance_id, timestamp }: WinEvent): Win | null {
  if (instance_id === null) return null;
  return {
    instance: instance_id,
    pot: data.win_pot_id,
    amount: data.win_amount,
    currency: data.currency,
    player: data.player_id,
    timestampMs: timestamp,
  };
}

/** The first prize of a round stands for it. */
export function prizeOf({ data, instance_id, timestamp }: RaffleWinEvent): Win | null {
  const [first] = data.winners;
  if (instance_id === null || first === undefined) return null;
  return {
    instance: instance_id,
    pot: data.win_pot_id,
    amount: first.win_amount,
    currency: data.currency,
    player: first.player_id,
    timestampMs: timestamp,
  };
}
