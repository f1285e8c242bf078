import { describe, expect, it } from 'vitest';
import type { TriggerPot } from '../../src/messages/instance-commands.ts';
import { contribution, openEpoch, running } from './support/commands.ts';
import { hitFlag, Records } from './support/entries.ts';
import { startMs, TestLane } from './support/lane.ts';
import { onePot } from './support/scenario.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Midnight behind the start of test lanes. */
const midnight = Math.ceil(startMs / dayMs) * dayMs;
/** From 18 to 20 o'clock. */
const evening = { Time: { start_time: 18 * hourMs, end_time: 20 * hourMs } };

function at(day: number, hour: number, ms = 0): number {
  return midnight + day * dayMs + hour * hourMs + ms;
}

/** Active at midnight; epochs long enough to need no care. */
function laneOf(pot_types: readonly object[]) {
  const lane = new TestLane({ epochMs: 100 * dayMs });
  lane.nowMs = midnight - 1;
  lane.apply(...running(onePot({ pot_types, criteria: { min_contribution: '0.01' } })));
  const records = new Records(lane);
  const give = (whenMs: number) => {
    lane.nowMs = whenMs - 1;
    return lane.apply(contribution()).events.filter((event) => event.kind === 'Won').length;
  };
  return { lane, records, give };
}

describe('a daily Time window', () => {
  it('misses before its start, and counts from there', () => {
    const { records, give } = laneOf([evening]);
    expect(give(at(0, 3))).toBe(0);
    expect(give(at(0, 18))).toBe(0);
    give(at(0, 18, 60_000));
    expect(records.entries).toMatchObject([
      { num: 0n, den: BigInt(2 * hourMs), flags: 0 },
      { num: 0n, den: BigInt(2 * hourMs), flags: 0 },
      { num: 60_000n, den: BigInt(2 * hourMs) },
    ]);
  });

  it('counts from the last contribution that was evaluated in it', () => {
    const { records, give } = laneOf([evening]);
    expect(give(at(0, 18, 1000))).toBe(0);
    give(at(0, 18, 1500));
    expect(records.last).toMatchObject({ num: 500n, den: BigInt(2 * hourMs - 1000) });
  });

  it('pays by the first contribution at or after its end, once', () => {
    const { records, give } = laneOf([evening]);
    expect(give(at(0, 20))).toBe(1);
    expect(records.last).toMatchObject({
      num: BigInt(2 * hourMs),
      den: BigInt(2 * hourMs),
      u: 0n,
      flags: hitFlag,
    });
    expect(give(at(0, 20, 1))).toBe(0);
    expect(give(at(1, 18))).toBe(0);
    expect(give(at(1, 23))).toBe(1);
  });

  it('that nobody met is paid days later; the days between are gone', () => {
    const { give } = laneOf([evening]);
    expect(give(at(3, 10))).toBe(1);
    expect(give(at(3, 11))).toBe(0);
    expect(give(at(3, 20))).toBe(1);
    expect(give(at(3, 21))).toBe(0);
  });

  it('that it has paid early is not paid again that day', () => {
    const { lane, give } = laneOf([evening]);
    // A contribution just before the end all but hits.
    expect(give(at(0, 20, -1))).toBe(1);
    expect(give(at(0, 20))).toBe(0);
    expect(give(at(0, 23))).toBe(0);
    lane.restart();
    expect(give(at(1, 17))).toBe(0);
    expect(give(at(1, 20))).toBe(1);
  });

  it('goes on when another trigger wins the pot in it', () => {
    const { lane, records, give } = laneOf([evening, { External: {} }]);
    expect(give(at(0, 18, 1000))).toBe(0);
    expect(lane.apply(trigger).events).toMatchObject([{ kind: 'Won' }]);
    give(at(0, 18, 1500));
    expect(records.entries.at(-2)).toMatchObject({ num: 500n, den: BigInt(2 * hourMs - 1000), flags: 0 });
    expect(give(at(0, 20))).toBe(1);
  });

  it('that was paid stays paid when a new cycle has the trigger at another place', () => {
    const { lane, records, give } = laneOf([evening, { External: {} }]);
    expect(give(at(0, 20, -2))).toBe(1);
    const pot_types = [{ External: {} }, evening];
    const configuration = onePot({ pot_types, criteria: { min_contribution: '0.01' } });
    const change = { kind: 'SetParameters', instance: 'jackpot', configuration, reason: 'test' } as const;
    lane.apply({ ...change, user: 'admin', expectedVersion: null });
    expect(lane.apply(trigger).outcomes).toMatchObject([{ code: 'pot_empty' }]);
    expect(give(at(0, 20, -1))).toBe(0);
    expect(lane.apply(trigger).outcomes).toMatchObject([{ kind: 'Triggered' }]);
    expect(give(at(0, 20))).toBe(0);
    expect(records.entries.slice(-2)).toMatchObject([
      { trigger: 0, den: 0n },
      { trigger: 1, num: 0n, den: BigInt(2 * hourMs) },
    ]);
  });

  it('of a late activation is the first that ends after it', () => {
    const lane = new TestLane({ epochMs: 100 * dayMs });
    lane.nowMs = at(0, 20) - 1;
    lane.apply(...running(onePot({ pot_types: [evening], criteria: { min_contribution: '1' } })));
    const records = new Records(lane);
    lane.apply(contribution());
    expect(records.last).toMatchObject({ num: 0n, flags: 0 });
  });

  it('stands in the header of each epoch', () => {
    const { lane, give } = laneOf([evening, { External: {} }]);
    give(at(0, 18, 1000));
    give(at(0, 20));
    lane.apply(openEpoch('jackpot', 0, [3]));
    lane.nowMs = midnight + 100 * dayMs;
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    const headers = lane.engine
      .epochs('jackpot')!
      .flatMap(({ header }) => (header === '' ? [] : JSON.parse(header)));
    expect(headers.map((header) => header.pots[0].time_windows)).toEqual([
      [{ trigger: 0, end: at(0, 20), last_evaluated: null, paid_end: null }],
      [{ trigger: 0, end: at(1, 20), last_evaluated: null, paid_end: at(0, 20) }],
    ]);
  });
});

