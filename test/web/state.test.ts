import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../client/src/index.ts';
import type { Session } from '../../web/src/session/shapes.ts';
import { type FeedMessage, messageOf } from '../../web/src/state/messages.ts';
import { evolve, initialState, type PageState } from '../../web/src/state/state.ts';

const startMs = 1_700_000_000_000;

describe('the state of the page', () => {
  it('counts what flows in, also across a win that empties the pot', () => {
    const state = feed([update(1, '10'), update(2, '11'), update(3, '2'), update(4, '2.5')]);
    expect(state.jackpots.get('a')?.history.at(-1)?.inflowAtoms).toBe(150_000_000n);
  });

  it('celebrates a fresh win once and lists it', () => {
    const state = feed([win(1, startMs), win(1, startMs)]);
    expect(state.winners).toHaveLength(1);
    expect(state.celebrated).not.toBeNull();
    expect(evolve(state, { kind: 'celebration over' }).celebrated).toBeNull();
  });

  it('lists a recovered win without celebrating it, newest first', () => {
    const state = feed([win(2, startMs), win(1, startMs - 60_000)]);
    expect(state.winners.map((won) => won.timestampMs)).toEqual([startMs, startMs - 60_000]);
    expect(state.celebrated?.timestampMs).toBe(startMs);
    expect(feed([win(1, startMs - 60_000)]).celebrated).toBeNull();
  });

  it('takes the earlier winners from the session, each once', () => {
    const state = evolve(feed([win(3, startMs)]), {
      kind: 'session',
      session: sessionWith([startMs, startMs - 9000]),
    });
    expect(state.winners.map((won) => won.timestampMs)).toEqual([startMs, startMs - 9000]);
  });

  it('shows another player nothing of the one before but the winners that the session named', () => {
    const session = sessionWith([startMs - 9000]);
    const before = evolve(feed([update(1, '10'), win(2, startMs)]), { kind: 'session', session });
    const after = evolve(before, { kind: 'player changed' });
    expect(after.jackpots.size).toBe(0);
    expect(after.winners.map((won) => won.timestampMs)).toEqual([startMs - 9000]);
  });

  it('knows what the player joined and how many tickets there are', () => {
    const state = feed([
      frame('OptInEvent', 1, startMs, { opted_in: true }),
      frame('RaffleTicketEvent', 2, startMs, { ticket_count: 7 }),
    ]);
    expect(state.optIns.get('a')).toBe(true);
    expect(state.tickets.get('a')).toBe(7);
  });

  it('shows nothing of events of other platforms', () => {
    const foreign = { ...win(1, startMs), source: 'campaign' } as unknown as FeedEvent;
    expect(messageOf(foreign)).toBeNull();
  });
});

function feed(events: readonly FeedEvent[]): PageState {
  let state = initialState;
  for (const event of events) {
    const message = messageOf(event) as FeedMessage;
    state = evolve(state, { kind: 'feed', message, nowMs: startMs });
  }
  return state;
}

function sessionWith(timestamps: readonly number[]): Session {
  return {
    operator_id: 'demo',
    brands: [],
    players: [],
    sources: [],
    jackpots: [],
    winners: timestamps.map((timestamp) => ({
      shown: [],
      instance_id: 'a',
      win_pot_id: 'main',
      win_amount: 12.34,
      jackpot_currency: 'EUR',
      player_id: 'an***',
      timestamp,
      brand_id: 'demo:main',
    })),
  };
}

function update(seq: number, value: string): FeedEvent {
  return frame('JackpotUpdate', seq, startMs, {
    currency: 'EUR',
    status: 'Active',
    pots: [{ id: 'main', is_progressive: true, current_value: value, community_split: '0' }],
    allowed_sources: ['slot-1'],
    head: 'ab',
    epoch: 0,
  });
}

function win(seq: number, timestamp: number): FeedEvent {
  return frame('WinEvent', seq, timestamp, {
    win_pot_id: 'main',
    win_amount: '12.34',
    currency: 'EUR',
    player_id: 'anna',
    instance_count: seq,
  });
}

function frame(event_type: string, seq: number, timestamp: number, data: object): FeedEvent {
  const envelope = {
    msg_type: 'Event',
    source: 'jackpot',
    event_type,
    instance_id: 'a',
    seq,
    timestamp,
    data,
  };
  return { ...envelope, operator_id: 'demo', brand_id: 'demo:main', player_id: null } as FeedEvent;
}
