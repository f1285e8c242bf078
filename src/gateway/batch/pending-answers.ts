import { toHex } from '../../lib/bytes.ts';
import type { BatchReply, LateAnswer } from '../../messages/bus-messages.ts';
import type { Clock } from '../../ports.ts';
import { PublicError } from '../errors.ts';
import type { LaneAnswer } from '../lane-client.ts';
import type { Waiting } from './batch.ts';
import { batchLimits } from './limits.ts';

/** A command whose caller waits for a debit of the player. */
export interface PendingCommand {
  /** Hex form of its batch's id. */
  readonly batchId: string;
  readonly lane: number;
  readonly sequence: number;
  readonly index: number;
  /** Until then its caller waits; 504 afterwards. */
  readonly deadlineMs: number;
  readonly entry: Waiting;
}

/** The outcome of a pending command in the log; null: not yet. */
export type FindAnswer = (pending: PendingCommand) => Promise<LaneAnswer | null>;

/**
 * Callers whose contribution waits for its debit (docs/rules/settlements.md "Debits"). The answer comes in a separate
 * reply, or from the log if that is lost. After 6 s in all the caller gets an unknown outcome.
 */
export class PendingAnswers {
  readonly #clock: Clock;
  readonly #find: FindAnswer;
  readonly #report: (error: unknown) => void;
  readonly #pending = new Map<string, { readonly command: PendingCommand; readonly cancel: () => void }>();
  /** Answers that were faster than the acknowledgement of their batch. */
  readonly #early = new Map<string, LaneAnswer>();

  constructor(clock: Clock, find: FindAnswer, report: (error: unknown) => void) {
    this.#clock = clock;
    this.#report = report;
    this.#find = find;
  }

  get size(): number {
    return this.#pending.size;
  }

  add(command: PendingCommand): void {
    const key = keyOf(command.batchId, command.index);
    const early = this.#early.get(key);
    this.#early.delete(key);
    if (early !== undefined) command.entry.resolve(early);
    else this.#readBack(key, command);
  }

  /** Passes the answers of a reply to their callers. */
  arrived(reply: BatchReply): void {
    const batchId = toHex(reply.batchId);
    for (const late of reply.late) {
      const key = keyOf(batchId, late.index);
      const answer = answerOf(reply, late);
      if (!this.#settle(key, answer)) this.#bufferEarly(key, answer);
    }
  }

  stop(): void {
    for (const key of [...this.#pending.keys()]) this.#fail(key, new PublicError('outcome_unknown'));
  }

  #readBack(key: string, command: PendingCommand): void {
    const leftMs = command.deadlineMs - this.#clock.nowMs();
    if (leftMs <= 0) {
      this.#pending.delete(key);
      command.entry.reject(new PublicError('outcome_unknown'));
      return;
    }
    const waitMs = Math.min(leftMs, batchLimits.pendingPollMs);
    const cancel = this.#clock.after(waitMs, () => {
      this.#ask(key, command).catch(this.#report);
    });
    this.#pending.set(key, { command, cancel });
  }

  async #ask(key: string, command: PendingCommand): Promise<void> {
    try {
      const answer = await this.#find(command);
      if (answer !== null) this.#settle(key, answer);
    } catch (error) {
      if (!(error instanceof PublicError)) {
        this.#fail(key, new PublicError('outcome_unknown'));
        throw error;
      }
    }
    if (this.#pending.has(key)) this.#readBack(key, command);
  }

  #settle(key: string, answer: LaneAnswer): boolean {
    const pending = this.#pending.get(key);
    if (pending === undefined) return false;
    this.#pending.delete(key);
    pending.cancel();
    pending.command.entry.resolve(answer);
    return true;
  }

  #fail(key: string, error: Error): void {
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    this.#pending.delete(key);
    pending.cancel();
    pending.command.entry.reject(error);
  }

  #bufferEarly(key: string, answer: LaneAnswer): void {
    if (this.#early.size >= batchLimits.earlyAnswers) {
      for (const oldest of this.#early.keys()) {
        this.#early.delete(oldest);
        break;
      }
    }
    this.#early.set(key, answer);
  }
}

function keyOf(batchId: string, index: number): string {
  return `${batchId}:${index}`;
}

function answerOf({ lane, timestampMs }: BatchReply, late: LateAnswer): LaneAnswer {
  const { outcome, sequence, index } = late;
  return { outcome, lane, sequence, index, timestampMs };
}
