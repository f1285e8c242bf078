import type { MoneyPurpose } from '../client/policies.ts';
import type { LaneContext } from './lane-context.ts';
import { executionLimits } from './limits.ts';
import type { WalletJob } from './queues.ts';
import type { Settlement } from './settlement-writer.ts';

/** Work of a lane in the queue of its brand and purpose. */
export abstract class LaneJob implements WalletJob {
  readonly brand: string;
  protected readonly context: LaneContext;
  protected isStopped = false;
  readonly #purpose: MoneyPurpose;

  constructor(brand: string, purpose: MoneyPurpose, context: LaneContext) {
    this.brand = brand;
    this.#purpose = purpose;
    this.context = context;
  }

  abstract run(): Promise<number | null>;

  enqueue(): void {
    this.#queue.add(this);
  }

  stop(): void {
    this.isStopped = true;
    this.#queue.drop(this);
  }

  /** A job that waits runs as soon as it can. */
  protected hurry(): void {
    if (this.#queue.drop(this)) this.#queue.add(this);
  }

  /**
   * Reports results to the lane, and calls `stored` once it has them. `lost`: the report cannot be written;
   * the lane still has the work open, and a sweep takes it again.
   */
  protected settle(
    commands: readonly Settlement[],
    contributionId: string | null,
    { stored, lost = () => {} }: { readonly stored: () => void; readonly lost?: () => void },
  ): void {
    const { writer, report, traces } = this.context;
    writer
      .write(commands, contributionId === null ? undefined : traces.of(contributionId))
      .then(stored)
      .catch((error: unknown) => {
        report(error);
        lost();
      });
  }

  get #queue() {
    return this.context.queues.of(this.brand, this.#purpose);
  }
}

/** Work on credits: the same call again until its result is known. */
export abstract class CreditWork extends LaneJob {
  readonly openedMs: number;
  readonly #name: 'credit' | 'batch';
  protected tries = 0;
  /** Since when its result is unknown; null: it was not tried, or the lane does not know that it was. */
  protected unknownSinceMs: number | null = null;

  constructor(name: 'credit' | 'batch', brand: string, openedMs: number, context: LaneContext) {
    super(brand, 'credit', context);
    this.#name = name;
    this.openedMs = openedMs;
  }

  /** The pause after an unknown answer; null: the call was repeated for a day, and a person has to look. */
  protected pauseAfterUnknown(reason: string, sinceMs: number): number | null {
    const { monitor, timeMs } = this.context;
    const ageMs = timeMs() - sinceMs;
    this.unknownSinceMs = sinceMs;
    monitor.alarm(
      'wallet_credit_unanswered',
      this.brand,
      `The result of a ${this.#name} is unknown: ${reason}.`,
    );
    if (ageMs < executionLimits.giveUpAfterMs) {
      this.tries += 1;
      return nextPauseMs(this.tries, ageMs);
    }
    const message = `A ${this.#name} was repeated for a day: a person has to look.`;
    monitor.alarm('wallet_credit_exhausted', this.brand, message);
    return null;
  }
}

/**
 * The pause after try `tries` (from 1): 0.5 s doubling to 5 s while the unknown answer is young, then
 * doubling to 5 min. The answer's age decides, so that another process goes on where the last one stopped.
 */
export function nextPauseMs(tries: number, ageMs: number): number {
  const { firstPauseMs, maxEarlyPauseMs, maxPauseMs, earlyMs } = executionLimits;
  const doubledMs = firstPauseMs * 2 ** Math.min(tries - 1, 20);
  if (ageMs < earlyMs) return Math.min(doubledMs, maxEarlyPauseMs);
  // Pauses of 10 s, 20 s, 40 s and so on begin at these ages.
  const lateMs = ageMs - earlyMs + 2 * maxEarlyPauseMs;
  return Math.min(doubledMs, lateMs, maxPauseMs);
}
