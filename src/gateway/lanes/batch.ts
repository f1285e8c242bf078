import type { TraceParent } from '../../lib/tracing.ts';
import type { Command } from '../../messages/commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import type { LaneAnswer, LaneCaller, LogPosition } from './lane-client.ts';

/** One command and the caller who waits for its outcome. */
export interface Waiting {
  readonly command: Command;
  readonly sizeBytes: number;
  /** Until then it is sent again where a message had no room for it; null: that has not happened. */
  retryUntilMs: number | null;
  readonly stored: ((position: LogPosition) => void) | undefined;
  /** The request's span, where it is sampled. */
  readonly trace: TraceParent | undefined;
  readonly caller: LaneCaller;
}

/**
 * A command that the message had no room for, and the refusal of its caller if there is no time for another message.
 */
interface OverCapacity {
  readonly entry: Waiting;
  readonly answer: LaneAnswer;
}

type Refused = Extract<CommandOutcome, { readonly kind: 'Refused' }>;

/** The outcomes of a batch, from the actor's answer or from the log. */
export interface BatchOutcomes {
  readonly outcomes: readonly CommandOutcome[];
  readonly timestampMs: number;
}

/** A batch on its way. It answers its callers once, whatever comes first. */
export class Batch {
  /** Hex form of its id: the message id. */
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly deadlineMs: number;
  readonly #entries: readonly Waiting[];
  /** Of the acknowledged message; 0: not acknowledged. */
  #sequence = 0;
  /** The actor's answer, held until the acknowledgement is there. */
  answer: BatchOutcomes | null = null;
  settled = false;
  /** The actor's answer is in the log and nowhere else: it was too large for the bus. */
  isInLog = false;
  /** Cancels what the batch waits for. */
  cancelTimer: () => void = () => {};

  constructor(id: string, bytes: Uint8Array, deadlineMs: number, entries: readonly Waiting[]) {
    this.id = id;
    this.bytes = bytes;
    this.deadlineMs = deadlineMs;
    this.#entries = entries;
  }

  get sequence(): number {
    return this.#sequence;
  }

  acknowledged(sequence: number): void {
    this.#sequence = sequence;
    this.#entries.forEach((entry, index) => void entry.stored?.({ sequence, index }));
  }

  get commands(): number {
    return this.#entries.length;
  }

  /**
   * `later` takes those whose outcome is pending: their answers are in later messages. Returns those that the message had no room
   * for: they are not answered yet.
   */
  succeed(
    lane: number,
    result: BatchOutcomes,
    later: (entry: Waiting, index: number) => void,
  ): readonly OverCapacity[] {
    if (this.settled) return [];
    this.#settle();
    const overCapacity: OverCapacity[] = [];
    for (let index = 0; index < this.#entries.length; index += 1) {
      const entry = this.#entries[index]!;
      const outcome = result.outcomes[index];
      if (outcome === undefined) {
        entry.caller.reject(new Error('The answer to a batch is shorter than the batch.'));
        continue;
      }
      if (outcome.kind === 'Pending' && !isAnsweredByCallback(entry.command)) {
        later(entry, index);
        continue;
      }
      const answer = { outcome, lane, sequence: this.sequence, index, timestampMs: result.timestampMs };
      if (outcome.kind === 'Refused' && wasOverCapacity(outcome, entry.command))
        overCapacity.push({ entry, answer });
      else entry.caller.resolve(answer);
    }
    return overCapacity;
  }

  fail(error: Error): void {
    if (this.settled) return;
    this.#settle();
    for (const entry of this.#entries) entry.caller.reject(error);
  }

  #settle(): void {
    this.settled = true;
    this.cancelTimer();
  }
}

/**
 * The events of the message reached their limit before this contribution (docs/decisions/0062): the lane gives no
 * reason, and nothing of it was applied. A callback, if there is one, already has the outcome.
 */
function wasOverCapacity({ code, message }: Refused, command: Command): boolean {
  return (
    code === 'overloaded' && message === '' && command.kind === 'Contribute' && command.callback === null
  );
}

/** Its caller wants to know that it is accepted; the outcome goes elsewhere. */
function isAnsweredByCallback(command: Command): boolean {
  return command.kind === 'Contribute' && command.callback !== null;
}
