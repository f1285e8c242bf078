import { EventSource } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  connect,
  type Feed,
  type FeedError,
  type FeedOptions,
  type FeedState,
} from '../../client/src/index.ts';
import { FeedServer, textOf, update } from './support/feed-server.ts';

/** Time passes when a test says so; the sockets are real. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

let server: FeedServer;
let feed: Feed;
let states: FeedState[];
let errors: FeedError[];
let page: EventTarget;
let shown: EventTarget & { visibilityState?: string };
beforeEach(async () => {
  server = await FeedServer.start();
  server.subscribed = ({ socket }) => socket.send(textOf(update('a', { seq: 1 })));
  page = new EventTarget();
  shown = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('WebSocket', WebSocket);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('document', shown);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(async () => {
  feed.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await server.stop();
});

function follow(options: Partial<FeedOptions> = {}): void {
  feed = connect({ url: server.url, brand: 'acme/main', ...options });
  states = [];
  errors = [];
  feed.on('state', (state) => states.push(state));
  feed.on('error', (error) => errors.push(error));
}

async function followLive(options: Partial<FeedOptions> = {}): Promise<void> {
  follow(options);
  await expect.poll(() => feed.state).toBe('live');
}

/** What becomes of it while time passes in such steps, in which sockets have time, too. */
const inSteps = (ms: number, value: () => unknown) =>
  expect.poll(async () => {
    await pass(ms);
    return value();
  });

const tries = () => expect.poll(() => server.tries.length);
const tell = (type: string, more: object = {}) => page.dispatchEvent(Object.assign(new Event(type), more));

describe('a connection that is lost', () => {
  it('is stale after a moment, offline when it lasts, and live again with the next value', async () => {
    await followLive();
    server.admit = () => 503;
    server.answer = (_, response) => response.writeHead(503).end();
    server.closeAll(1001, 'shutdown');
    await expect.poll(() => server.sockets.length).toBe(0);
    await pass(2_900);
    expect(states).toEqual(['live']);
    await pass(200);
    expect(states).toEqual(['live', 'stale']);
    await pass(27_000);
    expect(states).toEqual(['live', 'stale', 'offline']);
    expect(feed.jackpots.get('a')?.seq).toBe(1);
    server.admit = () => null;
    await inSteps(5_000, () => feed.state).toBe('live');
    expect(errors).toEqual([]);
  });

  it('is not shown where it is back at once', async () => {
    await followLive();
    server.closeAll(1001, 'shutdown');
    await expect.poll(() => server.sockets.length).toBe(0);
    await pass(1_000);
    await tries().toBe(2);
    await expect.poll(() => server.sockets.length).toBe(1);
    server.send(update('a', { seq: 2 }));
    await expect.poll(() => feed.jackpots.get('a')?.seq).toBe(2);
    await pass(10_000);
    expect(states).toEqual(['live']);
  });

  it('is one that has been silent for too long', async () => {
    await followLive();
    await pass(10_000);
    server.send(update('a', { seq: 2 }));
    await expect.poll(() => feed.jackpots.get('a')?.seq).toBe(2);
    await pass(11_000);
    expect(server.tries).toHaveLength(1);
    await pass(5_000);
    await tries().toBe(2);
  });

  it('is not one whose page was frozen, unless nothing comes after it either', async () => {
    await followLive();
    vi.setSystemTime(Date.now());
    const jump = async () => {
      const { now } = performance;
      const base = now.call(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => base + 600_000 + (now.call(performance) - base));
      await pass(2_000);
    };
    await jump();
    expect(server.tries).toHaveLength(1);
    server.send(update('a', { seq: 2 }));
    await expect.poll(() => feed.jackpots.get('a')?.seq).toBe(2);
    await pass(11_000);
    expect(server.tries).toHaveLength(1);
    await pass(5_000);
    await tries().toBe(2);
  });

  it('comes back no earlier than the service says', async () => {
    await followLive();
    server.closeAll(1001, 'shutdown retry=8000');
    await expect.poll(() => server.sockets.length).toBe(0);
    await pass(7_900);
    expect(server.tries).toHaveLength(1);
    await pass(1_200);
    await tries().toBe(2);
  });
});

