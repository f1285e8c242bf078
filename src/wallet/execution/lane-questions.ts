import { pause } from '../../lib/pauses.ts';
import { appendSettlement, askLane, type LaneQuestion, settlementMessage } from '../../log/lanes/ask-lane.ts';
import { decodeOutcomeRecord } from '../../messages/codec/codec.ts';
import type { LaneQueryAnswer } from '../../messages/queries.ts';
import type { CreditRecord, CreditState, DebitRecord } from '../../messages/settlements.ts';
import { type Bus, type Clock, type Log, LogError, type Random } from '../../ports.ts';
import { executionLimits } from './limits.ts';

export interface LaneQuestionsPorts {
  readonly log: Log;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
}

/** What the executor of a lane asks it. Questions fail with a LogError while the lane does not answer. */
export class LaneQuestions {
  readonly #lane: number;
  readonly #ports: LaneQuestionsPorts;
  readonly #seen: (timeMs: number) => void;
  #stopped = false;

  /** `seen` is told the lane's own time whenever a question shows it. */
  constructor(lane: number, ports: LaneQuestionsPorts, seen: (timeMs: number) => void) {
    this.#lane = lane;
    this.#ports = ports;
    this.#seen = seen;
  }

  stop(): void {
    this.#stopped = true;
  }

  lastCommand(): Promise<number> {
    return this.#ports.log.lastCommand(this.#lane);
  }

  /** Resolves once the outcome records of all messages that are stored now are stored, too. */
  async recorded(): Promise<number> {
    const { log } = this.#ports;
    const stored = await log.lastCommand(this.#lane);
    await this.#until(async () => (await log.lastOutcome(this.#lane)) >= stored);
    if (stored > 0) await this.#timeOf(stored);
    return stored;
  }

  /**
   * Writes an empty message, and waits for its outcome record. No later message of the lane has an earlier
   * time, and a state of that sequence has everything that was stored before.
   */
  async fence(): Promise<{ readonly sequence: number; readonly timeMs: number }> {
    const { log, random } = this.#ports;
    const sequence = await appendSettlement(log, this.#lane, settlementMessage(random, []));
    let timeMs = 0;
    await this.#until(async () => {
      timeMs = await this.#timeOf(sequence);
      return timeMs > 0;
    });
    return { sequence, timeMs };
  }

  /** The lane's time at a message; 0 while its record is not stored. */
  async #timeOf(sequence: number): Promise<number> {
    const record = await this.#ports.log.readOutcome(this.#lane, sequence);
    if (record === null) return 0;
    const { timestampMs } = decodeOutcomeRecord(record.bytes);
    this.#seen(timestampMs);
    return timestampMs;
  }

  /** Open debits after number `after`, from a state that has message `minSequence`. */
  async openDebits(after: number, minSequence: number): Promise<readonly DebitRecord[]> {
    const query = { kind: 'open_debits', after, limit: executionLimits.pageRecords } as const;
    const { debits } = await this.#ask({ minSequence, query, kind: 'open_debits' });
    return debits;
  }

  async openCredits(
    after: number,
    minSequence: number,
    states: readonly CreditState[],
    batch = '',
  ): Promise<readonly CreditRecord[]> {
    const limit = executionLimits.pageRecords;
    const query = { kind: 'open_credits', after, limit, states, batch } as const;
    const { credits } = await this.#ask({ minSequence, query, kind: 'open_credits' });
    return credits;
  }

  /** null: it is settled. */
  async openCredit(transactionId: string): Promise<CreditRecord | null> {
    const query = { kind: 'open_credit', transactionId } as const;
    const minSequence = await this.lastCommand();
    const { credits } = await this.#ask({ minSequence, query, kind: 'open_credits' });
    return credits[0] ?? null;
  }

  #ask<K extends LaneQueryAnswer['kind']>(question: LaneQuestion<K>) {
    return askLane(this.#ports.bus, this.#lane, question);
  }

  async #until(done: () => Promise<boolean>): Promise<void> {
    const { clock } = this.#ports;
    const deadlineMs = clock.elapsedMs() + executionLimits.queryTimeoutMs;
    while (!(await done())) {
      if (this.#stopped || clock.elapsedMs() > deadlineMs)
        throw new LogError('unavailable', `Lane ${this.#lane} does not record its outcomes.`);
      await pause(clock, 5);
    }
  }
}