describe('an epoch Time window', () => {
  const once = { Time: { start_time: at(1, 0), end_time: at(2, 0) } };

  it('pays once and draws nothing afterwards', () => {
    const { records, give } = laneOf([once]);
    expect(give(at(0, 12))).toBe(0);
    expect(give(at(2, 5))).toBe(1);
    expect(give(at(2, 6))).toBe(0);
    expect(give(at(9, 6))).toBe(0);
    expect(records.last).toMatchObject({ v0: 0n, num: 0n, den: 0n, u: 0n, flags: 0 });
  });

  it('that ended before the activation draws nothing', () => {
    const { records, give } = laneOf([{ Time: { start_time: 0, end_time: dayMs } }]);
    expect(give(at(0, 12))).toBe(0);
    expect(records.last).toMatchObject({ den: 0n, flags: 0 });
  });
});

describe('two Time triggers of a pot', () => {
  it('pay a window each', () => {
    const noon = { Time: { start_time: 11 * hourMs, end_time: 12 * hourMs } };
    const { give } = laneOf([evening, noon]);
    expect(give(at(0, 12))).toBe(1);
    expect(give(at(0, 13))).toBe(0);
    expect(give(at(0, 20))).toBe(1);
    expect(give(at(0, 21))).toBe(0);
    expect(give(at(1, 12))).toBe(1);
  });

  it('have both paid where one contribution hits both', () => {
    const late = { Time: { start_time: 19 * hourMs, end_time: 20 * hourMs + 1 } };
    const { records, give } = laneOf([evening, late]);
    expect(give(at(0, 20))).toBe(1);
    expect(records.entries.slice(-2).map(({ flags }) => flags)).toEqual([hitFlag, hitFlag]);
    expect(give(at(0, 20, 1))).toBe(0);
  });
});

const trigger: TriggerPot = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand: 'op:main',
  player: 'p1',
  source: 's',
  user: 'u',
  idempotencyKey: null,
};
