import { describe, expect, it } from 'vitest';
import { IdempotencyTable } from '../../src/jackpot/state/idempotency.ts';
import { contribution, running, setStatus } from './support/commands.ts';
import { threePots } from './support/configurations.ts';
import { TestLane } from './support/lane.ts';

const dayMs = 24 * 3_600_000;

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
    const table = new IdempotencyTable();
    for (let i = 0; i < 60_000; i++) table.add(key(i), i * 1000, i % 256, i * 2000);
    for (let i = 0; i < 60_000; i += 7) {
      const found = table.find(key(i), i * 2000);
      expect(found).toEqual({ sequence: i * 1000, index: i % 256 });
    }
    const now = 60_000 * 2000;
    for (let i = 0; i < 5; i++) table.expire(now);
    expect(table.size).toBeLessThan(52_000);
    for (let i = 0; i < 60_000; i++) {
      const kept = i * 2000 + dayMs > now;
      if ((table.find(key(i), now) !== null) !== kept)
        expect.fail(`key ${i} should be ${kept ? 'kept' : 'forgotten'}`);
    }
  });
});
