import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { createUpgradedLane, type LaneEngine, restoreLane } from '../../../src/jackpot/lane/lane.ts';
import type { Hashing } from '../../../src/lib/hashing.ts';
import { encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { StoredCommand, StoredOutcome } from '../../../src/ports.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings } from '../../jackpot/support/lane.ts';

export const lane = 3;

/** The engines of a lane that was upgraded before anything else, with this cryptography. */
export const enginesOn = (of: Hashing) => ({
  create: () => createUpgradedLane(of, settings),
  restore: (chunks: Iterable<Uint8Array>) => restoreLane(chunks, of, settings),
});

/** A message as it is stored, and the record that its owner made of it. */
export interface Recorded {
  readonly command: StoredCommand;
  readonly outcome: StoredOutcome;
}

/** The owner of a lane, with its draw keys. */
export class RecordedLane {
  readonly replica: Replica;
  readonly messages: Recorded[] = [];

  constructor(engine: LaneEngine = enginesOn(testHashing).create()) {
    this.replica = new Replica(lane, engine, testHashing, firstLaneHead);
  }

  apply(commands: readonly Command[], timestampMs: number): Recorded {
    const bytes = encodeCommandBatch({ gateway: 'g', batchId: new Uint8Array(16), commands });
    const at = { lane, sequence: this.replica.appliedSequence + 1, timestampMs };
    const command: StoredCommand = { ...at, channel: 'control', bytes };
    const recorded = { command, outcome: { ...at, bytes: this.replica.apply(command).record } };
    this.messages.push(recorded);
    return recorded;
  }
}
