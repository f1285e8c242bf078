import { type DebitRecord, sharedBatch } from '../../messages/settlements.ts';
import { LogError } from '../../ports.ts';
import { cancelBatchCall, isBatchCancelled, isListCancelled } from '../calls/cancel-batch.ts';
import { type Cancellation, cancelCall, cancellationOf } from '../calls/cancel-transaction.ts';
import type { WalletAnswer } from '../client/answer.ts';
import type { WalletCall } from '../client/brand-client.ts';
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
 * Cancels debits of one lane whose outcome is unknown at their deadline. W2, or W5 for those of a batch,
 * follows only where the lane says, after the deadline in its own time, that the debit is open: from then on
 * no report can apply it (docs/decisions/0270).
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
    const found: Waiting[] = [];
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
      if (open.has(transactionId)) found.push(waiting);
      else this.#over(debit);
    }
    for (const together of batchesOf(found)) this.#begin(together);
  }

  #begin(together: readonly Waiting[]): void {
    if (this.#stopped) return;
    const job = new CancelJob(together, this.#context, {
      over: () => {
        for (const { debit } of together) {
          this.#jobs.delete(debit.transactionId);
          this.#over(debit);
        }
      },
      alone: () => {
        for (const each of together) this.#begin([each]);
      },
    });
    for (const { debit } of together) this.#jobs.set(debit.transactionId, job);
    job.enqueue();
  }
}

/** Those of one batch and result go by one W5. */
function batchesOf(found: readonly Waiting[]): Iterable<readonly Waiting[]> {
  const batches = new Map<string, Waiting[]>();
  for (const waiting of found) {
    const batch = sharedBatch(waiting.debit);
    const key = batch === null ? waiting.debit.transactionId : `${waiting.result} ${batch.id}`;
    const known = batches.get(key);
    if (known === undefined) batches.set(key, [waiting]);
    else known.push(waiting);
  }
  return batches.values();
}

interface CancelEnds {
  /** The lane knows the result. */
  readonly over: () => void;
  /** The wallet does not cancel them together: each is asked for by itself. */
  readonly alone: () => void;
}

class CancelJob extends LaneJob {
  readonly #debits: readonly DebitRecord[];
  readonly #result: FinalResult;
  readonly #ends: CancelEnds;
  #tries = 0;
  /** How many of the last answers in a row confirm in other words than W2's. */
  #perhaps = 0;

  constructor(together: readonly Waiting[], context: LaneContext, ends: CancelEnds) {
    const [{ debit, result }] = together as readonly [Waiting];
    super(debit.brand, 'cancel', context);
    this.#debits = together.map((each) => each.debit);
    this.#result = result;
    this.#ends = ends;
  }

  async run(): Promise<number | null> {
    if (this.isStopped) return null;
    const { queues, monitor, timeMs, traces } = this.context;
    const { brand, transactionId, contributionId, deadlineMs, batch } = this.#first;
    const trace = traces.of(contributionId);
    const client = queues.clientOf(brand);
    const answer = client === null ? null : await client.attempt({ ...this.#call(), trace }, 'cancel');
    const cancellation = answer === null ? 'open' : this.#cancellation(answer);
    if (cancellation === 'alone') {
      this.#ends.alone();
      return null;
    }
    this.#perhaps = cancellation === 'perhaps' ? this.#perhaps + 1 : 0;
    if (cancellation !== 'cancelled' && this.#perhaps < executionLimits.cancellationsInOtherWords) {
      const said = answer === null ? 'no settings' : saidBy(answer);
      const what = this.#debits.length === 1 ? transactionId : `batch ${batch?.id}`;
      monitor.alarm('wallet_cancel_unanswered', brand, `The wallet does not cancel ${what}: ${said}.`);
      if (cancellation === 'perhaps') return executionLimits.firstPauseMs;
      this.#tries += 1;
      return nextPauseMs(this.#tries, timeMs() - deadlineMs);
    }
    this.#report();
    return null;
  }

  get #first(): DebitRecord {
    return this.#debits[0]!;
  }

  #call(): WalletCall {
    const batch = sharedBatch(this.#first);
    if (batch === null) return cancelCall(this.#first);
    const transactionIds = this.#debits.map(({ transactionId }) => transactionId);
    return cancelBatchCall({ batchId: batch.id, transactionIds });
  }

  /** What a wallet says of a list that it does not cancel may be about one of its transactions only. */
  #cancellation(answer: WalletAnswer): Cancellation | 'alone' {
    if (sharedBatch(this.#first) === null) return cancellationOf(answer);
    if (this.#debits.length === 1) return isBatchCancelled(answer) ? 'cancelled' : 'open';
    if (isListCancelled(answer)) return 'cancelled';
    return answer.kind === 'unknown' ? 'open' : 'alone';
  }

  #report(): void {
    const commands = this.#debits.map(({ transactionId }) => ({
      ...{ kind: 'DebitSettled' as const, transactionId, result: this.#result },
    }));
    this.settle(commands, this.#first.contributionId, {
      stored: () => {
        for (const _ of commands) this.context.monitor.debitSettled(this.#result);
        this.#ends.over();
      },
      lost: this.#ends.over,
    });
  }
}

function saidBy(answer: WalletAnswer): string {
  switch (answer.kind) {
    case 'accepted':
      return 'an answer that does not confirm it';
    case 'refused':
      return answer.code;
    case 'unknown':
      return answer.reason;
  }
}
