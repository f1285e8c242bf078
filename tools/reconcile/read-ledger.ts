import { decodeCommandBatch, decodeOutcomeRecord } from '../../src/messages/codec/codec.ts';
import type { Log, StoredCommand, StoredOutcome } from '../../src/ports.ts';
import { LaneLedger, type LedgerSink } from './lane-ledger.ts';
import { StatementError } from './transaction.ts';

/** What was read of a lane. */
export interface LedgerExtent {
  readonly lane: number;
  readonly fromSequence: number;
  readonly toSequence: number;
  /** Time of the first message; null: the lane has none from then on. */
  readonly beginsMs: number | null;
}

/**
 * Reads a lane's messages from `fromMs` on, to the last record that is stored now.
 * @throws StatementError where messages are missing, LogError on outages
 */
export async function readLedger(
  log: Log,
  lane: number,
  fromMs: number,
  brand: string,
  sink: LedgerSink,
): Promise<LedgerExtent> {
  const { commands, outcomes } = await log.extents(lane);
  const toSequence = outcomes.lastSequence;
  const firstSequence = Math.max(commands.firstSequence, outcomes.firstSequence);
  const fromSequence = await sequenceAt(log, lane, fromMs, firstSequence, toSequence);
  const ledger = new LaneLedger(brand, sink);
  let beginsMs: number | null = null;
  const reader = new CommandReader(log, lane);
  for await (const stored of recordsFrom(log, lane, fromSequence, toSequence)) {
    const record = decodeOutcomeRecord(stored.bytes);
    beginsMs ??= record.timestampMs;
    const command = await reader.at(stored.sequence);
    const isNeeded = LaneLedger.needsCommands(record, command.channel === 'settlement');
    ledger.take(record, isNeeded ? decodeCommandBatch(command.bytes) : null);
  }
  return { lane, fromSequence, toSequence, beginsMs };
}

/** The first sequence whose message was stored at that time or later. */
async function sequenceAt(
  log: Log,
  lane: number,
  timeMs: number,
  first: number,
  last: number,
): Promise<number> {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const command = await log.readCommand(lane, middle);
    if (command === null) throw missing(lane, middle);
    if (command.timestampMs >= timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function* recordsFrom(log: Log, lane: number, from: number, to: number): AsyncGenerator<StoredOutcome> {
  for (let next = from; next <= to; ) {
    const batch = await log.readOutcomes(lane, next);
    if (batch.length === 0) throw missing(lane, next);
    for (const stored of batch) {
      if (stored.sequence !== next) throw missing(lane, next);
      if (next > to) return;
      yield stored;
      next += 1;
    }
  }
}

/** Commands in order, read some at a time. */
class CommandReader {
  #batch: readonly StoredCommand[] = [];
  #place = 0;
  readonly #log: Log;
  readonly #lane: number;

  constructor(log: Log, lane: number) {
    this.#log = log;
    this.#lane = lane;
  }

  async at(sequence: number): Promise<StoredCommand> {
    if (this.#place >= this.#batch.length) {
      this.#batch = await this.#log.readCommands(this.#lane, sequence);
      this.#place = 0;
    }
    const found = this.#batch[this.#place];
    this.#place += 1;
    if (found?.sequence !== sequence) throw missing(this.#lane, sequence);
    return found;
  }
}

function missing(lane: number, sequence: number): StatementError {
  return new StatementError(
    `Message ${sequence} of lane ${lane} is missing in the log; "potstream doctor" examines it.`,
  );
}
