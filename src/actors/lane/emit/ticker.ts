import type { LaneEngine } from '../../../jackpot/lane/lane.ts';
import type { LaneTick } from '../../../messages/bus-messages.ts';
import { LiveValuesWriter } from '../../../messages/codec/live-values.ts';
import type { LiveValuesSink } from '../../../messages/records.ts';
import type { Clock } from '../../../ports.ts';

/** Changes of an instance within this time make one set of live values. */
export const tickEveryMs = 100;
/** All live values of the lane are repeated within this time, for followers that missed one. */
export const resendAllWithinMs = 5000;
const liveValuesPerTick = 200;
const bytesPerTick = 512 * 1024;
const writer = new LiveValuesWriter();
const minResendSlice = 20;
/** Half of the ticks that fit: the other half is for ticks that come late. */
const ticksOfRound = resendAllWithinMs / tickEveryMs / 2;

interface TickSource {
  appliedSequence(): number;
  storedOutcome(): number;
  instances(): Iterable<string>;
  writeLiveValues(instance: string, sink: LiveValuesSink): void;
}

export function tickSource(engine: LaneEngine, storedOutcome: () => number): TickSource {
  return {
    appliedSequence: () => engine.appliedSequence,
    storedOutcome,
    instances: () => engine.instances(),
    writeLiveValues: (instance, sink) => engine.writeLiveValues(instance, sink),
  };
}

/** Sends absolute live values: the changed ones, coalesced, and a slice of all others. */
export class Ticker {
  readonly #lane: number;
  readonly #source: TickSource;
  readonly #clock: Clock;
  readonly #publish: (tick: LaneTick) => void;
  readonly #touched = new Set<string>();
  #resending: string[] = [];
  #sliceSize = minResendSlice;
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
    const tick = (): void => {
      this.#cancel = null;
      this.#tick();
      this.start();
    };
    this.#cancel ??= this.#clock.after(tickEveryMs, tick, 'aligned');
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #tick(): void {
    this.#addResendSlice();
    if (this.#touched.size === 0) return;
    let written = 0;
    writer.begin();
    for (const instance of this.#touched) {
      const { length } = writer;
      this.#source.writeLiveValues(instance, writer);
      if (writer.length === length) continue;
      written += 1;
      if (written < liveValuesPerTick && writer.length < bytesPerTick) continue;
      this.#send();
      written = 0;
    }
    if (writer.length > 0) this.#send();
    this.#touched.clear();
  }

  #send(): void {
    this.#publish({
      lane: this.#lane,
      appliedSequence: this.#source.appliedSequence(),
      storedOutcome: this.#source.storedOutcome(),
      liveValues: writer.taken(),
    });
    writer.begin();
  }

  /** A round begins once in `resendAllWithinMs` and is dealt to its first ticks. */
  #addResendSlice(): void {
    const nowMs = this.#clock.elapsedMs();
    if (this.#resending.length === 0) {
      if (nowMs - this.#roundBeganMs < resendAllWithinMs - tickEveryMs) return;
      this.#resending = [...this.#source.instances()];
      this.#sliceSize = Math.max(minResendSlice, Math.ceil(this.#resending.length / ticksOfRound));
      this.#roundBeganMs = nowMs;
    }
    for (const instance of this.#resending.splice(-this.#sliceSize)) this.#touched.add(instance);
  }
}
