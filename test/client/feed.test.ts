import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  connect,
  type Feed,
  type FeedOptions,
  type FeedState,
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
});
