import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type { TriggerPot } from '../../../src/messages/instance-commands.ts';
import { contribution, openEpoch, running, seedOf, setStatus } from '../support/commands.ts';
import { hitFlag, Records } from '../support/entries.ts';
import { startMs, TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';
import { pair, switchModel } from '../support/switching.ts';

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

  it('goes on from the beginning of the cycle when another trigger wins the pot in it', () => {
    const { lane, records, give } = laneOf([evening, { External: {} }]);
    expect(give(at(0, 18, 1000))).toBe(0);
    lane.nowMs = at(0, 18, 1399);
    expect(lane.apply(trigger).events).toMatchObject([{ kind: 'Won' }]);
    give(at(0, 18, 1500));
    expect(records.entries.at(-2)).toMatchObject({ num: 100n, den: BigInt(2 * hourMs - 1400), flags: 0 });
    expect(give(at(0, 20))).toBe(1);
  });

  it('that was paid stays paid when a new cycle has the trigger at another place', () => {
    const { lane, records, give } = laneOf([evening, { External: {} }]);
    expect(give(at(0, 20, -2))).toBe(1);
    lane.apply(parameters([{ External: {} }, evening]));
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

  it('counts from an activation in it', () => {
    const lane = new TestLane();
    lane.nowMs = at(0, 19) - 1;
    lane.apply(...running(onePot({ pot_types: [evening], criteria: { min_contribution: '0.01' } })));
    const records = new Records(lane);
    lane.nowMs = at(0, 19, 7999);
    lane.apply(contribution());
    expect(records.last).toMatchObject({ num: 8000n, den: BigInt(hourMs) });
  });

  it('counts from the activation of an instance that a model switch leads to', () => {
    const lane = new TestLane();
    lane.nowMs = midnight;
    pair(lane, onePot({ pot_types: [evening], criteria: { min_contribution: '0.01' } }));
    lane.nowMs = at(0, 19) - 1;
    lane.apply(switchModel(), setStatus('Active', 'next'));
    const records = new Records(lane);
    lane.nowMs = at(0, 19, 7999);
    lane.apply(contribution({ target: { type: 'instance', id: 'next' } }));
    expect(records.last).toMatchObject({ num: 8000n, den: BigInt(hourMs) });
  });

  it('counts from a change of parameters that opens it, for the cycle that they begin with', () => {
    const { lane, records, give } = laneOf([{ External: {} }]);
    lane.apply(parameters([evening, { External: {} }]));
    lane.apply(reveal);
    give(at(0, 18, 60_000));
    lane.nowMs = at(0, 19) - 1;
    lane.apply(trigger);
    give(at(0, 19, 8000));
    expect(records.entries.at(-2)).toMatchObject({ num: 8000n, den: BigInt(hourMs) });
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

describe('a Time window in which the instance was paused', () => {
  it('counts from the last resume, by which a contribution of the same moment misses', () => {
    const { lane, records, give } = laneOf([evening]);
    expect(give(at(0, 18, 1000))).toBe(0);
    lane.apply(setStatus('Paused'));
    lane.nowMs = at(0, 18, 30 * 60_000);
    lane.apply(setStatus('Active'), setStatus('Paused'));
    lane.nowMs = at(0, 19) - 1;
    lane.apply(setStatus('Active'), contribution());
    expect(records.last).toMatchObject({ num: 0n, den: BigInt(hourMs), flags: 0 });
    lane.restart();
    give(at(0, 19, 500));
    expect(records.last).toMatchObject({ num: 500n, den: BigInt(hourMs) });
  });

  it('counts from the resume of an instance that had suspended itself', () => {
    const lane = new TestLane({ epochMs: hourMs });
    lane.nowMs = at(0, 17);
    lane.apply(...running(onePot({ pot_types: [evening], criteria: { min_contribution: '0.01' } })));
    const records = new Records(lane);
    // The first epoch ends, and nobody reveals it in time.
    lane.nowMs = at(0, 18, 60_000);
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    lane.nowMs = at(0, 18, 180_000);
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    lane.nowMs = at(0, 19) - 1;
    expect(lane.engine.describe('jackpot')).toMatchObject({ status: 'Paused' });
    lane.apply(reveal, setStatus('Active'));
    lane.nowMs = at(0, 19, 499);
    lane.apply(contribution());
    expect(records.last).toMatchObject({ num: 500n, den: BigInt(hourMs) });
  });

  it('is paid by the first contribution behind its end, also if it passed in the pause', () => {
    const { lane, records, give } = laneOf([evening]);
    lane.nowMs = at(0, 19);
    lane.apply(setStatus('Paused'));
    lane.nowMs = at(0, 21);
    lane.apply(setStatus('Active'));
    expect(give(at(0, 21, 5000))).toBe(1);
    expect(records.last).toMatchObject({ num: 5000n - 1n, den: 0n, u: 0n, flags: hitFlag });
    expect(give(at(0, 21, 6000))).toBe(0);
  });

  it('does not count from a resume before it', () => {
    const { lane, records, give } = laneOf([evening]);
    lane.apply(setStatus('Paused'));
    lane.nowMs = at(0, 12);
    lane.apply(setStatus('Active'));
    give(at(0, 18, 1000));
    expect(records.last).toMatchObject({ num: 1000n, den: BigInt(2 * hourMs) });
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

  it('counts from an activation in it', () => {
    const { records, give } = laneOf([{ Time: { start_time: at(-30, 0), end_time: at(30, 0) } }]);
    give(at(0, 0, 8000));
    expect(records.last).toMatchObject({ num: 8000n, den: BigInt(30 * dayMs) });
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

const reveal: Command = {
  kind: 'RevealEpoch',
  instance: 'jackpot',
  epoch: 0,
  seed: seedOf('jackpot', 0),
};

function parameters(pot_types: readonly object[]): Command {
  const configuration = onePot({ pot_types, criteria: { min_contribution: '0.01' } });
  const change = { kind: 'SetParameters', instance: 'jackpot', configuration, reason: 'test' } as const;
  return { ...change, user: 'admin', expectedVersion: null };
}

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
