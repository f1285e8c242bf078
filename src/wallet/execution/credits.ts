import type { CreditBatch, CreditRecord } from '../../messages/settlements.ts';
import { BatchJob } from './batch-job.ts';
import { batchMemberOf } from './batch-members.ts';
import { CreditJob } from './credit-job.ts';
import type { LaneContext } from './lane-context.ts';
import { Room } from './room.ts';

type CreditWork = CreditJob | BatchJob;

/**
 * Credits of one lane (docs/rules/wallets.md "Credits"): single ones by W3, those of one win or round, brand and currency
 * by W4. A credit leaves memory when the lane knows its result, or a person has it.
 */
export class Credits {
  readonly #context: LaneContext;
  readonly #held = new Room<CreditWork>();

  constructor(context: LaneContext) {
    this.#context = context;
  }

  get size(): number {
    return this.#held.size;
  }

  get oldestOpenedMs(): number | null {
    for (const { openedMs } of this.#held.values()) return openedMs;
    return null;
  }

  get isFull(): boolean {
    return this.#held.isFull;
  }

  takeTurnedAway(): boolean {
    return this.#held.takeTurnedAway();
  }

  /** A credit that is due now, alone. */
  due(credit: CreditRecord): void {
    const held = this.#held.get(credit.transactionId);
    if (held instanceof CreditJob) return held.dueAgain(credit);
    const batch = this.#held.get(credit.batchId);
    // A person tries it again while its batch is open: the batch decides, or it would be paid by both.
    if (batch instanceof BatchJob) return batch.dueAgain();
    this.#hold(credit.transactionId, credit.brand, () => this.#single(credit));
  }

  /** A batch that is due now. */
  batchDue({ batchId, brand }: Pick<CreditBatch, 'batchId' | 'brand'>, openedMs: number): void {
    const over = (alone: readonly CreditRecord[]): void => {
      this.#held.delete(batchId);
      for (const record of alone) this.#hold(record.transactionId, brand, () => this.#single(record));
    };
    this.#hold(batchId, brand, () => new BatchJob(batchId, brand, openedMs, this.#context, over));
  }

  /** A credit that the lane has open. */
  open(credit: CreditRecord): void {
    if (this.#held.get(credit.transactionId) !== undefined) return;
    if (batchMemberOf(credit) !== 'alone') this.batchDue(credit, credit.openedMs);
    else if (this.#held.get(credit.batchId) === undefined)
      this.#hold(credit.transactionId, credit.brand, () => this.#single(credit));
  }

  stop(): void {
    for (const job of this.#held.values()) job.stop();
  }

  #single(credit: CreditRecord): CreditJob {
    return new CreditJob(credit, this.#context, this.#doneWith(credit.transactionId));
  }

  #hold(id: string, brand: string, make: () => CreditWork): void {
    if (this.#held.get(id) !== undefined || !this.#held.has(brand)) return;
    const job = make();
    this.#held.add(id, job);
    this.#context.queues.of(brand, 'credit').add(job);
  }

  #doneWith(id: string): () => void {
    return () => this.#held.delete(id);
  }
}
