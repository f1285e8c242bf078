import { expect, it } from 'vitest';
import { placementNow } from '../../../../src/gateway/api/services/placement.ts';
import type { LaneClient } from '../../../../src/gateway/lanes/lane-client.ts';
import type { LaneQueryAnswer } from '../../../../src/messages/queries.ts';
import { placementOf } from '../../support/placement.ts';

interface Deferred {
  readonly resolve: (answer: LaneQueryAnswer) => void;
  readonly reject: (error: Error) => void;
}

it('asks three lanes once for all who ask meanwhile, and takes the first answer', async () => {
  const asked: number[] = [];
  const waiting = new Map<number, Deferred>();
  const client = {
    query(lane: number) {
      asked.push(lane);
      return new Promise<LaneQueryAnswer>((resolve, reject) => waiting.set(lane, { resolve, reject }));
    },
  } as unknown as LaneClient;
  const lanes = [4, 1, 7, 2];
  const answers = Array.from({ length: 20 }, () => placementNow(client, lanes));
  expect(asked).toEqual([4, 1, 7]);
  waiting.get(4)!.reject(new Error('its owner is gone'));
  waiting.get(1)!.resolve({ kind: 'refused', code: 'invalid_request', message: 'The query does not read.' });
  waiting.get(7)!.resolve(placementOf(8));
  expect(new Set(await Promise.all(answers))).toEqual(new Set([placementOf(8)]));

  const next = placementNow(client, [2]);
  expect(asked).toEqual([4, 1, 7, 2]);
  waiting.get(2)!.reject(new Error('its owner is gone, too'));
  await expect(next).rejects.toMatchObject({ code: 'storage_unavailable' });
});
