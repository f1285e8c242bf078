import type { Durations } from '../../lib/durations.ts';
import type { Clock } from '../../ports.ts';
import { batchLimits } from './limits.ts';

/** `hung`: its owner is silent. `lagging`: the owner is alive, but stored commands wait for outcomes. */
type LaneHealth = 'well' | 'lagging' | 'hung';

/** Two heartbeats that did not come: silence from which on a lane had no owner. */
const minGapMs = 600;
/** Silences of owners that have ended, of all lanes: how long each lane went without one. */
export const gapBoundsSeconds = [0.8, 1, 1.5, 2, 3, 5, 10, 20, 60];

/** When the owner of a lane was last heard. A lane that never was counts from the start of this gateway. */
export class LanePulse {
  readonly #clock: Clock;
  readonly #lag: BatchLag;
  readonly #gaps: Pick<Durations, 'observe'>;
  #observedMs: number;
  #isHeard = false;

  constructor(clock: Clock, lag: BatchLag, gaps: Pick<Durations, 'observe'>) {
    this.#clock = clock;
    this.#lag = lag;
    this.#gaps = gaps;
    this.#observedMs = clock.elapsedMs();
  }

  observe(): void {
    const silentMs = this.silentMs();
    if (this.#isHeard && silentMs >= minGapMs) this.#gaps.observe(silentMs / 1000);
    this.#isHeard = true;
    this.#observedMs = this.#clock.elapsedMs();
  }

  /** For how long nothing was heard. */
  silentMs(): number {
    return Math.max(0, this.#clock.elapsedMs() - this.#observedMs);
  }

  health(): LaneHealth {
    if (this.silentMs() > batchLimits.silentMs) return 'hung';
    return this.#lag.tooFarBehind() ? 'lagging' : 'well';
  }
}

/** How old `PastEnd` is at least. */
const pastEndMs = 30_000;

/** Where a lane's outcomes ended half a minute to a minute ago: who is not there yet has fallen behind. */
export class PastEnd {
  readonly #clock: Clock;
  #notedMs: number;
  #noted = 0;
  #end = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#notedMs = clock.elapsedMs();
  }

  /** 0: this gateway has not known the lane for long enough. */
  get sequence(): number {
    return this.#end;
  }

  advanced(outcomeSequence: number): void {
    const nowMs = this.#clock.elapsedMs();
    if (nowMs - this.#notedMs < pastEndMs) return;
    this.#end = this.#noted;
    this.#noted = outcomeSequence;
    this.#notedMs = nowMs;
  }
}

/** A line for each lane that is not well. */
export function unwellLanes(lanes: readonly LaneTraffic[]): string[] {
  return lanes.flatMap(({ health, silentMs, lagMs }, lane) => {
    if (health === 'hung')
      return [`lane ${lane} is hung: no heartbeat of its owner for ${Math.floor(silentMs / 1000)} s`];
    if (health === 'lagging')
      return [`lane ${lane} is lagging: its oldest open message is ${Math.floor(lagMs / 1000)} s old`];
    return [];
  });
}

export interface LaneTraffic {
  /** Commands that wait for an answer. */
  readonly outstanding: number;
  /** The age of the oldest stored one without an outcome. */
  readonly lagMs: number;
  readonly silentMs: number;
  readonly health: LaneHealth;
}

interface Open {
  readonly sequence: number;
  readonly commands: number;
  readonly bytes: number;
  readonly storedMs: number;
}

/** How far a lane is behind what this gateway has stored in it. */
export class BatchLag {
  readonly #clock: Clock;
  #open: Open[] = [];
  #first = 0;
  #commands = 0;
  #bytes = 0;
  #progress = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A message of ours was acknowledged. */
  stored(sequence: number, commands: number, bytes: number): void {
    if (sequence <= this.#progress) return;
    this.#open.push({ sequence, commands, bytes, storedMs: this.#clock.elapsedMs() });
    this.#commands += commands;
    this.#bytes += bytes;
  }

  /** The lane's outcome records are stored up to this sequence. */
  advanced(outcomeSequence: number): void {
    if (outcomeSequence <= this.#progress) return;
    this.#progress = outcomeSequence;
    while (this.#first < this.#open.length && this.#open[this.#first]!.sequence <= outcomeSequence) {
      this.#commands -= this.#open[this.#first]!.commands;
      this.#bytes -= this.#open[this.#first]!.bytes;
      this.#first += 1;
    }
    if (this.#first > 1024 || this.#first === this.#open.length) {
      this.#open = this.#open.slice(this.#first);
      this.#first = 0;
    }
  }

  tooFarBehind(): boolean {
    const oldest = this.#open[this.#first];
    if (oldest === undefined) return false;
    return (
      this.#clock.elapsedMs() - oldest.storedMs > batchLimits.lagMs ||
      this.#commands > batchLimits.lagCommands ||
      this.#bytes > batchLimits.lagBytes ||
      this.#open.length - this.#first > batchLimits.lagMessages
    );
  }

  /** Age of the oldest message without an outcome record, for the metrics. */
  ageMs(): number {
    const oldest = this.#open[this.#first];
    return oldest === undefined ? 0 : this.#clock.elapsedMs() - oldest.storedMs;
  }
}
