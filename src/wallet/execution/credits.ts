import type { CreditBatch, CreditRecord } from '../../messages/settlements.ts';
import { BatchJob } from './batch-job.ts';
import { CreditJob } from './credit-job.ts';
import { HeldWork } from './held-work.ts';
import type { LaneContext } from './lane-context.ts';
import type { CreditWork } from './lane-job.ts';
import { executionLimits } from './limits.ts';

/**
 * Credits of one lane (docs/rules/wallets.md "Credits"): single ones by W3, those of one win or round, brand
 * and currency by W4. A credit leaves memory when the lane knows its result, or a person has it.
 */
export class Credits {
  readonly #context: LaneContext;
  readonly #jobs = new HeldWork<CreditWork>();
  /** Credits and batches done a moment ago: an older answer of the lane shows them as open. */
  readonly #done = new Map<string, number>();

  constructor(context: LaneContext) {
    this.#context = context;
  }

  get size(): number {
    return this.#jobs.size;
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

  /** A credit that is due now, alone. */
  due(credit: CreditRecord): void {
    const known = this.#jobs.get(credit.transactionId);
    const batch = this.#jobs.get(credit.batchId);
    if (known instanceof CreditJob) known.dueAgain(credit);
    // A person tries it again while its batch is open: the batch decides, or it would be paid by both.
    else if (batch instanceof BatchJob) batch.dueAgain();
    else this.#begin(credit);
  }

  /** A batch that is due now. */
  batchDue({ batchId, brand }: Pick<CreditBatch, 'batchId' | 'brand'>, openedMs: number): void {
    const over = (alone: readonly CreditRecord[]): void => {
      this.#end(batchId);
      for (const record of alone) this.#hold(record.transactionId, brand, () => this.#single(record));
    };
    this.#hold(batchId, brand, () => new BatchJob(batchId, brand, openedMs, this.#context, over));
  }

  /** A credit that the lane has open. */
  open(credit: CreditRecord): void {
    if (this.#jobs.get(credit.transactionId) !== undefined) return;
    if (this.#wasDone(credit.transactionId) || this.#wasDone(credit.batchId)) return;
    this.#begin(credit);
  }

  stop(): void {
    for (const job of this.#jobs.values()) job.stop();
  }

  /** Only all records of a batch together say which of them are alone (docs/decisions/0120). */
  #begin(credit: CreditRecord): void {
    if (credit.batchId !== '') this.batchDue(credit, credit.openedMs);
    else this.#hold(credit.transactionId, credit.brand, () => this.#single(credit));
  }

  #single(credit: CreditRecord): CreditJob {
    return new CreditJob(credit, this.#context, this.#doneWith(credit.transactionId));
  }

  #hold(id: string, brand: string, make: () => CreditWork): void {
    if (this.#jobs.get(id) !== undefined || !this.#jobs.has(brand)) return;
    const job = make();
    this.#jobs.add(id, job);
    job.enqueue();
  }

  #doneWith(id: string): () => void {
    return () => this.#end(id);
  }

  #end(id: string): void {
    const nowMs = this.#context.clock.elapsedMs();
    for (const [each, doneMs] of this.#done) {
      if (nowMs - doneMs < executionLimits.doneMs) break;
      this.#done.delete(each);
    }
    this.#done.set(id, nowMs);
    this.#jobs.delete(id);
  }

  /** If the lane still has it open, a later sweep takes it. */
  #wasDone(id: string): boolean {
    const doneMs = this.#done.get(id);
    return doneMs !== undefined && this.#context.clock.elapsedMs() - doneMs < executionLimits.doneMs;
  }
}
