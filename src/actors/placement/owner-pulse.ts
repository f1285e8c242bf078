import type { Heartbeat } from '../../messages/bus-messages.ts';
import { hostIdOf } from './host-record.ts';

/**
 * The signs of life of a lane's owner. Silence is counted in polls and not by a clock: while this process is stopped or
 * its machine sleeps, no silence passes.
 */
export class OwnerPulse {
  /** The owner's host; null: nothing was received of one yet. */
  host: string | null = null;
  term = 0;
  appliedSequence = 0;
  #silentPolls = 0;
  #heardTerm = 0;

  /** False: a beat of an earlier term, or one that says that the lane is not served. */
  beat(heartbeat: Heartbeat): boolean {
    if (heartbeat.term < this.term || heartbeat.condition === 'stopped') return false;
    this.host = hostIdOf(heartbeat.host);
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
  }

  /** A claim is as good as a beat. */
  claimed(by: string, term: number): void {
    if (term < this.term) return;
    this.host = hostIdOf(by);
    this.term = term;
    this.#silentPolls = 0;
  }

  polled(): void {
    this.#silentPolls += 1;
  }

  silentMs(pollMs: number): number {
    return this.#silentPolls * pollMs;
  }
}
