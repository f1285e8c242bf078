import type { Durations } from '../../lib/durations.ts';
import type { Clock } from '../../ports.ts';
import type { BatchLag } from './lane-lag.ts';
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
