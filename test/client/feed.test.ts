import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  connect,
  type Feed,
  type FeedError,
  type FeedOptions,
  type FeedState,
  type Gap,
  type WinEvent,
} from '../../client/src/index.ts';
import { FeedServer, textOf, update, win } from './support/feed-server.ts';

let server: FeedServer;
let feeds: Feed[];
beforeEach(async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  server = await FeedServer.start();
  feeds = [];
});
afterEach(async () => {
  for (const feed of feeds) feed.close();
  await server.stop();
  vi.unstubAllGlobals();
});

function follow(options: Partial<FeedOptions> = {}): { feed: Feed; states: FeedState[]; wins: WinEvent[] } {
  const feed = connect({ url: server.url, brand: 'acme/main', ...options });
  feeds.push(feed);
  const states: FeedState[] = [];
  const wins: WinEvent[] = [];
  feed.on('state', (state) => states.push(state));
  feed.on('win', (won) => wins.push(won));
  return { feed, states, wins };
}

describe('a feed', () => {
  it('is live from the first value on, and has the newest of each instance', async () => {
    server.subscribed = ({ socket }) => {
      socket.send(textOf(update('a', { seq: 7, value: '1234567890123.12345678' })));
      socket.send(textOf(update('b', { seq: 1 })));
      socket.send(textOf(update('a', { seq: 8, value: '1234567890123.12345679' })));
    };
    const { feed, states } = follow();
    expect(feed.state).toBe('connecting');
    await expect
      .poll(() => feed.jackpots.get('a')?.data.pots[0]?.current_value)
      .toBe('1234567890123.12345679');
    expect(states).toEqual(['live']);
    expect([...feed.jackpots.keys()]).toEqual(['a', 'b']);
    expect(server.tries).toEqual(['/v1/public/acme/main/events']);
  });

  it('has amounts of events exactly as they were written, and leaves metadata alone', async () => {
    server.subscribed = ({ socket }) =>
      socket.send(
        win('a', 1, '98765432109876.12345678').replace(
          '"community_winners":[]',
          '"community_winners":[{"player_id":"bo***","win_amount":0.10,"currency":"EUR"}],"event_metadata":{"seed":5,"text":"\\"win_amount\\":7"}',
        ),
      );
    const { wins } = follow();
    await expect.poll(() => wins.length).toBe(1);
    expect(wins[0]).toMatchObject({
      seq: 1,
      timestamp: 1_700_000_000_000,
      data: {
        win_amount: '98765432109876.12345678',
        community_winners: [{ win_amount: '0.10' }],
        event_metadata: { seed: 5, text: '"win_amount":7' },
      },
    });
  });

  it('takes a new ticket for each try, and asks for what it has missed', async () => {
    const asked: unknown[] = [];
    server.subscribed = ({ socket, subscriptions }) => {
      asked.push(subscriptions[0]?.since);
      socket.send(textOf(update('a', { seq: 7, event_seq: 3 })));
      if (asked.length === 1) {
        socket.send(win('a', 4, '1'));
        setImmediate(() => socket.close(1001, 'shutdown'));
      } else {
        // A fan-out may send again what came before.
        socket.send(win('a', 4, '1'));
        socket.send(win('a', 5, '2'));
      }
    };
    let tickets = 0;
    const { wins } = follow({ ticket: async () => `t${++tickets}` });
    await expect.poll(() => wins.map((won) => won.seq)).toEqual([4, 5]);
    expect(server.tries).toEqual(['/events/acme/main?ticket=t1', '/events/acme/main?ticket=t2']);
    expect(asked).toEqual([{}, { a: 4 }]);
  });

  it('asks for what was missed only of the instances that it follows, as far as a message has room', async () => {
    const ids = Array.from(
      { length: 200 },
      (_, index) => `0000000a-0000-4000-8000-${String(index).padStart(12, '0')}`,
    );
    const asked: number[] = [];
    server.subscribed = ({ socket, subscriptions, bytes }) => {
      asked.push(Object.keys(subscriptions[0]?.since ?? {}).length);
      expect(bytes).toBeLessThanOrEqual(4_096);
      for (const id of ids) socket.send(textOf(update(id, { seq: 1, event_seq: 1_000_000 })));
      if (asked.length === 1) setImmediate(() => socket.close(1001, 'shutdown'));
    };
    const { feed } = follow();
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[0]).toBe(0);
    expect(asked[1]).toBeGreaterThan(60);
    expect(feed.jackpots.size).toBe(200);
  });

  it('reads the winners over HTTP where the feed has forgotten events, each win once', async () => {
    const hourMs = 3_600_000;
    const startMs = 1_700_000_000_000;
    server.subscribed = ({ socket }) => {
      if (server.tries.length === 1) {
        socket.send(textOf(update('a', { seq: 7, event_seq: 3, timestamp: startMs })));
        socket.send(win('a', 4, '1', startMs));
        setImmediate(() => socket.close(1001, 'shutdown'));
      } else
        socket.send(
          textOf(update('a', { seq: 9, event_seq: 6, recovered: false, timestamp: startMs + hourMs })),
        );
    };
    server.answer = ({ url }, response) => {
      asked = url;
      const winner = (win_amount: string, timestamp: number, player_id = 'an***') =>
        `{"instance_id":"a","win_pot_id":"main","win_amount":${win_amount},"jackpot_currency":"EUR","player_id":"${player_id}","timestamp":${timestamp}}`;
      response.end(
        `[${[
          winner('98765432109876.12345678', startMs + 2_000),
          winner('0.50', startMs + 2_000, 'bo***'),
          winner('7', startMs + 1_000),
          winner('1', startMs),
          winner('3', startMs - hourMs),
        ]}]`,
      );
    };
    let asked: string | undefined;
    const gaps: Gap[] = [];
    const { feed, wins } = follow();
    feed.on('gap', (gap) => gaps.push(gap));
    await expect.poll(() => gaps.length).toBe(1);
    expect(asked).toBe('/v1/jackpot/instances/a/winners?brand_id=acme%3Amain&limit=100');
    expect(wins.map(({ data }) => data.win_amount)).toEqual(['1', '7', '98765432109876.12345678']);
    expect(wins[2]?.data.community_winners).toEqual([
      { player_id: 'bo***', win_amount: '0.50', currency: 'EUR' },
    ]);
    expect(gaps[0]).toMatchObject({ instance: 'a', wins: [{ seq: 0 }, { seq: 0 }] });
  });

  it('says so where wins of a gap cannot be read, and lets the page read them itself', async () => {
    server.subscribed = ({ socket }) => {
      socket.send(
        textOf(
          update('a', { seq: server.tries.length, event_seq: server.tries.length * 10, recovered: false }),
        ),
      );
      if (server.tries.length < 3) setImmediate(() => socket.close(1001, 'shutdown'));
    };
    const refused = follow();
    const gaps: Gap[] = [];
    const errors: FeedError[] = [];
    refused.feed.on('gap', (gap) => gaps.push(gap));
    refused.feed.on('error', (error) => errors.push(error));
    await expect.poll(() => gaps.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(gaps[0]?.wins).toBeNull();
    expect(errors[0]).toMatchObject({ final: false, cause: { status: 404 } });
    refused.feed.close();

    server.tries.length = 0;
    const asked: unknown[] = [];
    const { feed } = follow({
      winners: async (...question) => {
        asked.push(question);
        return [];
      },
    });
    feed.on('gap', (gap) => gaps.push(gap));
    await expect.poll(() => gaps.at(-1)?.wins, { timeout: 20_000 }).toEqual([]);
    expect(asked[0]).toEqual(['a', 1_700_000_000_000 - 5_000]);
  });

  it('is no gap where nothing happened meanwhile, or where all was sent again', async () => {
    let isAsked = false;
    server.answer = (_, response) => {
      isAsked = true;
      response.end('[]');
    };
    server.subscribed = ({ socket }) => {
      socket.send(textOf(update('a', { seq: 7, event_seq: 3, recovered: false })));
      socket.send(textOf(update('b', { seq: 7, event_seq: 2 + server.tries.length, recovered: true })));
      if (server.tries.length < 3) setImmediate(() => socket.close(1001, 'shutdown'));
      else setTimeout(() => socket.send(textOf(update('c', { seq: 1 }))), 4_000);
    };
    const { feed } = follow();
    await expect.poll(() => feed.jackpots.has('c'), { timeout: 20_000 }).toBe(true);
    expect(isAsked).toBe(false);
  });

  it('keeps the newer value while another process of the service is behind', async () => {
    server.subscribed = ({ socket }) => {
      const isFirst = server.tries.length === 1;
      socket.send(textOf(update('a', { seq: isFirst ? 9 : 8, value: isFirst ? '9' : '8' })));
      if (isFirst) return setImmediate(() => socket.close(1001, 'shutdown'));
      socket.send(textOf(update('b', { seq: 1 })));
    };
    const { feed } = follow();
    await expect.poll(() => feed.jackpots.has('b')).toBe(true);
    expect(feed.jackpots.get('a')?.data.pots[0]?.current_value).toBe('9');
  });

  it('goes on where a listener of the page throws, and ignores frames that are no events', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
    server.subscribed = ({ socket }) => {
      for (const frame of ['nonsense', 'null', '5', '{"msg_type":"Other"}', update('a', { seq: 1 })])
        socket.send(textOf(frame));
    };
    const { feed } = follow();
    const seen: string[] = [];
    feed.on('update', () => {
      throw new Error('a fault of the page');
    });
    const end = feed.on('update', ({ data }) => seen.push(data.id));
    await expect.poll(() => seen).toEqual(['a']);
    end();
    server.send(update('a', { seq: 2 }));
    await expect.poll(() => feed.jackpots.get('a')?.seq).toBe(2);
    expect(seen).toEqual(['a']);
    expect(reported).toHaveLength(2);
  });

  it('shows a newer token of the same owner', async () => {
    server.subscribed = ({ socket }) => socket.send(textOf(update('a', { seq: 1 })));
    const { feed } = follow({ token: async () => 'first', currency: 'EUR', instances: ['a'], foreign: true });
    await expect.poll(() => feed.state).toBe('live');
    expect(server.tries).toEqual(['/events/acme/main?token=first&currency=EUR']);
    feed.refreshToken('second');
    await expect.poll(() => server.others).toEqual([{ RefreshTokenRequest: { token: 'second' } }]);
  });
});
