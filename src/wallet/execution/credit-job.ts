import type { CreditSettled } from '../../messages/settlement-commands.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import { creditCall } from '../calls/execute-transaction.ts';
import type { WalletAnswer } from '../client/answer.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { reasonText } from './batch-members.ts';
import type { WalletJob } from './call-queue.ts';
import type { LaneContext } from './lane-context.ts';
import { executionLimits } from './limits.ts';
import { nextPauseMs } from './pauses.ts';

/** One credit by W3: the same id and bytes again until the wallet's answer is known. */
export class CreditJob implements WalletJob {
  readonly brand: string;
  readonly openedMs: number;
  #credit: CreditRecord;
  readonly #context: LaneContext;
  readonly #over: () => void;
  #tries = 0;
  /** Since when its result is unknown; null: it was not tried, or the lane does not know that it was. */
  #unknownSinceMs: number | null;
  #stopped = false;

  constructor(credit: CreditRecord, context: LaneContext, over: () => void) {
    this.#credit = credit;
    this.brand = credit.brand;
    this.openedMs = credit.openedMs;
    this.#context = context;
    this.#over = over;
    this.#unknownSinceMs = credit.state === 'unknown' ? credit.changedMs : null;
  }

  /** A person tries it again. */
  dueAgain(credit: CreditRecord): void {
    this.#credit = credit;
    this.#tries = 0;
    this.#unknownSinceMs = null;
    const queue = this.#context.queues.of(this.brand, 'credit');
    if (queue.drop(this)) queue.add(this);
  }

  stop(): void {
    this.#stopped = true;
    this.#context.queues.of(this.brand, 'credit').drop(this);
  }

  async run(): Promise<number | null> {
    if (this.#stopped) return null;
    const { queues, monitor } = this.#context;
    const client = queues.clientOf(this.brand);
    if (this.#unknownSinceMs !== null) {
      // The lane is asked for calls that are sent, not for each credit of a wallet that is down.
      if (client?.mayAttempt('credit') === false) return this.#unknown('breaker_open');
      if (!(await this.#isOpen())) {
        this.#over();
        return null;
      }
      if (this.#stopped) return null;
    }
    const answer: WalletAnswer | null = client === null ? null : await client.attempt(this.#call(), 'credit');
    if (answer === null) return this.#unknown('wallet_settings_missing');
    switch (answer.kind) {
      case 'accepted':
        monitor.credited((this.#context.timeMs() - this.#credit.openedMs) / 1_000);
        this.#report('accepted', '');
        return null;
      case 'refused':
        monitor.alarm('wallet_credit_refused', this.brand, `The wallet refuses a credit: ${answer.code}.`);
        this.#report('refused', reasonText(answer.code, answer.message));
        return null;
      case 'unknown':
        return this.#unknown(answer.reason);
    }
  }

  #call(): WalletCall {
    const trace = this.#context.traces.of(this.#credit.contributionId);
    return { ...creditCall(this.#credit), trace };
  }

  /** A person may have settled it meanwhile: then it must not be repeated. */
  async #isOpen(): Promise<boolean> {
    const open = await this.#context.questions.openCredit(this.#credit.transactionId);
    return open !== null && (open.state === 'pending' || open.state === 'unknown');
  }

  #unknown(reason: string): number | null {
    const { monitor, timeMs } = this.#context;
    const nowMs = timeMs();
    monitor.alarm('wallet_credit_unanswered', this.brand, `The result of a credit is unknown: ${reason}.`);
    const sinceMs = this.#unknownSinceMs ?? nowMs;
    if (this.#unknownSinceMs === null) this.#report('unknown', reason);
    this.#unknownSinceMs = sinceMs;
    if (nowMs - sinceMs >= executionLimits.giveUpAfterMs) {
      monitor.alarm(
        'wallet_credit_exhausted',
        this.brand,
        'A credit was repeated for a day: a person has to look.',
      );
      this.#report('exhausted', reason);
      return null;
    }
    this.#tries += 1;
    return nextPauseMs(this.#tries, nowMs - sinceMs);
  }

  #report(result: CreditSettled['result'], reason: string): void {
    const { writer, monitor, report, traces } = this.#context;
    const { transactionId, contributionId } = this.#credit;
    const trace = traces.of(contributionId);
    writer
      .write([{ kind: 'CreditSettled', transactionIds: [transactionId], result, reason }], trace)
      .then(() => {
        monitor.creditsSettled(result, 1);
        if (result !== 'unknown') this.#over();
      })
      .catch((error: unknown) => {
        report(error);
        // The lane still has it open: a sweep takes it again.
        if (result !== 'unknown') this.#over();
      });
  }
}
