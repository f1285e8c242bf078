import { type DebitRecord, sharedBatch } from '../../messages/settlements.ts';
import { Cancellations } from './cancellations.ts';
import { DebitJob } from './debit-job.ts';
import { HeldWork } from './held-work.ts';
import type { LaneContext } from './lane-context.ts';

/**
 * Debits of one lane (docs/rules/wallets.md "Debits"): W3 until shortly before the deadline, W2 after it; of
 * batches W4 and W5. A debit leaves memory when the lane knows its result.
 */
export class Debits {
  readonly #context: LaneContext;
  readonly #jobs = new HeldWork<DebitJob>();
  /** Batches of which not all debits have come: they come with one record, or with the pages of a sweep. */
  readonly #parts = new Map<string, DebitJob>();
  readonly #cancellations: Cancellations;
  /** Settled debits until their deadlines: an older answer of the lane must not debit the player again. */
  readonly #known = new Map<string, number>();

  constructor(context: LaneContext) {
    this.#context = context;
    this.#cancellations = new Cancellations(context, (debit) => this.#jobs.delete(debit.transactionId));
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** Those whose cancellation the wallet has not confirmed. */
  get cancelling(): number {
    return this.#cancellations.size;
  }

  get oldestOpenedMs(): number | null {
    for (const { openedMs } of this.#jobs.values()) return openedMs;
    return null;
  }

  get isFull(): boolean {
    return this.#jobs.isFull;
  }

  takeRejected(): boolean {
    return this.#jobs.takeRejected();
  }

  /** A debit that is due. */
  due(debit: DebitRecord): void {
    this.#take(debit, false);
  }

  /** A debit that the lane has open: a process that has died since may have tried it. */
  open(debit: DebitRecord): void {
    this.#take(debit, true);
  }

  #take(debit: DebitRecord, isUncertain: boolean): void {
    const { transactionId, brand, debited } = debit;
    if (debited || this.#jobs.get(transactionId) !== undefined || this.#isSettled(debit)) return;
    if (!this.#jobs.has(brand)) return;
    const batch = sharedBatch(debit);
    const known = batch === null ? undefined : this.#parts.get(batch.id);
    const job = known ?? this.#jobOf(debit);
    this.#jobs.add(transactionId, job);
    job.join(debit, isUncertain);
    if (batch !== null && !job.isWhole) {
      this.#parts.set(batch.id, job);
      return;
    }
    if (batch !== null) this.#parts.delete(batch.id);
    job.begin();
  }

  #jobOf(debit: DebitRecord): DebitJob {
    return new DebitJob(debit.brand, sharedBatch(debit), {
      context: this.#context,
      cancellations: this.#cancellations,
      settled: (each) => this.#settled(each),
    });
  }

  /**
   * All that the lane has open has come. What is left of a batch was settled in part, or there is no room for
   * the others: its W4 cannot be written again, and it is cancelled at its deadline.
   */
  swept(): void {
    for (const job of this.#parts.values()) job.cancel();
    this.#parts.clear();
  }

  stop(): void {
    this.#cancellations.stop();
    for (const job of this.#jobs.values()) job.stop();
  }

  /** After its deadline the lane knows best: it may have refused the report. */
  #isSettled({ transactionId, deadlineMs }: DebitRecord): boolean {
    return this.#known.has(transactionId) && deadlineMs >= this.#context.timeMs();
  }

  #settled(debit: DebitRecord): void {
    this.#known.set(debit.transactionId, debit.deadlineMs);
    for (const [id, deadlineMs] of this.#known) {
      if (deadlineMs >= this.#context.timeMs()) break;
      this.#known.delete(id);
    }
    this.#jobs.delete(debit.transactionId);
  }
}
