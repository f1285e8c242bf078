import type { DebitRecord } from '../../messages/settlements.ts';
import { debitCall } from '../calls/execute-transaction.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { walletLimits } from '../client/limits.ts';
import { Cancellations } from './cancellations.ts';
import { HeldWork } from './held-work.ts';
import { type LaneContext, mayHaveArrived } from './lane-context.ts';
import { LaneJob } from './lane-job.ts';
import { executionLimits } from './limits.ts';

/**
 * Debits of one lane (docs/rules/wallets.md "Debits"): W3 until shortly before the deadline, W2 after it. A
 * debit leaves memory when the lane knows its result.
 */
export class Debits {
  readonly #context: LaneContext;
  readonly #jobs = new HeldWork<DebitJob>();
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
    for (const { debit } of this.#jobs.values()) return debit.openedMs;
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
    const job = new DebitJob(debit, isUncertain, this.#context, this.#cancellations, () =>
      this.#settled(debit),
    );
    this.#jobs.add(transactionId, job);
    job.begin();
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

class DebitJob extends LaneJob {
  readonly debit: DebitRecord;
  readonly #cancellations: Cancellations;
  readonly #settled: () => void;
  #pauseMs: number = executionLimits.firstDebitPauseMs;
  /** Written once: while a wallet is down, many tries end before anything is sent. */
  #call: WalletCall | null = null;
  /** A try before this one may have debited the player, or may do so yet. */
  #isUncertain: boolean;

  constructor(
    debit: DebitRecord,
    isUncertain: boolean,
    context: LaneContext,
    cancellations: Cancellations,
    settled: () => void,
  ) {
    super(debit.brand, 'debit', context);
    this.debit = debit;
    this.#isUncertain = isUncertain;
    this.#cancellations = cancellations;
    this.#settled = settled;
  }

  begin(): void {
    if (this.#leftMs() < executionLimits.minTryMs) this.#cancellations.add(this.debit, 'cancelled');
    else this.enqueue();
  }

  async run(): Promise<number | null> {
    if (this.isStopped) return null;
    const leftMs = this.#leftMs();
    if (leftMs < executionLimits.minTryMs) {
      // Other processes may have tried it: only the wallet knows.
      this.#cancellations.add(this.debit, 'cancelled');
      return null;
    }
    const client = this.context.queues.clientOf(this.brand);
    if (client === null) return this.#nextPauseMs();
    const timeoutMs = Math.min(walletLimits.tryTimeoutMs, leftMs);
    const trace = this.context.traces.of(this.debit.contributionId);
    this.#call ??= { ...debitCall(this.debit), trace };
    const answer = await client.attempt(this.#call, 'debit', timeoutMs);
    switch (answer.kind) {
      case 'accepted':
        this.#report('debited');
        return null;
      case 'refused':
        // An earlier try that is still on its way could debit after the refusal: it is cancelled first.
        if (this.#isUncertain) this.#cancellations.add(this.debit, 'refused');
        else this.#report('refused');
        return null;
      case 'unknown':
        this.#isUncertain ||= mayHaveArrived(answer.reason);
        return this.#nextPauseMs();
    }
  }

  /** The lane takes `debited` up to the deadline; after it the debit is cancelled (docs/decisions/0270). */
  #report(result: 'debited' | 'refused'): void {
    const { timeMs, monitor } = this.context;
    const { transactionId, contributionId, deadlineMs } = this.debit;
    const expires = result === 'debited' ? { expiresMs: deadlineMs } : {};
    this.settle([{ kind: 'DebitSettled', transactionId, result, ...expires }], contributionId, {
      stored: () => {
        if (result === 'debited' && timeMs() > deadlineMs - executionLimits.reportWithinMs / 2)
          return this.#cancellations.add(this.debit, 'cancelled');
        monitor.debitSettled(result);
        this.#settled();
      },
      // The lane knows nothing of it at its deadline.
      lost: () => this.#cancellations.add(this.debit, result === 'refused' ? 'refused' : 'cancelled'),
    });
  }

  #leftMs(): number {
    return this.debit.deadlineMs - executionLimits.reportWithinMs - this.context.timeMs();
  }

  #nextPauseMs(): number {
    const pauseMs = Math.max(0, Math.min(this.#pauseMs, this.#leftMs()));
    this.#pauseMs = Math.min(2 * this.#pauseMs, executionLimits.maxDebitPauseMs);
    return pauseMs;
  }
}
