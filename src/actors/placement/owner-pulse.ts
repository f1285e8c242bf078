import type { Heartbeat } from '../../messages/bus-messages.ts';
import type { HostedLaneStatus } from '../lane/lane-status.ts';
import { maxMoveLag } from './claim-rule.ts';
import { hostIdOf, processOf } from './host-record.ts';

type Follower = Pick<HostedLaneStatus, 'caughtUp' | 'appliedSequence'>;

/**
 * The signs of life of a lane's owner, and for how long this host has kept up with it. Both are counted in
 * polls and not by a clock: while this process is stopped or its machine sleeps, no silence passes, and no
 * host becomes warm.
 */
export class OwnerPulse {
  /** The owner's host; null: nothing was received of one yet. */
  host: string | null = null;
  /** The owner's process, by its last beat or claim. */
  process: string | null = null;
  isGone = false;
  term = 0;
  appliedSequence = 0;
  #silentPolls = 0;
  #keptUpPolls = 0;
  #heardTerm = 0;

  /** False: a beat of an earlier term, or one that says that the lane is not served. */
  beat(heartbeat: Heartbeat): boolean {
    if (heartbeat.term < this.term || heartbeat.condition === 'stopped') return false;
    this.#nameOwner(heartbeat.host);
    this.term = heartbeat.term;
    this.appliedSequence = heartbeat.appliedSequence;
    this.#heardTerm = heartbeat.term;
    this.#silentPolls = 0;
    return true;
  }

  /** Whether a heartbeat of this term arrived: a claim comes through the log, and says nothing of the bus. */
  get isHeard(): boolean {
    return this.#heardTerm === this.term;
  }

  /** Silence begins again: beats of before were lost on the way. */
  interrupted(): void {
    this.#silentPolls = 0;
    this.isGone = false;
  }

  /** A claim is as good as a beat. */
  claimed(by: string, term: number): void {
    if (term < this.term) return;
    this.#nameOwner(by);
    this.term = term;
    this.#silentPolls = 0;
  }

  /** `here`: the lane on this host; null: it does not follow the lane. */
  polled(here: Follower | null): void {
    this.#silentPolls += 1;
    const keepsUp = here?.caughtUp === true && this.lagOf(here) <= maxMoveLag;
    this.#keptUpPolls = keepsUp ? this.#keptUpPolls + 1 : 0;
  }

  lagOf(here: Follower): number {
    return this.appliedSequence - here.appliedSequence;
  }

  keptUpMs(pollMs: number): number {
    return this.#keptUpPolls * pollMs;
  }

  silentMs(pollMs: number): number {
    return this.#silentPolls * pollMs;
  }

  #nameOwner(name: string): void {
    this.host = hostIdOf(name);
    this.process = processOf(name);
    this.isGone = false;
  }
}
