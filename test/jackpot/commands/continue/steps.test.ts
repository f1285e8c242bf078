import { describe, expect, it } from 'vitest';
import type { MessageOutcome } from '../../../../src/jackpot/lane/lane.ts';
import { encodeOutcomeRecord } from '../../../../src/messages/codec/codec.ts';
import type { Command } from '../../../../src/messages/commands.ts';
import type { Continue } from '../../../../src/messages/lane-commands.ts';
import { brand, contribution, createInstance, running } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { minuteMs, raffle, ticketsOf } from '../../support/raffle.ts';
import { onePot } from '../../support/scenario.ts';

const maxMessageBytes = 256 * 1024;
const tick = { kind: 'Tick', instance: 'jackpot' } as const;

function contribute(lane: TestLane, players: readonly string[]): void {
  for (let i = 0; i < players.length; i += 250) {
    lane.apply(...players.slice(i, i + 250).map((player) => contribution({ player })));
  }
}

function bytesOf(message: MessageOutcome): number {
  return encodeOutcomeRecord({ ...message, laneHead: new Uint8Array(32) } as never).length;
}

/** Writes Continue after Continue; each step begins in a lane that was restored from a snapshot. */
function* steps(lane: TestLane): Iterable<MessageOutcome> {
  for (let [job] = lane.engine.jobs(); job !== undefined; [job] = lane.engine.jobs()) {
    lane.restart();
    yield lane.apply({ kind: 'Continue', job: job.job, step: job.step });
  }
}

describe('the end of a large round', () => {
  it('is done in steps that a record holds, whatever the players are called, across restarts', () => {
    const lane = new TestLane();
    const rules = {
      allocation_mode: 'Deferred',
      prize_distribution: [{ prize_percentage: '0.9', number_of_winners: 1000 }],
    };
    lane.apply(...running(raffle(rules)));
    const players = Array.from({ length: 1200 }, (_, i) => `${i}-`.padEnd(128, '語'));
    contribute(lane, players);
    lane.nowMs += minuteMs;
    const messages = [lane.apply(tick), ...steps(lane)];
    expect(messages.length).toBeGreaterThan(5);
    for (const message of messages) expect(bytesOf(message)).toBeLessThan(maxMessageBytes / 2 + 65_536);
    const events = messages.flatMap((message) => message.events);
    const awarded = events.filter((event) => event.kind === 'TicketsAwarded');
    expect(awarded.map((event) => event.first)).toEqual(players.map((_, i) => i + 1));
    const won = events.filter((event) => event.kind === 'RaffleWon');
    expect(won.flatMap((event) => event.winners)).toHaveLength(1000);
    const counters = events.flatMap((event) => ('counter' in event ? [event.counter] : []));
    expect(counters).toEqual(counters.map((_, i) => counters[0]! + i));
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Active');
    expect(lane.replayed().liveValues('jackpot')).toEqual(lane.engine.liveValues('jackpot'));
    expect(ticketsOf(lane)).toEqual([]);
  });

  it('shows Deferred tickets as soon as they have their numbers', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle({ allocation_mode: 'Deferred' })));
    contribute(
      lane,
      Array.from({ length: 1100 }, (_, i) => `player-${i}`),
    );
    lane.nowMs += minuteMs;
    lane.apply(tick);
    expect(ticketsOf(lane, 'player-1')).toMatchObject([{ ticketCount: 1 }]);
    expect(ticketsOf(lane, 'player-1099')).toMatchObject([{ ticketCount: 0 }]);
  });

  it('takes each step once, in order', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle({ allocation_mode: 'Deferred' })));
    contribute(
      lane,
      Array.from({ length: 1100 }, (_, i) => `player-${i}`),
    );
    lane.nowMs += minuteMs;
    lane.apply(tick);
    const step = (number: number): Continue => ({ kind: 'Continue', job: 'raffle/jackpot', step: number });
    const before = lane.engine.liveValues('jackpot');
    for (const wrong of [
      step(0),
      step(2),
      { ...step(1), job: 'raffle/other' },
      { ...step(1), job: 'nothing' },
    ]) {
      expect(lane.apply(wrong).outcomes).toMatchObject([{ code: 'invalid_parameter' }]);
    }
    expect(lane.engine.liveValues('jackpot')).toEqual(before);
    expect(lane.apply(step(1), step(1)).outcomes).toMatchObject([
      { kind: 'Done' },
      { code: 'invalid_parameter' },
    ]);
  });
});

describe('a bulk opt-in', () => {
  const row = (player: string, changes = {}) => ({
    instance: 'jackpot',
    brand,
    player,
    currency: '',
    optIn: true,
    ...changes,
  });
  const bulk = (job: string, rows: readonly ReturnType<typeof row>[]): Command => ({
    kind: 'BulkOptIn',
    job,
    rows,
    user: 'admin',
  });

  it('is done at once where it is small, refusals named by row', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot()));
    const { outcomes, events } = lane.apply(
      bulk('a', [
        row('p1'),
        row('p2', { instance: 'x' }),
        row('p3', { brand: 'op:none' }),
        row('p1', { optIn: false }),
      ]),
    );
    expect(outcomes).toEqual([
      {
        kind: 'BulkOptedIn',
        remaining: 0,
        errors: [
          { row: 1, code: 'instance_not_found', message: '' },
          { row: 2, code: 'brand_not_found', message: 'the brand is not known to the lane yet' },
        ],
      },
    ]);
    expect(events).toMatchObject([{ kind: 'OptInChanged' }, { kind: 'OptInChanged' }]);
    expect(lane.engine.optInStatus('jackpot', brand, 'p1')?.optedIn).toBe(false);
  });

  it('of many rows goes on step by step, over several instances, across restarts', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot()), createInstance(onePot(), { instance: 'next' }));
    const rows = Array.from({ length: 5000 }, (_, i) =>
      row(`player-${i}`, {
        instance: i % 2 === 0 ? 'jackpot' : 'next',
        ...(i % 1000 === 7 ? { brand: 'op:none' } : {}),
      }),
    );
    const first = lane.apply(bulk('b', rows));
    expect(first.outcomes).toMatchObject([{ kind: 'BulkOptedIn' }]);
    const messages = [first, ...steps(lane)];
    expect(messages.length).toBeGreaterThan(9);
    for (const message of messages) expect(bytesOf(message)).toBeLessThan(maxMessageBytes);
    expect(lane.engine.bulkOptIn('b', 0)).toMatchObject({
      remaining: 0,
      errors: [7, 1007, 2007, 3007, 4007].map((each) => ({ row: each })),
    });
    expect(lane.engine.bulkOptIn('b', 3)?.errors).toHaveLength(2);
    expect(lane.engine.bulkOptIn('c', 0)).toBeNull();
    expect(lane.engine.optIns('jackpot', true, 0, 5000)).toHaveLength(2500);
    expect(lane.apply(bulk('b', rows)).outcomes).toMatchObject([{ kind: 'BulkOptedIn', remaining: 0 }]);
  });

  it('has limits', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot()));
    const many = Array.from({ length: 50_001 }, () => row('p1'));
    expect(lane.apply(bulk('a', many)).outcomes).toMatchObject([{ code: 'invalid_parameter' }]);
    expect(lane.apply(bulk('', [row('p1')])).outcomes).toMatchObject([{ code: 'invalid_parameter' }]);
    for (let job = 0; job < 128; job++) lane.apply(bulk(`job-${job}`, many.slice(0, 600)));
    expect(lane.apply(bulk('one more', [row('p1')])).outcomes).toMatchObject([{ code: 'overloaded' }]);
  });
});
