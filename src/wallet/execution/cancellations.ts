import type { DebitRecord } from '../../messages/settlements.ts';
import { LogError } from '../../ports.ts';
import { cancelCall, cancellationOf } from '../calls/cancel-transaction.ts';
import type { WalletAnswer } from '../client/answer.ts';
import type { LaneContext } from './lane-context.ts';
import { LaneJob, nextPauseMs } from './lane-job.ts';
import { executionLimits } from './limits.ts';

/** What the lane learns once the wallet has cancelled. */
type FinalResult = 'refused' | 'cancelled';

interface Waiting {
  readonly debit: DebitRecord;
  readonly result: FinalResult;
}

/**
 * Cancels debits of one lane whose outcome is unknown at their deadline. W2 follows only where the lane says,
 * after the deadline in its own time, that the debit is open: from then on no report can apply it
 * (docs/decisions/0270).
 */
export class Cancellations {
  readonly #context: LaneContext;
  readonly #over: (debit: DebitRecord) => void;
  /** Before the lane was asked. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #jobs = new Map<string, CancelJob>();
  #cancelTimer: (() => void) | null = null;
  #stopped = false;

  /** `over`: the lane knows the result, or knew one before. */
  constructor(context: LaneContext, over: (debit: DebitRecord) => void) {
    this.#context = context;
    this.#over = over;
  }

  get size(): number {
    return this.#waiting.size + this.#jobs.size;
  }

  add(debit: DebitRecord, result: FinalResult): void {
    if (this.#stopped) return;
    this.#waiting.set(debit.transactionId, { debit, result });
    this.#later();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    for (const job of this.#jobs.values()) job.stop();
    this.#waiting.clear();
    this.#jobs.clear();
  }

  /** Rounds have pauses between them: each costs a message of the lane. */
  #later(): void {
    if (this.#cancelTimer !== null || this.#waiting.size === 0 || this.#stopped) return;
    const { clock, report } = this.#context;
    this.#cancelTimer = clock.after(this.#delayMs(), () => {
      this.#round()
        .catch(report)
        .finally(() => {
          this.#cancelTimer = null;
          this.#later();
        });
    });
  }

  #delayMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { debit } of this.#waiting.values()) nextMs = Math.min(nextMs, debit.deadlineMs + 1);
    return Math.max(executionLimits.cancelEveryMs, nextMs - this.#context.timeMs());
  }

  async #round(): Promise<void> {
    const nowMs = this.#context.timeMs();
    const due = [...this.#waiting.values()].filter(({ debit }) => debit.deadlineMs < nowMs);
    if (due.length === 0) return;
    try {
      const fence = await this.#context.questions.fence();
      await this.#cancelOpen(
        due.filter(({ debit }) => debit.deadlineMs < fence.timeMs),
        fence.sequence,
      );
    } catch (error) {
      // Asked again in the next round.
      if (!(error instanceof LogError)) throw error;
    }
  }

  async #cancelOpen(due: readonly Waiting[], sequence: number): Promise<void> {
    const inOrder = due.toSorted((a, b) => a.debit.number - b.debit.number);
    const open = new Set<string>();
    let readTo = 0;
    for (const { debit } of inOrder) {
      if (debit.number > readTo) {
        const page = await this.#context.questions.openDebits(debit.number - 1, sequence);
        for (const each of page) if (!each.debited) open.add(each.transactionId);
        readTo = page.at(-1)?.number ?? Number.POSITIVE_INFINITY;
      }
      if (this.#stopped) return;
      const { transactionId } = debit;
      const waiting = this.#waiting.get(transactionId);
      if (waiting === undefined) continue;
      this.#waiting.delete(transactionId);
      if (open.has(transactionId)) this.#begin(waiting);
      else this.#over(debit);
    }
  }

  #begin({ debit, result }: Waiting): void {
    const { transactionId } = debit;
    const job = new CancelJob(debit, result, this.#context, () => {
      this.#jobs.delete(transactionId);
      this.#over(debit);
    });
    this.#jobs.set(transactionId, job);
    job.enqueue();
  }
}

class CancelJob extends LaneJob {
  readonly #debit: DebitRecord;
  readonly #result: FinalResult;
  readonly #over: () => void;
  #tries = 0;
  /** How many of the last answers in a row confirm in other words than W2's. */
  #perhaps = 0;

  constructor(debit: DebitRecord, result: FinalResult, context: LaneContext, over: () => void) {
    super(debit.brand, 'cancel', context);
    this.#debit = debit;
    this.#result = result;
    this.#over = over;
  }

  async run(): Promise<number | null> {
    if (this.isStopped) return null;
    const { queues, monitor, timeMs, traces } = this.context;
    const { brand, transactionId, contributionId } = this.#debit;
    const trace = traces.of(contributionId);
    const client = queues.clientOf(brand);
    const answer =
      client === null ? null : await client.attempt({ ...cancelCall(this.#debit), trace }, 'cancel');
    const cancellation = answer === null ? 'open' : cancellationOf(answer);
    this.#perhaps = cancellation === 'perhaps' ? this.#perhaps + 1 : 0;
    if (cancellation !== 'cancelled' && this.#perhaps < executionLimits.cancellationsInOtherWords) {
      const said = answer === null ? 'no settings' : saidBy(answer);
      monitor.alarm(
        'wallet_cancel_unanswered',
        brand,
        `The wallet does not cancel ${transactionId}: ${said}.`,
      );
      if (cancellation === 'perhaps') return executionLimits.firstPauseMs;
      this.#tries += 1;
      return nextPauseMs(this.#tries, timeMs() - this.#debit.deadlineMs);
    }
    this.settle([{ kind: 'DebitSettled', transactionId, result: this.#result }], contributionId, {
      stored: () => {
        monitor.debitSettled(this.#result);
        this.#over();
      },
      lost: this.#over,
    });
    return null;
  }
}

function saidBy(answer: WalletAnswer): string {
  switch (answer.kind) {
    case 'accepted':
      return 'an answer without a balance';
    case 'refused':
      return answer.code;
    case 'unknown':
      return answer.reason;
  }
}
