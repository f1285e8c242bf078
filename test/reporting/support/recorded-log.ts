import { SnapshotEncoder } from '../../../src/actors/recovery/snapshots/format.ts';
import { concatenate } from '../../../src/lib/bytes.ts';
import { LoopTurn } from '../../../src/lib/turns.ts';
import { archivedSnapshotName } from '../../../src/log/archive/snapshot-names.ts';
import type { BooksPorts } from '../../../src/reporting/books/open-books.ts';
import type { MixedRun } from '../../jackpot/mixed/run.ts';
import { enginesOn, lane, type Recorded, RecordedLane } from '../books/recorded-lane.ts';

const messagesOfRead = 128;

/** A lane's log in memory, which may lose its beginning, with the snapshots that its archive has. */
export class RecordedLog implements Pick<BooksPorts, 'log'> {
  readonly messages: Recorded[] = [];
  readonly snapshots = new Map<string, Uint8Array>();
  /** The oldest message that log and archive have. */
  first = 1;
  /** Messages that were read. */
  reads = 0;
  /** Called before each read. */
  reading: () => void = () => {};

  /** Every message of a history, and a snapshot behind each of these. */
  static of(run: MixedRun, snapshotsAt: readonly number[] = []): RecordedLog {
    const log = new RecordedLog();
    const owner = new RecordedLane();
    for (const { commands, timestampMs } of run.lane.log) {
      log.messages.push(owner.apply(commands, timestampMs));
      if (snapshotsAt.includes(log.messages.length)) log.#keep(owner);
    }
    return log;
  }

  get last(): number {
    return this.messages.length;
  }

  readonly log: BooksPorts['log'] = {
    extents: async () => {
      const messages = this.last - this.first + 1;
      const extent = { firstSequence: this.first, lastSequence: this.last, messages, maxAgeMs: 0 };
      return { commands: extent, outcomes: extent } as never;
    },
    readCommand: async (_, sequence) => this.#from(sequence, 1)[0]?.command ?? null,
    readCommands: async (_, from) => this.#from(from, messagesOfRead).map(({ command }) => command),
    nextCommand: async () => null,
    readOutcome: async (_, sequence) => this.#from(sequence, 1)[0]?.outcome ?? null,
    readOutcomes: async (_, from) => this.#from(from, messagesOfRead).map(({ outcome }) => outcome),
    lastOutcome: async () => this.last,
    archive: async () => ({
      list: async () => [...this.snapshots.keys()],
      get: async (name) => this.snapshots.get(name) ?? null,
    }),
  };

  get ports(): BooksPorts {
    return { log: this.log, engines: enginesOn, turn: new LoopTurn(() => 0) };
  }

  #from(sequence: number, count: number): readonly Recorded[] {
    this.reading();
    const found = sequence < this.first ? [] : this.messages.slice(sequence - 1, sequence - 1 + count);
    this.reads += found.length;
    return found;
  }

  #keep({ replica }: RecordedLane): void {
    const { appliedSequence: sequence, laneHead } = replica;
    const { timestampMs } = replica.engine;
    const encoder = new SnapshotEncoder();
    const parts = [encoder.begin({ lane, sequence, timestampMs, laneHead })];
    for (const chunk of replica.engine.snapshot()) parts.push(encoder.frame(chunk), chunk);
    this.snapshots.set(
      archivedSnapshotName(lane, { sequence, timestampMs }),
      concatenate([...parts, encoder.end()]),
    );
  }
}
