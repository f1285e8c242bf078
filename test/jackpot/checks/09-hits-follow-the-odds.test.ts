import { describe, expect, it } from 'vitest';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { atoms, contribution, openEpoch, running } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { patienceMs, saw, scaled } from './scale.ts';
import { chiSquare, chiSquare99, entriesOf } from './support.ts';

const batchCommands = 200;
/** A contribution moves the must-hit pot by so much of its way from 10 to 20; a drop lies anywhere in its step. */
const stepMs = 0.025;
const dayMs = 86_400_000;
const ticksPerDay = 60;

/**
 * Proves: on the real path (engine, JPD1 streams) hits come as often, and as evenly, as the rules promise.
 * In whole: 400,000 contributions a stake, 40,000 drops by value and 10,000 by time, 60,000 shares of wins, 20,000 rounds.
 */
describe('check 9: hits against exact p, chi-square at 99 %', () => {
  it('HitRate at stakes of 1×, 7× and 100×', { timeout: patienceMs }, () => {
    const stakes = [1, 7, 100];
    const N = 2000;
    const each = scaled(15_000, 400_000);
    const hits = stakes.map((stake, run) => countHits(`${stake}`, each, N, run));
    saw('check 9, HitRate', { contributions: each * stakes.length, hits: hits.reduce((a, b) => a + b, 0) });
    const observed = stakes.flatMap((_, i) => [hits[i]!, each - hits[i]!]);
    const expected = stakes.flatMap((stake) => [(each * stake) / N, each - (each * stake) / N]);
    expect(chiSquare(observed, expected), `hits: ${hits.join(', ')}`).toBeLessThan(chiSquare99[3]!);
  });

  it('a must-hit pot drops evenly between its minimum and its maximum', { timeout: patienceMs }, () => {
    const values = dropValues(scaled(1000, 40_000));
    saw('check 9, Threshold', { drops: values.length });
    const counts = evenBins(values.map((value) => (Number(value) / 1e8 - 10 - stepMs / 2) / 10));
    const even = counts.map(() => values.length / counts.length);
    expect(chiSquare(counts, even), counts.join()).toBeLessThan(chiSquare99[9]!);
  });

  it('a timed pot drops evenly over its window', { timeout: patienceMs }, () => {
    const moments = dropMoments(scaled(400, 10_000));
    saw('check 9, Time', { drops: moments.length });
    const counts = evenBins(moments);
    const even = counts.map(() => moments.length / counts.length);
    expect(chiSquare(counts, even), counts.join()).toBeLessThan(chiSquare99[9]!);
  });

  it('a share for active players falls to each of them alike', { timeout: patienceMs }, () => {
    const wins = scaled(1500, 60_000);
    const counts = communityPicks(wins);
    saw('check 9, ActivePlayers', { wins });
    const even = counts.map(() => counts.reduce((a, b) => a + b, 0) / counts.length);
    expect(chiSquare(counts, even), counts.join()).toBeLessThan(chiSquare99[9]!);
  });

  it('a raffle draws every ticket alike', { timeout: patienceMs }, () => {
    const rounds = scaled(500, 20_000);
    const counts = raffleWinners(rounds);
    saw('check 9, raffle', { rounds, contributions: 10 * rounds });
    const even = counts.map(() => counts.reduce((a, b) => a + b, 0) / counts.length);
    expect(chiSquare(counts, even), counts.join()).toBeLessThan(chiSquare99[9]!);
  });
});

const ten = Array.from({ length: 10 }, (_, index) => `p${index}`);

/** How often each of ten players got the share of a win that an eleventh wins again and again. */
function communityPicks(wins: number): number[] {
  const lane = new TestLane();
  const sure = { HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } };
  const rule = { ActivePlayers: { period_before_win: 1_000_000_000_000, max_number_of_payouts: 1 } };
  const payout = {
    main_winner_percentage: '0.5',
    payout_rules: [{ payout_percentage: '0.5', rule }],
  };
  const seeds = { seed_strategy: { initial_seed_value: '1', min_reseed_value: '1' } };
  lane.apply(...running(configuration({ ...seeds, payout_ruleset: payout, pot_types: [sure] })));
  lane.apply(...ten.map((player) => contribution({ player, baseWagerAtoms: 0n })));
  const counts = ten.map(() => 0);
  for (let done = 0; done < wins; done += batchCommands) {
    const winner = batch('1', done, Math.min(batchCommands, wins - done)).map((each) => ({
      ...each,
      player: 'winner',
    }));
    for (const event of lane.apply(...winner).events) {
      if (event.kind === 'Won') for (const { player } of event.community) counts[ten.indexOf(player)]! += 1;
    }
    keepSeeds(lane);
  }
  return counts;
}

