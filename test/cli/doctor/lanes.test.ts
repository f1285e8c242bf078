import { expect, test } from 'vitest';
import { type LaneReadings, laneFaults } from '../../../src/cli/doctor/lanes.ts';
import type { Heartbeat } from '../../../src/messages/bus-messages.ts';

const heartbeat: Heartbeat = {
  lane: 2,
  host: 'h',
  term: 1,
  appliedSequence: 10,
  storedOutcome: 10,
  condition: 'serving',
  code: '',
};
const well: LaneReadings = {
  lane: 2,
  heartbeat,
  lastCommand: 10,
  fills: [{ stream: 'CMD_2', bytes: 69, maxBytes: 100, oldestMs: null }],
};

test.each<[string, Partial<LaneReadings>, string[]]>([
  ['is well', {}, []],
  ['has no limit of bytes', { fills: [{ stream: 'CMD_2', bytes: 69, maxBytes: 0, oldestMs: null }] }, []],
  [
    'is not heard',
    { heartbeat: null },
    ['lane 2: no heartbeat of an owner; its host is hung, stopped or down'],
  ],
  ['stopped', { heartbeat: { ...heartbeat, condition: 'stopped', code: 'hole' } }, ['lane 2 stopped: hole']],
  [
    'is full',
    { heartbeat: { ...heartbeat, condition: 'full', code: 'OUT_2' } },
    ['lane 2 refuses new contributions: OUT_2 is full'],
  ],
  ['lags', { lastCommand: 13 }, ['lane 2 is lagging: 3 stored messages have no outcome']],
  [
    'fills',
    { fills: [{ stream: 'OUT_2', bytes: 70, maxBytes: 100, oldestMs: null }] },
    ['OUT_2 is 70 % full'],
  ],
])('a lane that %s', (_, more, faults) => {
  expect(laneFaults({ ...well, ...more })).toEqual(faults);
});
