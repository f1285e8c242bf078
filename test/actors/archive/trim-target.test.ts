import { expect, test } from 'vitest';
import { type LaneNeeds, trimTarget } from '../../../src/actors/archive/trim-target.ts';

const never = Number.POSITIVE_INFINITY;
const relaxed: LaneNeeds = {
  archivedTo: 1_000,
  snapshots: [900, 800, 700, 300],
  firstYoung: 2_000,
  firstUnrevealed: never,
};

test.each<[what: string, changes: Partial<LaneNeeds>, target: number, pressed: number]>([
  ['three snapshots stay, one where room is short', {}, 700, 900],
  ['what is not archived stays', { archivedTo: 650 }, 650, 650],
  ['nothing leaves before something is archived', { archivedTo: 0 }, 0, 0],
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
