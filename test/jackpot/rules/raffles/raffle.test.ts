import { describe, expect, it } from 'vitest';
import {
  atoms,
  brand,
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
  setStatus,
} from '../../support/commands.ts';
import { startMs, TestLane } from '../../support/lane.ts';
import { drive, minuteMs, raffle, ticketsOf } from '../../support/raffle.ts';

describe('tickets of a raffle', () => {
  it('are numbered in the order of contributions; what is left counts towards the next', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle({ cost_per_ticket: '0.4' })));
    const { outcomes, events } = lane.apply(contribution(), contribution({ player: 'p2' }), contribution());
    expect(outcomes).toMatchObject([
      { results: [{ tickets: 2 }] },
      { results: [{ tickets: 2 }] },
      { results: [{ tickets: 3 }] },
    ]);
    expect(events.filter((event) => event.kind === 'TicketsAwarded')).toMatchObject([
      { first: 1, count: 2, record: { player: 'p1', ticketCount: 2, accumulatedAtoms: atoms('0.2') } },
      { first: 3, count: 2, record: { player: 'p2', ticketCount: 2 } },
      { first: 5, count: 3, record: { player: 'p1', ticketCount: 5, accumulatedAtoms: 0n } },
    ]);
    expect(ticketsOf(lane, 'p2')).toEqual([
      {
        instance: 'jackpot',
        brand,
        player: 'p2',
        ticketCount: 2,
        accumulatedAtoms: atoms('0.2'),
        startMs: startMs + 1,
        endMs: startMs + 1 + minuteMs,
      },
    ]);
  });

  it('cost what the player wagers where cost_source is BaseWager', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle({ cost_source: 'BaseWager', cost_per_ticket: '5' })));
    const { outcomes } = lane.apply(contribution({ baseWagerAtoms: atoms('12.5') }));
    expect(outcomes).toMatchObject([{ results: [{ tickets: 2 }] }]);
    expect(ticketsOf(lane)).toMatchObject([{ ticketCount: 2, accumulatedAtoms: atoms('2.5') }]);
  });

  it('of a Deferred round are none until its end, then go player by player', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle({ allocation_mode: 'Deferred' })));
    const { outcomes, events } = lane.apply(contribution(), contribution({ player: 'p2' }), contribution());
    expect(outcomes).toMatchObject(outcomes.map(() => ({ results: [{ tickets: 0 }] })));
    expect(events).toEqual([]);
    expect(ticketsOf(lane)).toMatchObject([{ ticketCount: 0 }, { ticketCount: 0 }]);
    lane.nowMs += minuteMs;
    expect(drive(lane).filter((event) => event.kind === 'TicketsAwarded')).toMatchObject([
      { first: 1, count: 2, record: { player: 'p1', ticketCount: 2 } },
      { first: 3, count: 1, record: { player: 'p2', ticketCount: 1 } },
    ]);
  });
});

describe('the end of a round', () => {
  it('pays the prizes, carries the rest, reseeds, and the next round begins where it ended', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle()));
    lane.apply(contribution(), contribution({ player: 'p2' }), contribution());
    lane.nowMs += minuteMs;
    const events = drive(lane);
    expect(events.filter(({ kind }) => kind === 'StatusChanged')).toMatchObject([
      { status: 'Resolving' },
      { status: 'Active' },
    ]);
    const [won] = events.filter((event) => event.kind === 'RaffleWon');
    expect(won).toMatchObject({ round: 1, tickets: 3, winners: [{ tier: 0, amountAtoms: atoms('1.5') }] });
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('1.5'), 'main.carry': 0n });
    expect(lane.total()).toBe(0n);
    expect(lane.engine.winners('jackpot', '', '', 50)).toHaveLength(1);
    expect(ticketsOf(lane)).toEqual([]);
    expect(lane.engine.describe('jackpot')).toMatchObject({ status: 'Active', pots: [{ instanceCount: 2 }] });
    lane.apply(contribution());
    expect(ticketsOf(lane)).toMatchObject([{ ticketCount: 1, startMs: startMs + 1 + minuteMs }]);
  });

  it('without a ticket leaves the pot as it is', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle({ cost_per_ticket: '10' })));
    lane.apply(contribution());
    lane.nowMs += minuteMs;
    expect(drive(lane).filter(({ kind }) => kind === 'RaffleWon')).toEqual([]);
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('1') });
    expect(lane.engine.describe('jackpot')).toMatchObject({ status: 'Active', pots: [{ instanceCount: 1 }] });
  });

  it('is not drawn by a contribution that comes late', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle()));
    lane.nowMs += minuteMs;
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
  });
});

