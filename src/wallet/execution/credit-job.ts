import type { CreditSettled } from '../../messages/settlement-commands.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import { creditCall } from '../calls/execute-transaction.ts';
import { reasonText } from './batch-job.ts';
import type { LaneContext } from './lane-context.ts';
import { CreditWork } from './lane-job.ts';

/** One credit by W3: the same id and bytes again until the wallet's answer is known. */
export class CreditJob extends CreditWork {
  #credit: CreditRecord;
  readonly #over: () => void;

  constructor(credit: CreditRecord, context: LaneContext, over: () => void) {
    super('credit', credit.brand, credit.openedMs, context);
    this.#credit = credit;
    this.#over = over;
    this.unknownSinceMs = credit.state === 'unknown' ? credit.changedMs : null;
  }

  /** A person tries it again. */
  dueAgain(credit: CreditRecord): void {
    this.#credit = credit;
    this.tries = 0;
    this.unknownSinceMs = null;
    this.hurry();
  }

  async run(): Promise<number | null> {
    if (this.isStopped) return null;
    const { queues, monitor, traces, timeMs } = this.context;
    const client = queues.clientOf(this.brand);
    if (this.unknownSinceMs !== null) {
      // The lane is asked for calls that are sent, not for each credit of a wallet that is down.
      if (client?.mayAttempt('credit') === false) return this.#unknown('breaker_open');
      if (!(await this.#isOpen())) {
        this.#over();
        return null;
      }
      if (this.isStopped) return null;
    }
    if (client === null) return this.#unknown('wallet_settings_missing');
    const trace = traces.of(this.#credit.contributionId);
    const answer = await client.attempt({ ...creditCall(this.#credit), trace }, 'credit');
    switch (answer.kind) {
      case 'accepted':
        monitor.credited((timeMs() - this.#credit.openedMs) / 1_000);
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

  /** A person may have settled it meanwhile: then it must not be repeated. */
  async #isOpen(): Promise<boolean> {
    const open = await this.context.questions.openCredit(this.#credit.transactionId);
    return open !== null && (open.state === 'pending' || open.state === 'unknown');
  }

  #unknown(reason: string): number | null {
    if (this.unknownSinceMs === null) this.#report('unknown', reason);
    const pauseMs = this.pauseAfterUnknown(reason, this.unknownSinceMs ?? this.context.timeMs());
    if (pauseMs === null) this.#report('exhausted', reason);
    return pauseMs;
  }

  #report(result: CreditSettled['result'], reason: string): void {
    const { transactionId, contributionId } = this.#credit;
    const ended = (): void => {
      if (result !== 'unknown') this.#over();
    };
    this.settle(
      [{ kind: 'CreditSettled', transactionIds: [transactionId], result, reason }],
      contributionId,
      {
        stored: () => {
          this.context.monitor.creditsSettled(result, 1);
          ended();
        },
        lost: ended,
      },
    );
  }
}
