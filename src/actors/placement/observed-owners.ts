import type { Heartbeat } from '../../messages/bus-messages.ts';
import type { OwnerChange } from '../../messages/placement.ts';
import type { Clock } from '../../ports.ts';
import { ownerFailedMs } from './claim-rule.ts';
import { hostIdOf } from './host-record.ts';

const maxChanges = 200;

interface Observed {
  readonly beat: Heartbeat;
  readonly atMs: number;
}

/**
 * The last heartbeat of each lane, and how its owners changed since this host began to listen: from the last
 * heartbeat of the former owner to the first of the new one.
 */
export class ObservedOwners {
  readonly #self: string;
  readonly #clock: Pick<Clock, 'nowMs' | 'elapsedMs'>;
  readonly #tookOver: (lane: number, seconds: number) => void;
  readonly #beats = new Map<number, Observed>();
  /** Lanes that halted, at an owner or a standby. */
  readonly #halts = new Map<number, Observed>();
  readonly #changes: OwnerChange[] = [];

  /** `tookOver` is told each time that this host takes a lane from another one. */
  constructor(
    self: string,
    clock: Pick<Clock, 'nowMs' | 'elapsedMs'>,
    tookOver: (lane: number, seconds: number) => void,
  ) {
    this.#self = self;
    this.#clock = clock;
    this.#tookOver = tookOver;
  }

  get changes(): readonly OwnerChange[] {
    return this.#changes;
  }

  beat(beat: Heartbeat): void {
    const { lane, term } = beat;
    const atMs = this.#clock.elapsedMs();
    if (beat.condition === 'stopped') {
      this.#halts.set(lane, { beat, atMs });
      return;
    }
    const before = this.#beats.get(lane);
    if (before !== undefined && term < before.beat.term) return;
    this.#beats.set(lane, { beat, atMs });
    const to = hostIdOf(beat.host);
    const from = before === undefined ? to : hostIdOf(before.beat.host);
    if (before === undefined || from === to) return;
    const silentMs = Math.max(0, atMs - before.atMs);
    if (to === this.#self) this.#tookOver(lane, silentMs / 1000);
    const timestampMs = this.#clock.nowMs();
    this.#changes.push({ lane, term, from, to, timestampMs, silentMs: Math.round(silentMs) });
    if (this.#changes.length > maxChanges) this.#changes.shift();
  }

  /** null: no host sent one for a second. A halt counts only where no host serves the lane. */
  current(lane: number): Heartbeat | null {
    return this.#fresh(this.#beats.get(lane)) ?? this.#fresh(this.#halts.get(lane));
  }

  /** The highest term of an owner; null: no owner was observed. */
  term(lane: number): number | null {
    return this.#beats.get(lane)?.beat.term ?? null;
  }

  #fresh(observed: Observed | undefined): Heartbeat | null {
    if (observed === undefined) return null;
    return this.#clock.elapsedMs() - observed.atMs < ownerFailedMs ? observed.beat : null;
  }
}
