import type { DebitBatch, DebitRecord } from '../../messages/settlements.ts';
import { debitBatchCall, debitMembers, failedRecords } from '../calls/execute-batch.ts';
import { debitCall } from '../calls/execute-transaction.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { walletLimits } from '../client/limits.ts';
import type { Cancellations } from './cancellations.ts';
import { type LaneContext, mayHaveArrived } from './lane-context.ts';
import { LaneJob } from './lane-job.ts';
import { executionLimits } from './limits.ts';

interface DebitJobPorts {
  readonly context: LaneContext;
  readonly cancellations: Cancellations;
  /** The lane knows the result of a debit. */
  readonly settled: (debit: DebitRecord) => void;
}

/** A debit by W3, or the debits of a batch by W4: the same bytes again while the answer is unknown. */
export class DebitJob extends LaneJob {
  readonly #batch: DebitBatch | null;
  readonly #ports: DebitJobPorts;
  #debits: readonly DebitRecord[] = [];
  #pauseMs: number = executionLimits.firstDebitPauseMs;
  /** Written once: while a wallet is down, many tries end before anything is sent. */
  #call: WalletCall | null = null;
  /** A try before this one may have debited the players, or may do so yet. */
  #isUncertain = false;

  constructor(brand: string, batch: DebitBatch | null, ports: DebitJobPorts) {
    super(brand, 'debit', ports.context);
    this.#batch = batch;
    this.#ports = ports;
  }

  get openedMs(): number {
    return this.#debits[0]!.openedMs;
  }

  /** The bytes of a batch are those of all its debits. */
  get isWhole(): boolean {
    return this.#batch === null || this.#debits.length === this.#batch.records;
  }

  join(debit: DebitRecord, isUncertain: boolean): void {
    this.#debits = [...this.#debits, debit].sort((a, b) => a.number - b.number);
    this.#isUncertain ||= isUncertain;
  }

  begin(): void {
    if (this.#leftMs() < executionLimits.minTryMs) this.cancel();
    else this.enqueue();
  }

  /** Other processes may have tried them: behind their deadline only the wallet knows. */
  cancel(): void {
    for (const debit of this.#debits) this.#ports.cancellations.add(debit, 'cancelled');
  }

  async run(): Promise<number | null> {
    if (this.isStopped) return null;
    const leftMs = this.#leftMs();
    if (leftMs < executionLimits.minTryMs) {
      this.cancel();
      return null;
    }
    const client = this.context.queues.clientOf(this.brand);
    if (client === null) return this.#nextPauseMs();
    const timeoutMs = Math.min(walletLimits.tryTimeoutMs, leftMs);
    this.#call ??= this.#written();
    const answer = await client.attempt(this.#call, 'debit', timeoutMs);
    switch (answer.kind) {
      case 'accepted':
        this.#accepted(answer.body);
        return null;
      case 'refused':
        this.#refused(this.#debits);
        return null;
      case 'unknown':
        this.#isUncertain ||= mayHaveArrived(answer.reason);
        return this.#nextPauseMs();
    }
  }

  #written(): WalletCall {
    const trace = this.context.traces.of(this.#debits[0]!.contributionId);
    const call =
      this.#batch === null ? debitCall(this.#debits[0]!) : debitBatchCall(this.#batch.id, this.#debits);
    return { ...call, trace };
  }

  #accepted(body: unknown): void {
    const failed = this.#batch === null ? null : failedRecords(body, debitMembers(this.#debits));
    const hasFailed = ({ player }: DebitRecord): boolean => failed?.has(player) === true;
    this.#report(
      this.#debits.filter((debit) => !hasFailed(debit)),
      'debited',
    );
    this.#refused(this.#debits.filter(hasFailed));
  }

  /** An earlier try that is still on its way could debit after the refusal: it is cancelled first. */
  #refused(debits: readonly DebitRecord[]): void {
    if (!this.#isUncertain) this.#report(debits, 'refused');
    else for (const debit of debits) this.#ports.cancellations.add(debit, 'refused');
  }

  /** The lane takes `debited` up to the deadline; after it the debit is cancelled (docs/decisions/0270). */
  #report(debits: readonly DebitRecord[], result: 'debited' | 'refused'): void {
    const [first] = debits;
    if (first === undefined) return;
    const { timeMs, monitor } = this.context;
    const { cancellations, settled } = this.#ports;
    const commands = debits.map(({ transactionId, deadlineMs }) => ({
      ...{ kind: 'DebitSettled' as const, transactionId, result },
      ...(result === 'debited' ? { expiresMs: deadlineMs } : {}),
    }));
    this.settle(commands, first.contributionId, {
      stored: () => {
        const nowMs = timeMs();
        for (const debit of debits) {
          if (result === 'debited' && nowMs > debit.deadlineMs - executionLimits.reportWithinMs / 2) {
            cancellations.add(debit, 'cancelled');
            continue;
          }
          monitor.debitSettled(result);
          settled(debit);
        }
      },
      // The lane knows nothing of them at their deadline.
      lost: () => {
        for (const debit of debits) cancellations.add(debit, result === 'refused' ? 'refused' : 'cancelled');
      },
    });
  }

  /** Until W3 or W4 may be tried no more: the earliest deadline decides for all. */
  #leftMs(): number {
    const deadlineMs = Math.min(...this.#debits.map((debit) => debit.deadlineMs));
    return deadlineMs - executionLimits.reportWithinMs - this.context.timeMs();
  }

  #nextPauseMs(): number {
    const pauseMs = Math.max(0, Math.min(this.#pauseMs, this.#leftMs()));
    this.#pauseMs = Math.min(2 * this.#pauseMs, executionLimits.maxDebitPauseMs);
    return pauseMs;
  }
}
