import { expect, it } from 'vitest';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import type { LaneEngine, MessageOutcome } from '../../../src/jackpot/lane/lane.ts';
import { encodeCommandBatch, encodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { running } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

it('packs each record once, and chains it to the one before', () => {
  const lane = newLane(settings);
  let packed = 0;
  let outcome: MessageOutcome | null = null;
  const engine = Object.create(lane, {
    appliedSequence: { get: () => lane.appliedSequence },
    apply: {
      value(message: Parameters<LaneEngine['apply']>[0]) {
        outcome = lane.apply(message);
        const { instances } = outcome;
        const counted = () => {
          packed += 1;
          return instances;
        };
        return Object.defineProperty({ ...outcome }, 'instances', { get: counted, enumerable: true });
      },
    },
  }) as LaneEngine;
  const replica = new Replica(0, engine, testHashing, firstLaneHead);
  let before = firstLaneHead;
  for (const command of running(onePot()) as readonly Command[]) {
    packed = 0;
    const sequence = replica.appliedSequence + 1;
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: 'g', commands: [command] });
    const stored = { lane: 0, sequence, channel: 'control' as const, timestampMs: startMs + sequence, bytes };
    const { record } = replica.apply(stored);
    expect(packed).toBe(1);
    const body = encodeOutcomeRecord({ laneHead: new Uint8Array(0), ...outcome! });
    expect(replica.laneHead).toEqual(testHashing.sha256(before, body));
    expect(record).toEqual(encodeOutcomeRecord({ laneHead: replica.laneHead, ...outcome! }));
    before = replica.laneHead;
  }
});
