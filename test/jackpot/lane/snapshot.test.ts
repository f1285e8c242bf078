import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { restoreLane } from '../../../src/jackpot/lane/lane.ts';
import { frame, unframe } from '../../../src/lib/json-chunks.ts';
import { finish } from '../../../src/lib/turns.ts';
import { contribution, running } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { testHashing } from '../support/hashing.ts';
import { settings, TestLane } from '../support/lane.ts';

function contributions(from: number, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const key = new Uint8Array(16);
    new DataView(key.buffer).setUint32(0, Math.imul(from + i, 0x9e3779b1));
    return contribution({ player: `player-${(from + i) % 9000}`, idempotencyKey: key });
  });
}

describe('a snapshot', () => {
  it('is of the moment it was begun, although commands are applied between its chunks', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()), ...running(threePots(), 'other').slice(1));
    for (let i = 0; i < 9000; i += 250) lane.apply(...contributions(i, 250));
    const before = [
      lane.engine.describe('jackpot'),
      lane.engine.accounts('jackpot'),
      lane.engine.describe('other'),
    ];
    const { appliedSequence } = lane.engine;
    const chunks: Uint8Array[] = [];
    let next = 9000;
    for (const chunk of lane.engine.snapshot()) {
      chunks.push(chunk);
      lane.apply(...contributions(next, 250), contribution({ target: { type: 'instance', id: 'other' } }));
      next += 250;
    }
    expect(chunks.length).toBeGreaterThan(5);
    const restored = finish(restoreLane(chunks, testHashing, settings));
    expect(restored.appliedSequence).toBe(appliedSequence);
    expect([restored.describe('jackpot'), restored.accounts('jackpot'), restored.describe('other')]).toEqual(
      before,
    );

    for (const message of lane.log.slice(appliedSequence)) restored.apply(message);
    expect(restored.liveValues('jackpot')).toEqual(lane.engine.liveValues('jackpot'));
    const last = restored.optInStatus('jackpot', 'op:main', 'player-8999');
    expect(last).toEqual(lane.engine.optInStatus('jackpot', 'op:main', 'player-8999'));
    expect(last?.contributionCount).toBeGreaterThan(0);
    expect(digest(restored.snapshot())).toBe(digest(lane.engine.snapshot()));
  });

  it('of players with ids of any length and script finds each of them again', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()));
    const players = Array.from({ length: 300 }, (_, i) => ['p', 'é', '玩家', 'x'.repeat(i % 60)][i % 4]! + i);
    for (const player of players) lane.apply(contribution({ player }));
    const restored = finish(restoreLane([...lane.engine.snapshot()], testHashing, settings));
    for (const player of players) {
      const known = restored.optInStatus('jackpot', 'op:main', player);
      expect(known).toEqual(lane.engine.optInStatus('jackpot', 'op:main', player));
      expect(known?.contributionCount).toBe(1);
    }
    expect(digest(restored.snapshot())).toBe(digest(lane.engine.snapshot()));
  });

  it('without the counts of keys and players, as older ones are, leads to the same state', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()));
    for (let i = 0; i < 1000; i += 250) lane.apply(...contributions(i, 250));
    const older = [...lane.engine.snapshot()].map(withoutCounts);
    const restored = finish(restoreLane(older, testHashing, settings));
    expect(digest(restored.snapshot())).toBe(digest(lane.engine.snapshot()));
  });

  it('that is torn is refused', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()));
    const chunks = [...lane.engine.snapshot()];
    expect(() => finish(restoreLane(chunks.slice(0, -1), testHashing, settings))).toThrow('complete');
  });
});

function withoutCounts(chunk: Uint8Array): Uint8Array {
  const { facts, payload } = unframe(chunk);
  const { keys, players, ...others } = facts as Record<string, unknown>;
  expect([typeof keys, typeof players]).toContain('undefined');
  return frame(others, payload);
}

function digest(chunks: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
