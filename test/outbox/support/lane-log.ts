import { randomBytes } from 'node:crypto';
import { firstLaneHead, LaneReplica } from '../../../src/actors/replica/lane-replica.ts';
import { createLane } from '../../../src/jackpot/lane.ts';
import { encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CommandChannel, Log } from '../../../src/ports.ts';
import { createInstance, openEpoch, setBrand, setStatus } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

/** Writes a lane's streams as its gateway and owner would: real commands, and the records of a real engine. */
export class LaneLog {
  readonly #log: Log;
  readonly #lane: number;
  readonly #replica: LaneReplica;

  constructor(log: Log, lane = 0) {
    this.#log = log;
    this.#lane = lane;
    this.#replica = new LaneReplica(lane, createLane(testHashing, settings), testHashing, firstLaneHead);
  }

  /** An active instance `jackpot` whose one pot nothing hits. */
  async open(configuration = onePot()): Promise<void> {
    await this.write(
      setBrand(),
      createInstance(configuration),
      openEpoch('jackpot', 0, [0, 1, 2]),
      setStatus('Active'),
    );
  }

  /** One message; gives the sequence. */
  write(...commands: Command[]): Promise<number> {
    return this.writeOn('control', ...commands);
  }

  async writeOn(channel: CommandChannel, ...commands: Command[]): Promise<number> {
    const bytes = encodeCommandBatch({ batchId: randomBytes(16), gateway: 'g', commands });
    const messageId = randomBytes(8).toString('hex');
    const stored = await this.#log.append(this.#lane, channel, bytes, { messageId });
    if (stored.kind !== 'stored') throw new Error('not stored');
    return this.apply(stored.sequence, channel, bytes);
  }

  /** Applies a stored message and stores its record. */
  async apply(sequence: number, channel: CommandChannel, bytes: Uint8Array): Promise<number> {
    const lane = this.#lane;
    const timestampMs = startMs + sequence;
    const { record, routing } = this.#replica.apply({ lane, sequence, channel, timestampMs, bytes });
    await this.#log.appendOutcome(lane, sequence, routing, record);
    return sequence;
  }
}
