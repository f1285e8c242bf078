import { expect, it } from 'vitest';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import {
  contribution,
  createInstance,
  openEpoch,
  setBrand,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

/** Which outcome records the outbox is shown (`out.<lane>.<w>.<h>.<e>`). */
function lane() {
  const replica = new Replica(0, newLane(settings), testHashing, firstLaneHead);
  const hooksOf = (...commands: Command[]): boolean => {
    const sequence = replica.appliedSequence + 1;
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16).fill(sequence), gateway: 'g', commands });
    return replica.apply({ lane: 0, sequence, channel: 'control', timestampMs: startMs + sequence, bytes })
      .routing.hooks;
  };
  hooksOf(setBrand(), createInstance(onePot()), openEpoch('jackpot', 0, [0, 1, 2]), setStatus('Active'));
  return hooksOf;
}

const callback = { webHook: 'https://hooks.example.com/x', winResultOnly: false };
const key = new Uint8Array(16).fill(9);

it('those of contributions with a callback, applied or refused, wherever they stand in the message', () => {
  const hooksOf = lane();
  expect(hooksOf(contribution())).toBe(false);
  expect(hooksOf(contribution(), contribution({ callback }))).toBe(true);
  expect(hooksOf(contribution({ callback, target: { type: 'instance', id: 'none' } }))).toBe(true);
  expect(hooksOf(setStatus('Paused'))).toBe(false);
  expect(hooksOf(contribution({ callback }))).toBe(true);
});

it('not those of repeats, whose first one was told', () => {
  const hooksOf = lane();
  expect(hooksOf(contribution({ callback, idempotencyKey: key }))).toBe(true);
  expect(hooksOf(contribution({ callback, idempotencyKey: key }))).toBe(false);
});
