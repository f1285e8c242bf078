import { expect, test } from 'vitest';
import { LaneFill } from '../../src/storage/lane-fill.ts';
import { type LaneNeeds, trimTarget } from '../../src/storage/trim-target.ts';

const never = Number.POSITIVE_INFINITY;
const relaxed: LaneNeeds = {
  archivedTo: 1_000,
  snapshots: [900, 800, 700, 300],
  firstYoung: 2_000,
  firstUnrevealed: never,
  surplusTo: 5_000,
};

test.each<[what: string, changes: Partial<LaneNeeds>, target: number, pressed: number]>([
  ['three snapshots stay, one where room is short', {}, 700, 900],
  ['what is not archived stays', { archivedTo: 650 }, 650, 650],
  ['nothing leaves before something is archived', { archivedTo: 0 }, 0, 0],
  ['where room is short, no more leaves than frees it', { surplusTo: 250 }, 700, 250],
  ['young messages stay if there is room', { firstYoung: 500 }, 499, 900],
  ['two snapshots are too few, and enough where room is short', { snapshots: [900, 800] }, 0, 900],
  ['nothing leaves without a snapshot', { snapshots: [] }, 0, 0],
  ['an unrevealed epoch keeps the snapshot before its first message', { firstUnrevealed: 750 }, 700, 900],
  ['a snapshot of that very message is too late', { firstUnrevealed: 700 }, 300, 900],
  ['an epoch that is older than all snapshots keeps everything', { firstUnrevealed: 300 }, 0, 900],
  ['a lane whose epochs nobody knows keeps everything', { firstUnrevealed: 0 }, 0, 900],
])('%s', (_, changes, target, pressed) => {
  const needs = { ...relaxed, ...changes };
  expect([trimTarget(needs, false), trimTarget(needs, true)]).toEqual([target, pressed]);
});

/** A lane of messages 101 to 1,100: their bytes in CMD and OUT, and those of the parts. */
function room(commandBytes: number, outcomeBytes: number, partBytes: number, maxBytes = 10_000): LaneFill {
  const extent = (stream: string) => ({
    ...{ stream, firstSequence: 101, lastSequence: 1_100, messages: 1_000, maxAgeMs: 0 },
  });
  const fill = (stream: string, bytes: number) => ({ stream, bytes, maxBytes, oldestMs: null });
  const fills = [fill('CMD_0', commandBytes), fill('OUT_0', outcomeBytes), fill('PART_0', partBytes)];
  return new LaneFill(fills, extent('CMD_0'), extent('OUT_0'));
}

test.each<[what: string, room: LaneFill, surplusTo: number]>([
  ['two thirds of the messages are too many', room(9_000, 100, 0), 766],
  ['the fullest stream decides, also that of the parts', room(6_000, 1_000, 9_000), 766],
  ['a stream that keeps less has no surplus', room(2_900, 3_000, 0), 100],
  ['an empty lane has no surplus', room(0, 0, 0), 100],
  ['streams without a limit have no surplus', room(9_000, 9_000, 9_000, 0), 100],
])('%s', (_, of, surplusTo) => {
  expect(of.surplusTo(0.3)).toBe(surplusTo);
});

test.each<[what: string, room: LaneFill, spare: number]>([
  ['a spare is what is wanted while it takes little room', room(1_000, 1_000, 9_000), 400],
  ['a spare takes no more than a quarter of the room', room(8_000, 1_000, 0), 312],
  ['the stream with the largest messages decides for both', room(1_000, 10_000, 0), 250],
  ['streams without a limit have room for every spare', room(9_000, 9_000, 0, 0), 400],
  ['an empty lane has room for every spare', room(0, 0, 0), 400],
])('%s', (_, of, spare) => {
  expect(of.spare(400)).toBe(spare);
});
