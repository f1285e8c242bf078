import { expect, test } from 'vitest';
import { Batch } from '../../../src/gateway/lanes/batch.ts';
import type { LaneAnswer } from '../../../src/gateway/lanes/lane-client.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { contribution } from '../../jackpot/support/commands.ts';

const callback = { webHook: 'https://hooks.example.com/x', winResultOnly: false };

test('who is told by a callback does not wait for the debit', () => {
  const answers: (LaneAnswer | null)[] = [null, null];
  const entries = [null, callback].map((wanted, index) => ({
    command: contribution({ wallet: true, callback: wanted }) as Contribute,
    sizeBytes: 1,
    retryUntilMs: null,
    stored: undefined,
    trace: undefined,
    caller: {
      resolve: (answer: LaneAnswer) => {
        answers[index] = answer;
      },
      reject: (error: Error) => expect.unreachable(error.message),
    },
  }));
  const batch = new Batch('id', new Uint8Array(1), 0, entries);
  batch.acknowledged(7);
  const later: number[] = [];
  const outcomes = [{ kind: 'Pending' }, { kind: 'Pending' }] as const;
  batch.succeed(3, { outcomes, timestampMs: 11 }, (_, index) => later.push(index));
  expect(later).toEqual([0]);
  expect(answers).toEqual([
    null,
    { outcome: { kind: 'Pending' }, lane: 3, sequence: 7, index: 1, timestampMs: 11 },
  ]);
});
