import { describe, expect, it } from 'vitest';
import { IdempotencyTable, ofNoBrand } from '../../../src/jackpot/state/keys/idempotency.ts';
import { bytesOf } from '../../../src/lib/json-chunks.ts';
import { finish } from '../../../src/lib/turns.ts';
import { contribution, running, setStatus } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';

const dayMs = 24 * 3_600_000;
const secret = { low: 1, high: 2 };

function key(number: number): Uint8Array {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint32(0, Math.imul(number, 0x9e3779b1));
  new DataView(bytes.buffer).setUint32(8, number);
  return bytes;
}

describe('a repeated key', () => {
  it('names the place of the first contribution and changes nothing, also within a message', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()));
    const again = contribution({ idempotencyKey: key(1) });
    expect(lane.apply(contribution(), again, again).outcomes[2]).toEqual({
      kind: 'Duplicate',
      sequence: 2,
      index: 1,
    });
    const before = lane.accounts();
    expect(lane.apply(again).outcomes).toEqual([{ kind: 'Duplicate', sequence: 2, index: 1 }]);
    expect(lane.accounts()).toEqual(before);
  });

  it('is met after a restart, and although the instance is paused', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()));
    lane.apply(contribution({ idempotencyKey: key(1) }));
    lane.restart();
    lane.apply(setStatus('Paused'));
    expect(lane.apply(contribution({ idempotencyKey: key(1) })).outcomes).toMatchObject([
      { kind: 'Duplicate' },
    ]);
  });

  it('is not used up by a refusal', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()), setStatus('Paused'));
    lane.apply(contribution({ idempotencyKey: key(1) }));
    lane.apply(setStatus('Active'));
    expect(lane.apply(contribution({ idempotencyKey: key(1) })).outcomes).toMatchObject([
      { kind: 'Contributed' },
    ]);
  });

  it('is forgotten after 24 hours of log time', () => {
    const lane = new TestLane({ epochMs: 100 * dayMs });
    lane.apply(...running(threePots()));
    lane.apply(contribution({ idempotencyKey: key(1) }));
    lane.nowMs += dayMs - 2;
    expect(lane.apply(contribution({ idempotencyKey: key(1) })).outcomes).toMatchObject([
      { kind: 'Duplicate' },
    ]);
    expect(lane.apply(contribution({ idempotencyKey: key(1) })).outcomes).toMatchObject([
      { kind: 'Contributed' },
    ]);
  });
});

describe('the table of keys', () => {
  it('finds each of many keys at its place, drops old ones and keeps the others findable', () => {
    const table = new IdempotencyTable(secret);
    for (let i = 0; i < 60_000; i++) table.add('op', key(i), ofNoBrand, i * 1000, i % 256, i * 2000);
    for (let i = 0; i < 60_000; i += 7) {
      const found = table.find(key(i), ofNoBrand, i * 2000);
      expect(found).toEqual({ sequence: i * 1000, index: i % 256 });
    }
    const now = 60_000 * 2000;
    for (let i = 0; i < 5; i++) table.expire(now);
    expect(table.size).toBeLessThan(52_000);
    for (let i = 0; i < 60_000; i++) {
      const kept = i * 2000 + dayMs > now;
      if ((table.find(key(i), ofNoBrand, now) !== null) !== kept)
        expect.fail(`key ${i} should be ${kept ? 'kept' : 'forgotten'}`);
    }
  });

  it("drops the oldest keys of the operator with the most, never another one's", () => {
    const largestCount = 40_000;
    const table = new IdempotencyTable(secret, largestCount);
    for (let i = 0; i < 5_000; i++) table.add('small', key(i), ofNoBrand, i, 0, 0);
    for (let i = 0; i < 200_000; i++) {
      table.add('large', key(1_000_000 + i), ofNoBrand, i, 0, 1 + i);
      if (i % 100 === 0) table.expire(1 + i);
    }
    expect(table.size).toBeLessThan(largestCount + 8192);
    for (let i = 0; i < 5_000; i += 13) expect(table.find(key(i), ofNoBrand, 200_000)).not.toBeNull();
    expect(table.find(key(1_000_000), ofNoBrand, 200_000)).toBeNull();
    expect(table.find(key(1_199_999), ofNoBrand, 200_000)).toMatchObject({ sequence: 199_999 });
  });

  it('drops the same keys after it was restored, whatever order its operators came in', () => {
    const operators = ['b', 'a', 'c'];
    const live = new IdempotencyTable({ low: 5, high: 9 }, 20_000);
    const at = (i: number) => Math.floor(i / 3) * 1_000;
    const addTo = (table: IdempotencyTable, i: number) => {
      table.add(operators[i % 3 === 0 ? i % 2 : 2]!, key(i), ofNoBrand, i, 0, at(i));
      if (i % 50 === 0) table.expire(at(i));
    };
    for (let i = 0; i < 60_000; i++) addTo(live, i);
    const restored = new IdempotencyTable(secret, 20_000);
    // Segments of an operator keep their order; operators come in any.
    for (const operator of ['c', 'a', 'b'])
      for (const stored of live.stored())
        if (stored.operator === operator) finish(restored.adopt(stored, bytesOf(stored.words)));
    for (let i = 60_000; i < 200_000; i++) {
      addTo(live, i);
      addTo(restored, i);
      if (i % 5_000 === 0) expect([i, restored.size]).toEqual([i, live.size]);
    }
    const now = at(200_000);
    for (let i = 0; i < 200_000; i += 17)
      expect([i, restored.find(key(i), ofNoBrand, now)]).toEqual([i, live.find(key(i), ofNoBrand, now)]);
  });
});
