import { performance } from 'node:perf_hooks';
import { FairQueue, QueueFull } from '../../access/passwords/fair-queue.ts';
import { pause } from '../../lib/pauses.ts';
import type { Clock } from '../../ports.ts';
import { partyOf, type Writer } from '../api/services/readers.ts';
import { PublicError } from '../base/errors.ts';
import { httpLimits } from '../http/limits.ts';
import { sharesOfOperator } from './caller-limits.ts';

const { largeBodyBytes, largeBodyBurstBytes } = httpLimits;

interface BodyRate {
  readonly bytesPerSecond: number;
  readonly bytesPerBusySecond: number;
}

const usualRate: BodyRate = {
  bytesPerSecond: httpLimits.largeBodyBytesPerSecond,
  bytesPerBusySecond: httpLimits.largeBodyBytesPerBusySecond,
};

/** For rate tables (docs/decisions/0065). */
export const rateTableRate: BodyRate = {
  bytesPerSecond: httpLimits.rateTableBytesPerSecond,
  bytesPerBusySecond: httpLimits.rateTableBytesPerBusySecond,
};

/**
 * Administrators' large bodies wait for their turn: each costs every tenant time of the event loop. The
 * administrators of an operator have one turn together, and a busy gateway admits fewer
 * (docs/decisions/0065).
 */
export class LargeBodies {
  readonly #clock: Clock;
  readonly #rate: BodyRate;
  readonly #utilization: () => number;
  readonly #queue: FairQueue;
  #credit: number = largeBodyBurstBytes;
  #refilledAtMs: number;
  #bytesPerSecond: number;
  #sampledAtMs: number;

  /** `utilization`: the share of time that the event loop was busy since the last call, 0 to 1. */
  constructor(clock: Clock, rate: BodyRate = usualRate, utilization: () => number = loopUtilization()) {
    this.#clock = clock;
    this.#rate = rate;
    this.#bytesPerSecond = rate.bytesPerSecond;
    this.#utilization = utilization;
    this.#refilledAtMs = clock.elapsedMs();
    this.#sampledAtMs = this.#refilledAtMs;
    this.#queue = new FairQueue(clock, {
      concurrent: 1,
      concurrentUnproven: 1,
      unprovenRest: false,
      waiting: httpLimits.largeBodiesWaiting,
      waitingPerAddress: sharesOfOperator * httpLimits.largeBodiesWaitingOfAdministrator,
      waitingPerUser: httpLimits.largeBodiesWaitingOfAdministrator,
    });
  }

  /** Resolves when a body of this length may be handled. @throws PublicError rate_limited */
  async admit(writer: Writer, bytes: number): Promise<void> {
    const turn = { address: partyOf(writer), user: writer.subject, proven: false };
    try {
      await this.#queue.run(turn, () => this.#spend(bytes));
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new PublicError('rate_limited', '', { limitedCaller: `large bodies of ${turn.address}` });
    }
  }

  /** One body may make the credit negative; a larger one costs no more than all of it. */
  async #spend(bytes: number): Promise<void> {
    this.#refill();
    while (this.#credit <= 0) {
      await pause(this.#clock, httpLimits.largeBodyCheckMs);
      this.#refill();
    }
    this.#credit -= Math.min(bytes, largeBodyBurstBytes);
  }

  #refill(): void {
    const nowMs = this.#clock.elapsedMs();
    if (nowMs - this.#sampledAtMs >= httpLimits.utilizationSampleMs) {
      const isBusy = this.#utilization() >= httpLimits.busyUtilization;
      this.#bytesPerSecond = isBusy ? this.#rate.bytesPerBusySecond : this.#rate.bytesPerSecond;
      this.#sampledAtMs = nowMs;
    }
    const seconds = Math.max(0, nowMs - this.#refilledAtMs) / 1000;
    this.#credit = Math.min(largeBodyBurstBytes, this.#credit + seconds * this.#bytesPerSecond);
    this.#refilledAtMs = nowMs;
  }
}

/** Whether a body of an administrator has to wait for its turn. */
export function isLargeBody(bytes: number): boolean {
  return bytes > largeBodyBytes;
}

function loopUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
