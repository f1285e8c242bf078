import type { LaneTick } from '../contracts/log/messages.ts';
import type { Headline } from '../contracts/log/outcomes.ts';
import type { Clock } from '../lib/ports.ts';

/** Changes of an instance within this time make one headline. */
export const tickEveryMs = 100;
/** Within this time every headline of the lane is sent again, for whoever missed one. */
export const resendAllWithinMs = 5000;
const headlinesPerTick = 200;
const smallestResendSlice = 20;

/** What a ticker shows: the lane as it is at the moment of the tick. */
export interface TickSource {
  appliedSequence(): number;
  storedOutcome(): number;
  instances(): Iterable<string>;
  headline(instance: string): Headline | null;
}

/** Sends absolute headlines: what changed, coalesced, and a slice of everything else. */
export class Ticker {
  readonly #lane: number;
  readonly #source: TickSource;
  readonly #clock: Clock;
  readonly #publish: (tick: LaneTick) => void;
  readonly #touched = new Set<string>();
  #resending: Iterator<string> | null = null;
  #resentInRound = 0;
  #roundSize = 0;
  #roundBeganMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;

  constructor(lane: number, source: TickSource, clock: Clock, publish: (tick: LaneTick) => void) {
    this.#lane = lane;
    this.#source = source;
    this.#clock = clock;
    this.#publish = publish;
  }

  /** An instance changed. Called once a message and instance: it does nothing but remember. */
  touch(instance: string): void {
    this.#touched.add(instance);
  }

  start(): void {
    this.#cancel ??= this.#clock.after(tickEveryMs, () => {
      this.#cancel = null;
      this.#tick();
      this.start();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #tick(): void {
    this.#addResendSlice();
    if (this.#touched.size === 0) return;
    let headlines: Headline[] = [];
    for (const instance of this.#touched) {
      const headline = this.#source.headline(instance);
      if (headline !== null) headlines.push(headline);
      if (headlines.length < headlinesPerTick) continue;
      this.#send(headlines);
      headlines = [];
    }
    if (headlines.length > 0) this.#send(headlines);
    this.#touched.clear();
  }

  #send(headlines: readonly Headline[]): void {
    this.#publish({
      lane: this.#lane,
      appliedSequence: this.#source.appliedSequence(),
      storedOutcome: this.#source.storedOutcome(),
      headlines,
    });
  }

  /** A round begins at most once in `resendAllWithinMs` and is spread over its ticks. */
  #addResendSlice(): void {
    const nowMs = this.#clock.nowMs();
    if (this.#resending === null) {
      if (nowMs - this.#roundBeganMs < resendAllWithinMs - tickEveryMs) return;
      this.#resending = this.#source.instances()[Symbol.iterator]();
      this.#roundBeganMs = nowMs;
      this.#resentInRound = 0;
    }
    // Half of the round's ticks would do: the other half is for the instances that appear and the ticks that are late.
    const ticksOfRound = resendAllWithinMs / tickEveryMs / 2;
    const slice = Math.max(smallestResendSlice, Math.ceil(this.#roundSize / ticksOfRound));
    for (let taken = 0; taken < slice; taken += 1) {
      const next = this.#resending.next();
      if (next.done === true) {
        this.#roundSize = this.#resentInRound;
        this.#resending = null;
        return;
      }
      this.#resentInRound += 1;
      this.#touched.add(next.value);
    }
  }
}
