import type { LaneEngine, MessageOutcome } from '../../jackpot/lane/lane.ts';
import type { Recorder } from '../../jackpot/state/lane/recorder.ts';
import { assert } from '../../lib/assert.ts';
import type { Hashing } from '../../lib/hashing.ts';
import { encodeOutcomeRecord } from '../../messages/codec/codec.ts';
import { withLaneHead } from '../../messages/codec/record-head.ts';
import type { LoggedBatch, LoggedCommand } from '../../messages/commands.ts';
import type { Quarantine } from '../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import type { OutcomeRouting, StoredCommand } from '../../ports.ts';
import { readCommands } from './channel-commands.ts';
import { Quarantines, quarantinedBatch, quarantinedRefusal } from './quarantines.ts';

/** The lane head before the first record. */
export const firstLaneHead: Uint8Array = new Uint8Array(32);
const noHead = new Uint8Array(0);

/** A message of the command log with everything that its owner sends out for it. */
export interface AppliedMessage {
  readonly sequence: number;
  readonly batch: LoggedBatch;
  readonly outcome: MessageOutcome;
  /** The encoded OUT record. */
  readonly record: Uint8Array;
  readonly routing: OutcomeRouting;
}

/**
 * One lane's state in this process: the engine and the head of its OUT chain. It only ever moves by the
 * lane's messages, so two replicas that applied the same sequence are equal to the byte.
 *
 * head_n = SHA-256(head_{n−1} ‖ record n encoded with an empty lane head).
 */
export class Replica {
  readonly lane: number;
  readonly engine: LaneEngine;
  readonly #hashing: Hashing;
  readonly #quarantines: Pick<Quarantines, 'of'>;
  #laneHead: Uint8Array;
  #appliedCommands = 0;

  constructor(
    lane: number,
    engine: LaneEngine,
    hashing: Hashing,
    laneHead: Uint8Array,
    quarantines: Pick<Quarantines, 'of'> = Quarantines.none,
  ) {
    this.lane = lane;
    this.engine = engine;
    this.#hashing = hashing;
    this.#laneHead = laneHead;
    this.#quarantines = quarantines;
  }

  get appliedSequence(): number {
    return this.engine.appliedSequence;
  }

  get laneHead(): Uint8Array {
    return this.#laneHead;
  }

  get appliedCommands(): number {
    return this.#appliedCommands;
  }

  /**
   * Applies the next message; a replay may have a recorder.
   * @throws LogError `corrupt` if its bytes are damaged; anything else is a bug of the engine
   */
  apply(stored: StoredCommand, recorder: Recorder | null = null): AppliedMessage {
    const quarantine = this.#quarantines.of(stored);
    if (quarantine !== null) return this.#refuse(stored, quarantine, recorder);
    const batch = readCommands(stored);
    const { sequence, timestampMs } = stored;
    const outcome = this.engine.apply({ sequence, timestampMs, ...batch }, recorder);
    assert(outcome.outcomes.length === batch.commands.length, 'every command has one outcome');
    return this.#recorded(batch, outcome);
  }

  /** Time passes in the lane, and nothing else of the message happens. */
  #refuse(stored: StoredCommand, quarantine: Quarantine, recorder: Recorder | null): AppliedMessage {
    const { sequence, timestampMs } = stored;
    const passed = this.engine.apply({ sequence, timestampMs, commands: [] }, recorder);
    const outcomes = Array.from({ length: quarantine.commands }, () => quarantinedRefusal);
    return this.#recorded(quarantinedBatch(stored, quarantine), { ...passed, outcomes });
  }

  #recorded(batch: LoggedBatch, outcome: MessageOutcome): AppliedMessage {
    const { sequence } = outcome;
    this.#appliedCommands += outcome.outcomes.length;
    const body = encodeOutcomeRecord({ laneHead: noHead, ...outcome });
    this.#laneHead = this.#hashing.sha256(this.#laneHead, body);
    return new Applied(sequence, batch, outcome, body, this.#laneHead);
  }
}

/** What only goes out is made when it is asked for: a replay of what OUT has asks for none of it. */
class Applied implements AppliedMessage {
  readonly sequence: number;
  readonly batch: LoggedBatch;
  readonly outcome: MessageOutcome;
  readonly #body: Uint8Array;
  readonly #laneHead: Uint8Array;
  #record: Uint8Array | null = null;

  constructor(
    sequence: number,
    batch: LoggedBatch,
    outcome: MessageOutcome,
    body: Uint8Array,
    laneHead: Uint8Array,
  ) {
    this.sequence = sequence;
    this.batch = batch;
    this.outcome = outcome;
    this.#body = body;
    this.#laneHead = laneHead;
  }

  get record(): Uint8Array {
    this.#record ??= withLaneHead(this.#body, this.#laneHead);
    return this.#record;
  }

  get routing(): OutcomeRouting {
    return routingOf(this.batch, this.outcome);
  }
}

function routingOf(batch: LoggedBatch, { events, outcomes, work }: MessageOutcome): OutcomeRouting {
  return {
    wallet: work.some(({ kind }) => kind !== 'FlushDue'),
    hooks:
      work.some(({ kind }) => kind === 'FlushDue') ||
      outcomes.some((outcome, index) => bringsCallback(batch.commands[index], outcome)),
    events: events.length > 0,
  };
}

/**
 * Whether a contribution with a callback has its result: not while the debit of the player is pending, and
 * not for a repeat, which is answered at once.
 */
function bringsCallback(command: LoggedCommand | undefined, outcome: CommandOutcome): boolean {
  if (outcome.kind === 'Settled') return outcome.contributions.some(({ callback }) => callback);
  if (command?.kind !== 'Contribute' || command.callback === null) return false;
  return outcome.kind === 'Refused' || outcome.kind === 'Contributed';
}