describe('a refusal', () => {
  it('of the credential is met with a new one, once; then the page is asked', async () => {
    server.subscribed = ({ socket }) => socket.close(4401, 'unauthenticated');
    let tickets = 0;
    follow({ ticket: async () => `t${++tickets}` });
    await tries().toBe(1);
    await expect.poll(() => errors.length).toBe(1);
    await pass(1_000);
    await expect.poll(() => errors.length).toBe(2);
    expect(errors.map(({ code, reason, final }) => [code, reason, final])).toEqual([
      [4401, 'unauthenticated', false],
      [4401, 'unauthenticated', true],
    ]);
    expect(feed.state).toBe('offline');
    await pass(3_600_000);
    expect(tickets).toBe(2);
    server.subscribed = ({ socket }) => socket.send(textOf(update('a', { seq: 1 })));
    feed.reconnect();
    await expect.poll(() => feed.state).toBe('live');
    expect(server.tries.at(-1)).toBe('/events/acme/main?ticket=t3');
  });

  it('of the page itself, by the status of its error, counts like one of the feed', async () => {
    let asked = 0;
    follow({
      ticket: () => {
        asked += 1;
        return Promise.reject(Object.assign(new Error('Log in.'), { status: 401 }));
      },
    });
    await expect.poll(() => errors.length).toBe(1);
    await pass(1_000);
    await expect.poll(() => errors.length).toBe(2);
    expect(errors[1]).toMatchObject({ code: 4401, final: true, cause: { message: 'Log in.' } });
    await pass(3_600_000);
    expect(asked).toBe(2);
  });

  it('without a status, or no answer at all, is tried again', async () => {
    const answers = [Promise.reject(new Error('away')), new Promise<string>(() => {}), Promise.resolve('t')];
    let asked = 0;
    follow({ ticket: () => answers[asked++] as Promise<string> });
    await expect.poll(() => errors.length).toBe(1);
    await pass(1_000);
    await expect.poll(() => asked).toBe(2);
    await pass(20_000);
    await expect.poll(() => feed.state).toBe('live');
  });

  it('of what the client says is reported, and is the end', async () => {
    server.subscribed = ({ socket }) => socket.close(4400, 'bad_message');
    follow();
    await expect.poll(() => errors.length).toBe(1);
    expect(errors[0]).toMatchObject({ code: 4400, reason: 'bad_message', final: true });
    expect(feed.state).toBe('offline');
    await pass(3_600_000);
    expect(server.tries).toHaveLength(1);
  });

  it('of a feed that is off shows as offline, and is asked again in minutes', async () => {
    server.subscribed = ({ socket }) => socket.close(4403, 'forbidden');
    follow();
    await expect.poll(() => feed.state).toBe('offline');
    expect(errors[0]).toMatchObject({ code: 4403, final: false });
    tell('online');
    await pass(179_000);
    expect(server.tries).toHaveLength(1);
    await inSteps(2_000, () => server.tries.length).toBe(2);
  });

  it('of a public feed is found over HTTP, since browsers hide the status of a websocket', async () => {
    server.admit = () => 404;
    follow({ currency: 'EUR' });
    await tries().toBe(1);
    await pass(1_000);
    await expect.poll(() => errors.length).toBe(1);
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/public/acme/main/jackpots?currency=EUR']);
    expect(errors[0]).toMatchObject({ code: 4403, final: false });
    expect(feed.state).toBe('offline');
  });
});

describe('a page', () => {
  it('is offline as soon as the browser says so, and back within a second of the network', async () => {
    await followLive();
    tell('offline');
    expect(states).toEqual(['live', 'offline']);
    await expect.poll(() => server.sockets.length).toBe(0);
    tell('online');
    await pass(1_000);
    await tries().toBe(2);
    await expect.poll(() => feed.state).toBe('live');
  });

  it('that comes and goes again and again makes no storm', async () => {
    await followLive();
    server.admit = () => 503;
    tell('offline');
    for (let second = 0; second < 60; second += 1) {
      tell('online');
      shown.dispatchEvent(new Event('visibilitychange'));
      tell('offline');
      await pass(1_000);
      await tries().toBe(server.tries.length);
    }
    expect(server.tries.length).toBeLessThanOrEqual(14);
  });

  it('that is seen again comes back at once, but not before the service allows it', async () => {
    await followLive();
    server.admit = () => 503;
    server.closeAll(4429, 'flood');
    await expect.poll(() => server.sockets.length).toBe(0);
    shown.dispatchEvent(new Event('visibilitychange'));
    await pass(9_900);
    expect(server.tries).toHaveLength(1);
  });

  it('that is kept for "back" has no connection meanwhile', async () => {
    await followLive();
    tell('pagehide', { persisted: true });
    await expect.poll(() => server.sockets.length).toBe(0);
    await pass(600_000);
    expect(server.tries).toHaveLength(1);
    tell('pageshow', { persisted: true });
    await pass(500);
    await tries().toBe(2);
    await expect.poll(() => feed.state).toBe('live');
  });

  it('hears of nothing after it has closed the feed', async () => {
    await followLive();
    const heard: unknown[] = [];
    feed.on('any', (event) => heard.push(event));
    feed.close();
    expect(feed.state).toBe('offline');
    tell('online');
    await pass(600_000);
    expect([server.tries.length, heard]).toEqual([1, []]);
  });
});

describe('where no websocket gets through', () => {
  beforeEach(() => {
    vi.stubGlobal('EventSource', EventSource);
    server.admit = () => 503;
  });
  const stream = (...frames: string[]) => {
    server.answer = ({ url = '' }, response) => {
      if (!url.includes('/events')) return response.end('{"jackpots":[]}');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const frame of frames) response.write(`${frame}\n\n`);
    };
  };

  it('the public feed comes as Server-Sent Events', async () => {
    stream(`id: x\nevent: JackpotUpdate\ndata: ${textOf(update('a', { seq: 1 }))}`);
    follow({ currency: 'EUR', instances: ['a', 'b'] });
    await inSteps(500, () => feed.state).toBe('live');
    expect(server.requests.at(-1)?.url).toBe('/v1/public/acme/main/events?currency=EUR&instance_ids=a%2Cb');
    expect(feed.jackpots.get('a')?.seq).toBe(1);
  });

  it('a close of the stream says what one of a socket does', async () => {
    stream('event: close\ndata: {"code":4400,"reason":"bad_message"}');
    follow();
    await inSteps(500, () => feed.state).toBe('offline');
    expect(errors.at(-1)).toMatchObject({ code: 4400, reason: 'bad_message', final: true });
  });

  it('a feed with a credential stays with websockets', async () => {
    stream();
    follow({ ticket: async () => 't' });
    await pass(60_000);
    await tries().toBeGreaterThan(2);
    expect(server.requests).toEqual([]);
  });
});
