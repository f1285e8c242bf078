import { expect, it } from 'vitest';
import { haltAt, haltOf } from '../../../src/actors/lane/halt.ts';
import { HeadChecks } from '../../../src/actors/witness/head-checks.ts';
import { decodeOutcomeRecord, encodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import { frameStored, unframeStored } from '../../../src/messages/codec/frame.ts';
import { LogError } from '../../../src/ports.ts';

/** What a host of an older release does with records of a newer one (docs/decisions/0304). */

const laneHead = new Uint8Array(32).fill(7);
const known = encodeOutcomeRecord({
  sequence: 5,
  timestampMs: 1_000,
  laneHead,
  instances: [],
  outcomes: [],
  events: [],
  work: [],
});
const newer = frameStored((unframeStored(known) as unknown[]).with(5, [[9_999, ['anything']]]));

it('the lane head of a record reads in every version', async () => {
  expect(() => decodeOutcomeRecord(newer)).toThrow(expect.objectContaining({ code: 'unsupported' }));
  const log = { readOutcome: async () => ({ lane: 0, sequence: 5, timestampMs: 1_000, bytes: newer }) };
  const checks = await HeadChecks.read(log, 0, 5, 5);
  expect(checks.check(5, laneHead)).toBe('equal');
  expect(checks.check(5, new Uint8Array(32))).toBe('different');
});

it('a lane halts by name: at a command message of a newer format, and at other data of a newer release', () => {
  const error = new LogError('unsupported', 'A message has format version 2, not 1.');
  expect(haltAt(9, error)).toMatchObject({ code: 'unreadable_message', sequence: 9 });
  expect(haltOf(error)).toMatchObject({ code: 'engine_version_unsupported' });
});
