import { cutToBytes } from '../../lib/bytes.ts';
import type { CreditSettled } from '../../messages/settlement-commands.ts';
import { batchSizeIn, type CreditRecord, reasonOfBatch } from '../../messages/settlements.ts';
import { type BatchError, batchCall, failedRecords, membersOf } from '../calls/execute-batch.ts';
import type { LaneContext } from './lane-context.ts';
import { CreditWork, nextPauseMs } from './lane-job.ts';
import { executionLimits, settlementLimits } from './limits.ts';

/**
 * A batch of credits by W4, the same id and bytes again until its result is known. Each report covers all its
 * records in one message, so that after a crash the batch is whole, or no batch any more.
 */
export class BatchJob extends CreditWork {
  readonly #batchId: string;
  readonly #over: (alone: readonly CreditRecord[]) => void;

  /** `over`: its results are known, but those of records that are alone from now on, or have been. */
  constructor(
    batchId: string,
    brand: string,
    openedMs: number,
    context: LaneContext,
    over: (alone: readonly CreditRecord[]) => void,
  ) {
    super('batch', brand, openedMs, context);
    this.#batchId = batchId;
    this.#over = over;
  }

  dueAgain(): void {
    this.tries = 0;
    this.hurry();
  }

  async run(): Promise<number | null> {
    if (this.isStopped) return null;
    const { queues, timeMs } = this.context;
    // The records of a batch that cannot be sent are not read.
    if (queues.clientOf(this.brand)?.mayAttempt('credit') === false) {
      this.tries += 1;
      return nextPauseMs(this.tries, timeMs() - (this.unknownSinceMs ?? timeMs()));
    }
    const { together, incomplete, alone } = planBatch(await this.#openRecords());
    if (this.isStopped) return null;
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
    const { queues, monitor, timeMs } = this.context;
    const client = queues.clientOf(this.brand);
    if (client === null) return this.#unknown(records, 'wallet_settings_missing');
    const answer = await client.attempt(batchCall(records), 'credit');
    switch (answer.kind) {
      case 'accepted': {
        const failed = failedRecords(answer.body, membersOf(records));
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
    const { questions } = this.context;
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
    const { monitor, timeMs } = this.context;
    const known = records.filter(({ state }) => state === 'unknown');
    const sinceMs = known.reduce(
      (least, { changedMs }) => Math.min(least, changedMs),
      this.unknownSinceMs ?? timeMs(),
    );
    const pauseMs = this.pauseAfterUnknown(reason, sinceMs);
    if (pauseMs === null) this.#report([settled(records, 'exhausted', reason)]);
    // The lane shows that the result is unknown; the batch goes on.
    else if (known.length < records.length)
      this.settle(settled(records, 'unknown', reasonOfBatch(reason, records.length)), null, {
        stored: () => monitor.creditsSettled('unknown', records.length),
      });
    return pauseMs;
  }

  #report(reports: readonly (readonly CreditSettled[])[], alone: readonly CreditRecord[] = []): void {
    const commands = reports.flat();
    this.settle(commands, null, {
      stored: () => {
        for (const { result, transactionIds } of commands)
          this.context.monitor.creditsSettled(result, transactionIds.length);
        this.#over(alone);
      },
      lost: () => this.#over([]),
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

/** `fresh`: never sent; `unknown`: sent in its batch; `alone`: it has left its batch, or never was in one. */
type BatchMember = 'fresh' | 'unknown' | 'alone';

/** The reason of a record that the wallet did not credit with its batch: its code and message. */
function reasonOfRecord(code: string, message: string): string {
  const text = reasonText(code, message);
  return batchSizeIn(text) === null ? text : reasonText('wallet', text);
}

/** Code and message of a wallet, as long as a reason may be. */
export function reasonText(code: string, message: string): string {
  return cutToBytes(`${code}: ${message}`, executionLimits.reasonBytes);
}

/** How a record takes part in its batch: only reports of the whole batch leave `batch of`. */
function batchMemberOf({ batchId, state, reason }: CreditRecord): BatchMember {
  if (batchId === '') return 'alone';
  if (state === 'pending' && reason === '') return 'fresh';
  return state === 'unknown' && batchSizeIn(reason) !== null ? 'unknown' : 'alone';
}

/** What is to be done with the open records of a batch. */
interface BatchPlan {
  /** Send them together; empty: nothing. */
  readonly together: readonly CreditRecord[];
  /**
   * A person has settled others of a batch that may have been paid: its bytes cannot be repeated any more.
   */
  readonly incomplete: readonly CreditRecord[];
  /** The others: each is tried by itself. */
  readonly alone: readonly CreditRecord[];
}

/** `open`: the batch's records that are pending or unknown. */
function planBatch(open: readonly CreditRecord[]): BatchPlan {
  const inOrder = open.toSorted((a, b) => a.number - b.number);
  const unknown = inOrder.filter((record) => batchMemberOf(record) === 'unknown');
  if (unknown.length === 0) {
    const isFresh = (record: CreditRecord): boolean => batchMemberOf(record) === 'fresh';
    return {
      together: inOrder.filter(isFresh),
      incomplete: [],
      alone: inOrder.filter((record) => !isFresh(record)),
    };
  }
  // Those that a person tries again are pending with the person's reason.
  const size = batchSizeIn(unknown[0]!.reason);
  return inOrder.length === size
    ? { together: inOrder, incomplete: [], alone: [] }
    : { together: [], incomplete: unknown, alone: inOrder.filter((record) => !unknown.includes(record)) };
}