describe('the last round', () => {
  it('gives everything to those drawn, pro rata, and the instance is completed by a request', () => {
    const lane = new TestLane();
    const rules = raffle({
      prize_distribution: [
        { prize_percentage: '0.3', number_of_winners: 1 },
        { prize_percentage: '0.1', number_of_winners: 1 },
      ],
    });
    lane.apply(
      setBrand(),
      createInstance(rules, { timestampEndMs: startMs + 30_000 }),
      openEpoch('jackpot', 0, [0, 1, 2]),
      setStatus('Active'),
    );
    lane.apply(contribution(), contribution(), contribution(), contribution());
    lane.nowMs += minuteMs;
    const [won] = drive(lane).filter((event) => event.kind === 'RaffleWon');
    expect(won).toMatchObject({ winners: [{ amountAtoms: atoms('3') }, { amountAtoms: atoms('1') }] });
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Resolving');
    expect(lane.apply(setStatus('Completed')).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Completed');
    expect(lane.total()).toBe(0n);
  });
});

describe('ticket records', () => {
  it('are paged in the order of appearance or the other way round, of one brand or of all', () => {
    const lane = new TestLane();
    lane.apply(setBrand({ brand: 'op:other' }), ...running(raffle()));
    const players = Array.from({ length: 20 }, (_, i) => `p${i}`);
    lane.apply(
      ...players.map((player, i) => contribution({ player, brand: i % 4 === 3 ? 'op:other' : brand })),
    );
    const ask = (question = {}) =>
      lane.engine
        .tickets({
          instance: 'jackpot',
          brand: '',
          player: '',
          newestFirst: false,
          offset: 0,
          limit: 500,
          ...question,
        })
        ?.map((record) => record.player);
    expect(ask()).toEqual(players);
    expect(ask({ newestFirst: true, limit: 3 })).toEqual(['p19', 'p18', 'p17']);
    expect(ask({ offset: 5, limit: 2 })).toEqual(['p5', 'p6']);
    expect(ask({ brand: 'op:other', offset: 1, limit: 2 })).toEqual(['p7', 'p11']);
    expect(ask({ brand: 'op:none' })).toEqual([]);
    expect([ask({ player: 'p3', brand: 'op:other' }), ask({ player: 'p3', brand })]).toEqual([['p3'], []]);
    expect(ask({ instance: 'none' })).toBeUndefined();
  });

  it('of a player name every active raffle', () => {
    const lane = new TestLane();
    lane.apply(
      ...running(raffle()),
      ...running(raffle(), 'other').slice(1),
      ...running(raffle(), 'third').slice(1),
    );
    const instances = ['jackpot', 'other', 'third'];
    lane.apply(...instances.map((id) => contribution({ target: { type: 'instance', id } })));
    lane.apply(setStatus('Paused', 'other'));
    const found = lane.engine.playerTickets(brand, 'p1', 50).map((record) => record.instance);
    expect(found).toEqual(['jackpot', 'third']);
    expect(lane.engine.playerTickets(brand, 'p2', 50)).toEqual([]);
    expect(lane.engine.playerTickets(brand, 'p1', 1)).toHaveLength(1);
  });
});
