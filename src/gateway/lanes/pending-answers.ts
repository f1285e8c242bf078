import { toHex } from '../../lib/bytes.ts';
import type { LateAnswer, ReceivedReply } from '../../messages/bus-messages.ts';
import type { Clock } from '../../ports.ts';
import { PublicError } from '../base/errors.ts';
import type { Waiting } from './batch.ts';
import type { LaneAnswer } from './lane-client.ts';
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
  readonly brand: string;
  readonly entry: Waiting;
}

interface Pending {
  readonly command: PendingCommand;
  cancel: () => void;
  /** How long it waits before it asks the log again. */
  pauseMs: number;
}

/** The outcome of a pending command in the log; null: not yet. */
type FindAnswer = (pending: PendingCommand) => Promise<LaneAnswer | null>;

/**
 * Callers whose contribution waits for its debit (docs/rules/settlements.md "Debits"). The answer comes in a
 * later reply, or from the log; after 6 s in all the outcome is unknown.
 */
export class PendingAnswers {
  readonly #clock: Clock;
  readonly #find: FindAnswer;
  readonly #report: (error: unknown) => void;
  readonly #pending = new Map<string, Pending>();
  readonly #ofBrand = new Map<string, number>();
  /** Answers that were faster than the acknowledgement of their batch. */
  readonly #early = new Map<string, LaneAnswer>();

  constructor(clock: Clock, find: FindAnswer, report: (error: unknown) => void) {
    this.#clock = clock;
    this.#report = report;
    this.#find = find;
  }

  /** A brand may wait for as many debits as others still may: a hung wallet leaves room for theirs. */
  hasRoom(brand: string): boolean {
    const free = batchLimits.pendingAnswers - this.#pending.size;
    return free > this.#pending.size || (this.#ofBrand.get(brand) ?? 0) < free;
  }

  add(command: PendingCommand): void {
    const key = keyOf(command.batchId, command.index);
    const early = this.#early.get(key);
    this.#early.delete(key);
    if (early !== undefined) {
      command.entry.caller.resolve(early);
      return;
    }
    const pending = { command, cancel: () => {}, pauseMs: batchLimits.pendingPollMs };
    this.#pending.set(key, pending);
    this.#ofBrand.set(command.brand, (this.#ofBrand.get(command.brand) ?? 0) + 1);
    this.#readBackLater(key, pending);
  }

  /** Passes the answers of a reply to their callers. */
  arrived(reply: ReceivedReply): void {
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

  #readBackLater(key: string, pending: Pending): void {
    const leftMs = pending.command.deadlineMs - this.#clock.elapsedMs();
    if (leftMs <= 0) {
      this.#fail(key, new PublicError('outcome_unknown'));
      return;
    }
    pending.cancel = this.#clock.after(Math.min(leftMs, pending.pauseMs), () => {
      this.#ask(key, pending).catch(this.#report);
    });
    // Answers get lost rarely, and wallets that hang have many callers: most questions would be for nothing.
    pending.pauseMs *= 2;
  }

  async #ask(key: string, pending: Pending): Promise<void> {
    try {
      const answer = await this.#find(pending.command);
      if (answer !== null) this.#settle(key, answer);
    } catch (error) {
      if (!(error instanceof PublicError)) {
        this.#fail(key, new PublicError('outcome_unknown'));
        throw error;
      }
    }
    if (this.#pending.get(key) === pending) this.#readBackLater(key, pending);
  }

  #settle(key: string, answer: LaneAnswer): boolean {
    const pending = this.#take(key);
    pending?.command.entry.caller.resolve(answer);
    return pending !== null;
  }

  #fail(key: string, error: Error): void {
    this.#take(key)?.command.entry.caller.reject(error);
  }

  #take(key: string): Pending | null {
    const pending = this.#pending.get(key);
    if (pending === undefined) return null;
    pending.cancel();
    this.#pending.delete(key);
    const { brand } = pending.command;
    const left = this.#ofBrand.get(brand)! - 1;
    if (left === 0) this.#ofBrand.delete(brand);
    else this.#ofBrand.set(brand, left);
    return pending;
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

function answerOf({ lane, timestampMs }: ReceivedReply, late: LateAnswer): LaneAnswer {
  const { outcome, sequence, index } = late;
  return { outcome, lane, sequence, index, timestampMs };
}
