import { describe, expect, it } from 'vitest';
import { createLane } from '../../../src/jackpot/lane/lane.ts';
import type { Hashing } from '../../../src/lib/hashing.ts';
import { decodeOutcomeRecord, decodeStreamKeys } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { contribution, running } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { booksOf } from './booked-totals.ts';
import { lane, RecordedLane } from './recorded-lane.ts';

const drawn = onePot({ pot_types: [{ HitRate: { max_magic_number: 4, cost_per_attempt: '1' } }] });
const fed = onePot();
const upgrade = (version: number): Command => ({ kind: 'UpgradeTo', version });

/** An owner whose lane begins in the first version, as every log does. */
function owner(...messages: readonly (readonly Command[])[]): RecordedLane {
  const recorded = new RecordedLane(createLane(testHashing, settings));
  for (const [index, commands] of messages.entries()) recorded.apply(commands, startMs + index);
  return recorded;
}

function books() {
  return booksOf(lane, (of: Hashing) => ({
    create: () => createLane(of, settings),
    restore: () => {
      throw new Error('there is no snapshot');
    },
  }));
}

function readAll(recorded: RecordedLane): number {
  const all = books();
  for (const { command, outcome } of recorded.messages) all.apply(command, outcome);
  return all.sequence;
}

const before = [upgrade(2), upgrade(3)];

describe('a lane whose version names no keys of draws', () => {
  it('has no books once something is drawn', () => {
    const recorded = owner(before, running(drawn), [contribution()]);
    expect(() => readAll(recorded)).toThrow(
      expect.objectContaining({ code: 'stream_keys_missing', lane, sequence: 3 }),
    );
  });

  it('has books as long as nothing is drawn, and goes on with version 4', () => {
    const more = [contribution({ target: { type: 'instance', id: 'b' } })];
    const recorded = owner(before, running(fed), [contribution()], [upgrade(4)], running(drawn, 'b'), more);
    expect(readAll(recorded)).toBe(6);
    expect(decodeStreamKeys(recorded.messages[5]!.outcome.bytes)).toHaveLength(1);
  });
});

it('version 4 says the same of a message as version 3, and the keys; where nothing is drawn it has the same bytes', () => {
  const messages = [running(drawn), [contribution()], [{ kind: 'Tick', instance: 'jackpot' } as const]];
  const third = owner([...before, upgrade(1)], ...messages);
  const fourth = owner([...before, upgrade(4)], ...messages);
  for (const index of [1, 2, 3]) {
    const [older, newer] = [third, fourth].map(({ messages: all }) =>
      decodeOutcomeRecord(all[index]!.outcome.bytes),
    ) as [ReturnType<typeof decodeOutcomeRecord>, ReturnType<typeof decodeOutcomeRecord>];
    const { streamKeys, ...same } = newer;
    expect({ ...same, laneHead: null }).toEqual({ ...older, laneHead: null });
    expect(streamKeys?.length).toBe(index === 2 ? 1 : undefined);
    expect('streamKeys' in older).toBe(false);
  }
});

it('an upgrade to version 4 counts for its whole message', () => {
  const recorded = owner(before, running(drawn), [contribution(), upgrade(4), contribution()]);
  expect(decodeStreamKeys(recorded.messages[2]!.outcome.bytes)).toHaveLength(2);
  expect(readAll(recorded)).toBe(3);
});
