import type { EngineMessage, LaneEngine, MessageOutcome } from '../../../src/jackpot/lane/lane.ts';
import type { Command, LoggedCommand } from '../../../src/messages/commands.ts';
import type { EngineSettings } from '../../../src/messages/lane-commands.ts';
import type { BookedMessage, FlushChange } from '../../../src/reporting/base/booked-message.ts';
import type { LaneBatch, WrittenTable } from '../../../src/reporting/base/lane-batch.ts';
import type { RowOf } from '../../../src/reporting/base/tables.ts';
import { BookRecorder } from '../../../src/reporting/books/book-recorder.ts';
import { LaneFacts } from '../../../src/reporting/project/facts.ts';
import { Projection } from '../../../src/reporting/project/project.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';

export const testSystem = 'a1b2c3';

/** What the engine of a lane does, as the books of the lane tell it. */
export class BookedEngine {
  readonly engine: LaneEngine;
  readonly #recorder = new BookRecorder();

  constructor(changes: Partial<EngineSettings> = {}) {
    this.engine = newLane({ ...settings, ...changes });
  }

  apply(message: EngineMessage): BookedMessage {
    const { engine } = this;
    this.#recorder.begin(message.sequence);
    const outcome = engine.apply(message, this.#recorder);
    this.#recorder.end();
    return this.#booked(message.commands, outcome);
  }

  /** A message that is refused as a whole. */
  refuse({ sequence, timestampMs, commands }: EngineMessage): BookedMessage {
    this.#recorder.begin(sequence);
    const passed = this.engine.apply({ sequence, timestampMs, commands: [] }, this.#recorder);
    this.#recorder.end();
    const refusal = { kind: 'Refused', code: 'internal_error', message: 'quarantined' } as const;
    return this.#booked(commands, { ...passed, outcomes: commands.map(() => refusal) });
  }

  #booked(commands: readonly LoggedCommand[], outcome: MessageOutcome): BookedMessage {
    const { postings, contributions, payments } = this.#recorder;
    const { sequence, timestampMs } = outcome;
    const batch = { batchId: new Uint8Array(16), gateway: '', commands };
    const head = new Uint8Array(32).fill(sequence % 256);
    const flushes = this.#recorder.flushes.flatMap(({ index, before, after }): FlushChange[] => {
      const answer = commands[index];
      const end = answer?.kind === 'FlushSettled' ? answer.result : 'confirmed';
      return [
        ...(before === null ? [] : [{ index, flush: before, end }]),
        ...(after === null ? [] : [{ index, flush: after, end: null }]),
      ];
    });
    return {
      ...{ lane: 0, sequence, timestampMs, head, batch, outcome },
      ...{ postings, contributions, payments, flushes },
      instance: (id) => this.engine.describe(id),
      accounts: (id) => this.engine.accounts(id),
    };
  }
}

/** A lane of a test, and the rows of everything that happened in it. */
export class ProjectedLane {
  readonly booked: BookedEngine;
  readonly #facts = new LaneFacts();
  readonly messages: BookedMessage[] = [];
  readonly batches: LaneBatch[] = [];
  nowMs = startMs;

  constructor(changes: Partial<EngineSettings> = {}) {
    this.booked = new BookedEngine(changes);
  }

  /** Applies one message, a millisecond after the last, and gives what it brings. */
  apply(...commands: readonly Command[]): LaneBatch {
    this.nowMs += 1;
    const sequence = this.booked.engine.appliedSequence + 1;
    return this.take(this.booked.apply({ sequence, timestampMs: this.nowMs, commands }));
  }

  take(message: BookedMessage): LaneBatch {
    const projection = new Projection(this.#facts);
    projection.add(message);
    const batch = projection.batch(this.batches.length === 0 ? -1 : message.sequence - 1, testSystem);
    this.messages.push(message);
    this.batches.push(batch);
    return batch;
  }

  /** All rows of a table so far. */
  rows<T extends WrittenTable>(table: T): readonly RowOf<T>[] {
    return this.batches.flatMap(({ rows }) => (rows[table] ?? []) as readonly RowOf<T>[]);
  }

  get engine(): LaneEngine {
    return this.booked.engine;
  }
}
