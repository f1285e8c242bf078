import { beforeEach, describe, expect, it } from 'vitest';
import type { KnownInstance } from '../../../../src/directory/lane-view.ts';
import { OptInStatuses, statusCacheMs } from '../../../../src/gateway/api/services/opt-in-statuses.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../../../src/messages/queries.ts';

const known = (instance: string) => ({ lane: 2, description: { instance } }) as unknown as KnownInstance;
const one = known('one');

let nowMs: number;
let asked: LaneQuery[];
let answer: () => Promise<LaneQueryAnswer>;
let statuses: OptInStatuses;

beforeEach(() => {
  nowMs = 1_000;
  asked = [];
  answer = async () => ({ kind: 'opt_in_status', status: { contributionCount: asked.length } as never });
  const query = (_lane: number, wanted: LaneQuery) => {
    asked.push(wanted);
    return answer();
  };
  statuses = new OptInStatuses(
    { query },
    { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} },
  );
});

const count = async (instance = one, player = 'ada', brand = 'acme:main') =>
  (await statuses.of(instance, brand, player)).contributionCount;

describe('opt-in statuses', () => {
  it('are asked for once in a while, by player, brand and instance', async () => {
    expect([await count(), await count()]).toEqual([1, 1]);
    expect(asked).toEqual([{ kind: 'opt_in_status', instance: 'one', brand: 'acme:main', player: 'ada' }]);
    expect([await count(known('two')), await count(one, 'ben'), await count(one, 'ada', 'acme:vip')]).toEqual(
      [2, 3, 4],
    );
    nowMs += statusCacheMs - 1;
    expect(await count()).toBe(1);
    nowMs += 1;
    expect(await count()).toBe(5);
  });

  it('are asked for anew after a change of the player, and of nobody else', async () => {
    await count();
    await count(known('two'));
    await count(one, 'ben');
    statuses.forget('acme:main', 'ada');
    expect([await count(), await count(known('two')), await count(one, 'ben')]).toEqual([4, 5, 3]);
  });

  it('are not held where the change came while they were asked for', async () => {
    let answerFirst: () => void = () => {};
    answer = () =>
      new Promise((resolve) => {
        answerFirst = () => resolve({ kind: 'opt_in_status', status: { contributionCount: 0 } as never });
      });
    const before = count();
    statuses.forget('acme:main', 'ada');
    answer = async () => ({ kind: 'opt_in_status', status: { contributionCount: 7 } as never });
    const after = count();
    answerFirst();
    expect([await before, await after, await count()]).toEqual([0, 7, 7]);
  });

  it('are not held where the lane did not say', async () => {
    answer = async () => ({ kind: 'refused', code: 'instance_not_found', message: '' });
    await expect(count()).rejects.toMatchObject({ code: 'overloaded' });
    answer = async () => {
      throw new Error('nobody answers');
    };
    await expect(count()).rejects.toThrow('nobody answers');
    answer = async () => ({ kind: 'opt_in_status', status: { contributionCount: 3 } as never });
    expect(await count()).toBe(3);
  });
});
