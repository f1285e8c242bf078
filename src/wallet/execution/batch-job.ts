import { reasonOfBatch } from '../../messages/batch-reasons.ts';
import type { CreditSettled } from '../../messages/settlement-commands.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import { type BatchError, batchCall, failedRecords } from '../calls/execute-batch.ts';
import { planBatch, reasonOfRecord, reasonText } from './batch-members.ts';
import type { WalletJob } from './call-queue.ts';
import type { LaneContext } from './lane-context.ts';
import { executionLimits, settlementLimits } from './limits.ts';
import { nextPauseMs } from './pauses.ts';

/**
 * A batch of credits by W4, the same id and bytes again until its result is known. Its records are asked for before each
 * try. Each report covers all of them in one message, so that after a crash the batch is whole, or not a batch any more.
 */
export class BatchJob implements WalletJob {
  readonly brand: string;
  readonly openedMs: number;
  readonly #batchId: string;
  readonly #context: LaneContext;
  readonly #over: (alone: readonly CreditRecord[]) => void;
  #tries = 0;
  #unknownSinceMs: number | null = null;
  #stopped = false;

  /** `over`: its results are known, but those of records that are alone from now on, or have been. */
  constructor(
    batchId: string,
    brand: string,
    openedMs: number,
    context: LaneContext,
    over: (alone: readonly CreditRecord[]) => void,
  ) {
    this.#batchId = batchId;
    this.brand = brand;
    this.openedMs = openedMs;
    this.#context = context;
    this.#over = over;
  }

  dueAgain(): void {
    this.#tries = 0;
    const queue = this.#context.queues.of(this.brand, 'credit');
    if (queue.drop(this)) queue.add(this);
  }

  stop(): void {
    this.#stopped = true;
    this.#context.queues.of(this.brand, 'credit').drop(this);
  }

  async run(): Promise<number | null> {
    if (this.#stopped) return null;
    const { queues, timeMs } = this.#context;
    // Nobody reads the records of a batch that cannot be sent.
    if (queues.clientOf(this.brand)?.mayAttempt('credit') === false) {
      this.#tries += 1;
      return nextPauseMs(this.#tries, timeMs() - (this.#unknownSinceMs ?? timeMs()));
    }
    const { together, incomplete, alone } = planBatch(await this.#openRecords());
    if (this.#stopped) return null;
    if (incomplete.length > 0) {
      this.#report([settled(incomplete, 'exhausted', 'others of its batch were settled by hand')], alone);
      return null;
    }
    if (together.length === 0) {
      this.#over(alone);
      return null;
    }
    return this.#send(together);
  }

  async #send(records: readonly CreditRecord[]): Promise<number | null> {
    const { queues, monitor, timeMs } = this.#context;
    const client = queues.clientOf(this.brand);
    if (client === null) return this.#unknown(records, 'wallet_settings_missing');
    const answer = await client.attempt(batchCall(records), 'credit');
    switch (answer.kind) {
      case 'accepted': {
        const failed = failedRecords(answer.body, records);
        if (failed === null) return this.#unknown(records, 'garbage');
        monitor.credited((timeMs() - this.openedMs) / 1_000);
        this.#report(
          reportsOf(records, failed),
          records.filter(({ player }) => failed.has(player)),
        );
        return null;
      }
      case 'refused':
        monitor.alarm('wallet_credit_refused', this.brand, `The wallet refuses a batch: ${answer.code}.`);
        this.#report([settled(records, 'refused', reasonText(answer.code, answer.message))]);
        return null;
      case 'unknown':
        return this.#unknown(records, answer.reason);
    }
  }

  async #openRecords(): Promise<readonly CreditRecord[]> {
    const { questions } = this.#context;
    const minSequence = await questions.lastCommand();
    const records: CreditRecord[] = [];
    for (;;) {
      const after = records.at(-1)?.number ?? 0;
      const page = await questions.openCredits(after, minSequence, ['pending', 'unknown'], this.#batchId);
      if (page.length === 0) return records;
      records.push(...page);
    }
  }

  #unknown(records: readonly CreditRecord[], reason: string): number | null {
    const { monitor, timeMs } = this.#context;
    const nowMs = timeMs();
    monitor.alarm('wallet_credit_unanswered', this.brand, `The result of a batch is unknown: ${reason}.`);
    const known = records.filter(({ state }) => state === 'unknown');
    const sinceMs = known.reduce(
      (least, { changedMs }) => Math.min(least, changedMs),
      this.#unknownSinceMs ?? nowMs,
    );
    this.#unknownSinceMs = sinceMs;
    if (nowMs - sinceMs >= executionLimits.giveUpAfterMs) {
      monitor.alarm(
        'wallet_credit_exhausted',
        this.brand,
        'A batch was repeated for a day: a person has to look.',
      );
      this.#report([settled(records, 'exhausted', reason)]);
      return null;
    }
    if (known.length < records.length) this.#note(records, reason);
    this.#tries += 1;
    return nextPauseMs(this.#tries, nowMs - sinceMs);
  }

  /** The lane shows that the result is unknown; the batch goes on. */
  #note(records: readonly CreditRecord[], reason: string): void {
    const { writer, monitor, report } = this.#context;
    const text = reasonOfBatch(reason, records.length);
    writer
      .write(settled(records, 'unknown', text))
      .then(() => monitor.creditsSettled('unknown', records.length))
      .catch(report);
  }

  #report(reports: readonly (readonly CreditSettled[])[], alone: readonly CreditRecord[] = []): void {
    const { writer, monitor, report } = this.#context;
    const commands = reports.flat();
    writer
      .write(commands)
      .then(() => {
        for (const { result, transactionIds } of commands)
          monitor.creditsSettled(result, transactionIds.length);
        this.#over(alone);
      })
      .catch((error: unknown) => {
        report(error);
        // The lane still has all of it open: a sweep takes it again.
        this.#over([]);
      });
  }
}

/** The accepted ones, and the others each with the wallet's reason: they are tried again alone. */
function reportsOf(
  records: readonly CreditRecord[],
  errors: ReadonlyMap<string, BatchError>,
): readonly (readonly CreditSettled[])[] {
  const accepted = records.filter(({ player }) => !errors.has(player));
  const failed = records.filter(({ player }) => errors.has(player));
  return [
    settled(accepted, 'accepted', ''),
    ...failed.map((record) => {
      const { code, message } = errors.get(record.player)!;
      return settled([record], 'unknown', reasonOfRecord(code, message));
    }),
  ];
}

function settled(
  records: readonly CreditRecord[],
  result: CreditSettled['result'],
  reason: string,
): readonly CreditSettled[] {
  const { creditsPerCommand } = settlementLimits;
  return Array.from({ length: Math.ceil(records.length / creditsPerCommand) }, (_, index) => ({
    kind: 'CreditSettled' as const,
    transactionIds: records
      .slice(index * creditsPerCommand, (index + 1) * creditsPerCommand)
      .map(({ transactionId }) => transactionId),
    result,
    reason,
  }));
}
