import type { Heartbeat } from '../../messages/bus-messages.ts';
import type { OwnerChange } from '../../messages/placement.ts';
import type { Clock } from '../../ports.ts';
import { ownerFailedMs } from './claim-rule.ts';
import { hostIdOf } from './host-record.ts';

/** A day of a system in which a lane changes its owner each seven minutes. */
const maxChanges = 200;

interface Heard {
  readonly beat: Heartbeat;
  readonly atMs: number;
}

/** The last heartbeat of each lane, and which lanes changed their owners since this host began to listen. */
export class HeardOwners {
  readonly #clock: Pick<Clock, 'nowMs' | 'elapsedMs'>;
  /** Of owners; a lane that halted is heard as well. */
  readonly #heard = new Map<number, Heard>();
  readonly #halts = new Map<number, Heard>();
  readonly #changes: OwnerChange[] = [];

  constructor(clock: Pick<Clock, 'nowMs' | 'elapsedMs'>) {
    this.#clock = clock;
  }

  get changes(): readonly OwnerChange[] {
    return this.#changes;
  }

  beat(beat: Heartbeat): void {
    const atMs = this.#clock.elapsedMs();
    if (beat.condition === 'stopped') {
      this.#halts.set(beat.lane, { beat, atMs });
      return;
    }
    const before = this.#heard.get(beat.lane);
    if (before !== undefined && beat.term < before.beat.term) return;
    this.#heard.set(beat.lane, { beat, atMs });
    const to = hostIdOf(beat.host);
    const from = before === undefined ? to : hostIdOf(before.beat.host);
    if (before === undefined || from === to) return;
    const silentMs = Math.round(Math.max(0, atMs - before.atMs));
    const timestampMs = this.#clock.nowMs();
    this.#changes.push({ lane: beat.lane, term: beat.term, from, to, timestampMs, silentMs });
    if (this.#changes.length > maxChanges) this.#changes.shift();
  }

  /** null: nothing was heard of the lane for a second. A halt counts only where nobody serves the lane. */
  current(lane: number): Heartbeat | null {
    return this.#fresh(this.#heard.get(lane)) ?? this.#fresh(this.#halts.get(lane));
  }

  /** The highest term of an owner; null: none was heard. */
  term(lane: number): number | null {
    return this.#heard.get(lane)?.beat.term ?? null;
  }

  #fresh(heard: Heard | undefined): Heartbeat | null {
    return heard !== undefined && this.#clock.elapsedMs() - heard.atMs < ownerFailedMs ? heard.beat : null;
  }
}
