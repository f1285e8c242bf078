import type { TraceParent } from '../../lib/tracing.ts';
import type { Command } from '../../messages/commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import type { LaneAnswer, LaneCaller, LogPosition } from './lane-client.ts';
import { batchLimits } from './limits.ts';

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

/** A command that had no room in the message, and its caller's refusal if time is over. */
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
  /** The sequence of the acknowledged message; 0: not acknowledged. */
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

  /** `later` takes those whose answers come later. Returns those without room in the message. */
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
 * The message's events reached their limit before this contribution (docs/decisions/0062): nothing of it was
 * applied. A callback already has the outcome.
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

/**
 * How many commands a batch of a lane takes: after a message without room for all, no more than had room, and
 * from there on it grows again.
 */
export class BatchSize {
  #commands: number = batchLimits.commands;

  get commands(): number {
    return this.#commands;
  }

  get isReduced(): boolean {
    return this.#commands < batchLimits.commands;
  }

  /** A batch was answered; `overCapacity` of its commands had none. */
  answered(commands: number, overCapacity: number): void {
    if (overCapacity > 0) this.#commands = Math.max(1, Math.min(this.#commands, commands - overCapacity));
    else if (this.isReduced) this.#commands = Math.min(batchLimits.commands, 2 * this.#commands);
  }
}

const contributionBytes = 160;
const walletBytes = 600;
/** Up to 20 linked instances answer, award tickets and wait for a debit: ten of these fill a batch. */
const linkedBytes = 6_144;

/**
 * About how large a command is in its batch, rather more. Commands but contributions fill a batch by
 * themselves, because their outcome records may be large.
 */
export function commandSizeBytes(command: Command): number {
  return command.kind === 'Contribute' ? contributionSizeBytes(command) : batchLimits.bytes;
}

function contributionSizeBytes(command: Contribute): number {
  let size = contributionBytes + 2 * (command.player.length + command.gameround.length);
  if (command.target.type === 'source') size += 2 * command.target.id.length;
  for (const segment of command.segments) size += 2 + 2 * segment.length;
  // Its debit, and later the credit of a win, say most of it again in outcome records.
  if (command.wallet) size += walletBytes + 2 * (command.player.length + command.gameround.length);
  if (command.linked) size += linkedBytes;
  if (command.bonus !== null) size += 32 + 2 * command.bonus.id.length;
  if (command.callback !== null) size += command.callback.webHook.length;
  if (command.origin !== null) size += 16 + 2 * Object.values(command.origin).join('').length;
  if (command.metadata !== null) size += 2 * command.metadata.length;
  if (command.eventMetadata !== null) size += 2 * command.eventMetadata.length;
  return size;
}

/**
 * About how many callers a lane has, and whether waiting for all of them was worth it of late
 * (docs/decisions/0012): those who send again when they have an answer come back at once, others do not.
 */
export class Callers {
  /** The most that waited at once of late. */
  #count = 1;
  /** Batches that leave without waiting for anybody. */
  #unawaited = 0;
  /** How many there will be after the next wait in vain. */
  #penalty = 1;
  /** Waits for which all came, one after the other. */
  #fulfilled = 0;

  /** The number of commands without an answer now. */
  saw(outstanding: number): void {
    this.#count = Math.max(this.#count, outstanding);
  }

  /** Those who wait are all who can be expected. */
  areAll(waiting: number): boolean {
    return waiting >= this.#count;
  }

  /** Half of the callers wait: one half is synced while the other is read and answered. */
  areHalf(waiting: number): boolean {
    return this.#count >= batchLimits.halvedFrom && waiting * 2 >= this.#count;
  }

  /** A batch may wait for those who have just been answered, or will be soon. */
  get areAwaited(): boolean {
    return this.#count < batchLimits.halvedFrom && this.#unawaited === 0;
  }

  /** A batch leaves. `isFulfilled`: it waited, and all came. */
  left(isFulfilled: boolean): void {
    this.#count *= batchLimits.rememberedCallers;
    this.#unawaited = Math.max(0, this.#unawaited - 1);
    if (!isFulfilled) return;
    this.#fulfilled += 1;
    if (this.#fulfilled % batchLimits.forgivingWaits === 0) this.#penalty = Math.max(1, this.#penalty / 2);
  }

  /** A batch waited in vain: there are no more callers than these. */
  missed(outstanding: number): void {
    this.#count = Math.max(1, outstanding);
    this.#fulfilled = 0;
    this.#unawaited = this.#penalty;
    this.#penalty = Math.min(2 * this.#penalty, batchLimits.maxUnawaited);
  }
}
