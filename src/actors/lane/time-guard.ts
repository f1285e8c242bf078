import type { StoredCommand } from '../../ports.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import type { Replica } from '../replica/replica.ts';

/**
 * A new message has a time long after now. Time never goes back in a lane: applying the message would close
 * every epoch, window and deadline up to then for good. The lane must not continue (docs/decisions/0001).
 */
export class LogTimeAhead extends Error {
  readonly code = 'log_time_ahead';
  readonly retryable = false;
}

/** Compares the time of new messages with this host's clock, before they are applied. */
export class TimeGuard {
  readonly #replica: Replica;
  readonly #ports: Pick<ActorPorts, 'clock' | 'monitor'>;
  readonly #maxLeadMs: number;
  /** Stopwatch time at which the last message passed. */
  #passedAtSeconds: number | null = null;
  #alarmedOfClock = false;

  constructor(replica: Replica, ports: Pick<ActorPorts, 'clock' | 'monitor'>, maxLeadMs: number) {
    this.#replica = replica;
    this.#ports = ports;
    this.#maxLeadMs = maxLeadMs;
  }

  /**
   * Messages up to `storedOutcome` were applied by an owner before: they are history, whatever their time.
   * @throws LogTimeAhead
   */
  check({ sequence, timestampMs }: StoredCommand, storedOutcome: number): void {
    const leadMs = timestampMs - this.#ports.clock.nowMs();
    if (leadMs > this.#maxLeadMs && sequence > storedOutcome) this.#judge(sequence, timestampMs, leadMs);
    this.#passedAtSeconds = this.#ports.monitor.stopwatchSeconds();
  }

  /** Which clock is wrong? Where the log's time went on as the stopwatch did, it is this host's. */
  #judge(sequence: number, timestampMs: number, leadMs: number): void {
    const { timestampMs: laneMs } = this.#replica.engine;
    const leapMs = timestampMs - laneMs - this.#sinceLastMs();
    const lead = `${Math.round(leadMs / 1000)} s ahead of this host's clock`;
    if (laneMs === 0 || leapMs > this.#maxLeadMs) {
      throw new LogTimeAhead(
        `Message ${sequence} of ${new Date(timestampMs).toISOString()} is ${lead}, ${Math.round(leapMs / 1000)} s more than passed ` +
          'since the message before it. It is not applied. Compare the clocks ("potstream doctor"), set them right, and restart the actors.',
      );
    }
    if (this.#alarmedOfClock) return;
    this.#alarmedOfClock = true;
    const message = `The log's time is ${lead}, and goes on as it should: this host's clock is wrong. Set it and keep it right (NTP).`;
    this.#ports.monitor.alarm(this.#replica.lane, 'host_clock_behind', message);
  }

  #sinceLastMs(): number {
    if (this.#passedAtSeconds === null) return 0;
    return (this.#ports.monitor.stopwatchSeconds() - this.#passedAtSeconds) * 1000;
  }
}