/** How often each of ten players with a ticket a round won it. */
function raffleWinners(rounds: number): number[] {
  const lane = new TestLane();
  const rules = {
    cost_per_ticket: '0.1',
    duration: { Minutes: 1 },
    prize_distribution: [{ prize_percentage: '1', number_of_winners: 1 }],
  };
  const raffle = { ...configuration({}), jackpot_type: 'Raffle', raffle_rules: rules };
  lane.apply(...running(raffle));
  const counts = ten.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    lane.apply(...batch('1', round, 10).map((each, index) => ({ ...each, player: ten[index]! })));
    lane.nowMs += 60_000;
    for (const event of lane.apply({ kind: 'Tick', instance: 'jackpot' }).events) {
      if (event.kind === 'RaffleWon')
        for (const { player } of event.winners) counts[ten.indexOf(player)]! += 1;
    }
    keepSeeds(lane);
  }
  return counts;
}

function configuration(pot: Readonly<Record<string, unknown>>): InstanceConfigurationDocument {
  return {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    contribution_rules: { contribution_type: { Percentage: '0.1' } },
    pots: [{ id: 'pot', contribution: { Percentage: '1' }, ...pot }],
  };
}

function countHits(wager: string, contributions: number, N: number, run: number): number {
  const lane = new TestLane();
  const hitRate = { HitRate: { max_magic_number: N, cost_per_attempt: '0.1' } };
  lane.apply(...running(configuration({ pot_types: [hitRate] }), 'jackpot', run));
  let hits = 0;
  for (let done = 0; done < contributions; done += batchCommands) {
    const { events } = lane.apply(...batch(wager, done, Math.min(batchCommands, contributions - done)));
    hits += events.filter(({ kind }) => kind === 'Won').length;
    keepSeeds(lane);
  }
  return hits;
}

/** The values at which a pot that must hit between 10 and 20 did hit. */
function dropValues(wins: number): readonly bigint[] {
  const lane = new TestLane();
  const seeds = { initial_seed_value: '10', min_reseed_value: '10' };
  const threshold = { Threshold: { min_value: '10', max_value: '20' } };
  lane.apply(...running(configuration({ seed_strategy: seeds, pot_types: [threshold] })));
  const values: bigint[] = [];
  lane.recorder = {
    group: (group) =>
      values.push(...entriesOf(group).flatMap(({ flags, v1 }) => ((flags & 1) !== 0 ? [v1] : []))),
  };
  for (let message = 0; values.length < wins; message++) {
    lane.apply(...batch('0.25', message * batchCommands, batchCommands));
    keepSeeds(lane);
  }
  return values.slice(0, wins);
}

/** Where in their windows of a day, from 0 to 1, a timed pot dropped. */
function dropMoments(wins: number): readonly number[] {
  const lane = new TestLane();
  const time = { Time: { start_time: 0, end_time: dayMs - 1 } };
  const pot = { criteria: { min_contribution: '0.01' }, pot_types: [time] };
  const seeds = { seed_strategy: { initial_seed_value: '1', min_reseed_value: '1' } };
  const tickMs = dayMs / ticksPerDay;
  lane.nowMs = Math.ceil(lane.nowMs / dayMs) * dayMs;
  lane.apply(...running(configuration({ ...pot, ...seeds })));
  const moments: number[] = [];
  lane.recorder = {
    group: (group) => {
      for (const { flags, num, den, timestampMs } of entriesOf(group)) {
        if ((flags & 1) === 0) continue;
        const endMs = timestampMs + Number(den - num);
        moments.push((timestampMs - endMs + dayMs - tickMs / 2) / dayMs);
      }
    },
  };
  for (let tick = 1; moments.length < wins; tick++) {
    lane.nowMs = (Math.floor(lane.nowMs / tickMs) + 1) * tickMs;
    lane.apply(...batch('0.5', tick, 1));
    keepSeeds(lane);
  }
  return moments;
}

function batch(wager: string, from: number, count: number): readonly Contribute[] {
  return Array.from({ length: count }, (_, index) => {
    const contributionId = new Uint8Array(16);
    new DataView(contributionId.buffer).setUint32(0, from + index);
    return contribution({ contributionId, player: `p${index % 7}`, baseWagerAtoms: atoms(wager) });
  });
}

function keepSeeds(lane: TestLane): void {
  for (const { instance, open, reveal } of lane.engine.epochTasks()) {
    if (open !== null) lane.apply(openEpoch(instance, open.epoch, open.commit));
    for (const { epoch, sealed } of reveal)
      lane.apply({ kind: 'RevealEpoch', instance, epoch, seed: sealed });
  }
}

function evenBins(parts: readonly number[]): readonly number[] {
  const counts = new Array<number>(10).fill(0);
  for (const part of parts) counts[Math.min(9, Math.max(0, Math.floor(part * 10)))]! += 1;
  return counts;
}
