import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import WebSocket from 'ws';
import { FeedWorld, until } from '../../fanout/feed-world.ts';
import { type ForwardingProxy, startForwardingProxy } from '../support/forwarding-proxy.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const trustedProxies = ['127.0.0.1/32'];
/** Clients on addresses of loopback that no proxy has. */
const clientAt = (number: number) => `127.1.${number >> 8}.${number & 255}`;
const tickerPath = '/v1/jackpot/instances/gold/ticker';

interface Asked {
  readonly from: string;
  readonly port: number;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: object;
}

/** The status of an answer to a client at that address. */
async function ask({ from, port, path = tickerPath, headers = {}, body }: Asked): Promise<number> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method: text === undefined ? 'GET' : 'POST',
    localAddress: from,
    agent: false,
    headers: {
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
  });
  sent.end(text);
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

describe.each([
  ['on the fast path', true, tickerPath, {}],
  ["on Node's path", true, tickerPath, { 'x-odd': '\u00e4' }],
  ["on the router's path", false, tickerPath, {}],
  ['of an operation without a fast path', true, '/v1/currencies', {}],
])('public GETs %s', (_name, fastPaths, path, headers) => {
  let gateway: TestGateway;
  let proxy: ForwardingProxy;
  beforeEach(async () => {
    gateway = await startTestGateway({ trustedProxies, fastPaths, publicGetsPerSecond: 2 });
    gateway.stopClock();
    proxy = await startForwardingProxy(gateway.port);
  });
  afterEach(async () => {
    await proxy.stop();
    await gateway.stop();
  });
  const get = (from: string, more: Record<string, string | string[]> = {}, port = proxy.port) =>
    ask({ from, port, path, headers: { ...headers, ...more } });

  it('of 250 clients behind one proxy share no limit', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, request) => get(clientAt(1 + (request % 250)))),
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    // The first fifty have had two each: no more for them, one more for another.
    for (const number of [1, 25, 50]) expect(await get(clientAt(number))).toBe(429);
    expect(await get(clientAt(51))).toBe(200);
    expect(await get(clientAt(51))).toBe(429);
  });

  it('are counted for who asks, whatever the client says itself', async () => {
    const statuses: number[] = [];
    for (const said of ['6.6.6.1', '6.6.6.2, 127.0.0.1', 'unknown', '6.6.6.4,', '2001:db8::1'])
      statuses.push(await get(clientAt(1), { 'x-forwarded-for': said }));
    expect(statuses).toEqual([200, 200, 429, 429, 429]);
    expect(await get(clientAt(2), { 'x-forwarded-for': clientAt(1) })).toBe(200);
  });

  it('that come past the proxy are believed nothing', async () => {
    const stranger = '127.0.0.2';
    const statuses: number[] = [];
    for (let said = 1; said <= 4; said += 1)
      statuses.push(await get(stranger, { 'x-forwarded-for': `6.6.6.${said}` }, gateway.port));
    expect(statuses).toEqual([200, 200, 429, 429]);
    // Nor do they use up what is the forged address' own.
    for (const count of [1, 2])
      expect([count, await get('127.0.0.1', { 'x-forwarded-for': '6.6.6.1' }, gateway.port)]).toEqual([
        count,
        200,
      ]);
  });

  it('read a chain in several lines as one, and IPv6 by its /64', async () => {
    const lines = (...chain: string[]) => get('127.0.0.1', { 'x-forwarded-for': chain }, gateway.port);
    expect(await lines('6.6.6.6', '203.0.113.5')).toBe(200);
    expect(await lines('203.0.113.5', '127.0.0.1')).toBe(200);
    expect(await lines('7.7.7.7', '203.0.113.5:99')).toBe(429);
    expect(await lines('2001:db8:0:1::5')).toBe(200);
    expect(await lines('[2001:db8:0:1:9::6]:99')).toBe(200);
    expect(await lines('2001:db8:0:1:ffff::7')).toBe(429);
    expect(await lines('2001:db8:0:2::7')).toBe(200);
  });
});

describe('without trusted proxies', () => {
  it('nobody is believed', async () => {
    const gateway = await startTestGateway({ publicGetsPerSecond: 2 });
    gateway.stopClock();
    const statuses: number[] = [];
    for (let said = 1; said <= 4; said += 1)
      statuses.push(
        await ask({ from: '127.0.0.1', port: gateway.port, headers: { 'x-forwarded-for': `6.6.6.${said}` } }),
      );
    await gateway.stop();
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});

describe('log-ins behind a proxy', () => {
  const username = 'known';
  const right = 'a long and good one';
  let gateway: TestGateway;
  let proxy: ForwardingProxy;
  beforeEach(async () => {
    gateway = await startTestGateway({ trustedProxies });
    await gateway.access.createServiceUser({ username, password: right, operator: 'acme', brands: null });
    proxy = await startForwardingProxy(gateway.port);
  });
  afterEach(async () => {
    await proxy.stop();
    await gateway.stop();
  });
  const login = (from: string, password: string, said?: string) =>
    ask({
      from,
      port: proxy.port,
      path: '/v1/auth/service',
      body: { username, password },
      headers: said === undefined ? {} : { 'x-forwarded-for': said },
    });

  async function guess(from: string, times: number, said?: string): Promise<number[]> {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) statuses.push(await login(from, 'a wrong one', said));
    return statuses;
  }

  it('twelve wrong passwords from one client do not deny the genuine one at another address', async () => {
    expect(await guess(clientAt(1), 12)).toEqual([...Array(10).fill(401), 429, 429]);
    expect(await login(clientAt(1), right)).toBe(429);
    expect(await login(clientAt(2), right)).toBe(200);
  });

  it('nor where they say that they come from there', async () => {
    expect(await guess(clientAt(1), 12, clientAt(2))).toEqual([...Array(10).fill(401), 429, 429]);
    expect(await login(clientAt(2), right)).toBe(200);
  });

  it('nor at the same address, once it has proven itself', async () => {
    expect(await login(clientAt(1), right)).toBe(200);
    await guess(clientAt(1), 12);
    expect(await login(clientAt(1), right)).toBe(200);
  });

  it('nobody gets more guesses by another X-Forwarded-For each time', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1)
      statuses.push(await login(clientAt(1), 'wrong', `6.6.6.${time}`));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });
});

describe('websockets', () => {
  const statusPath = '/v1/jackpot/status';
  let feed: FeedWorld;
  let gateway: TestGateway;
  let proxy: ForwardingProxy;
  let opened: WebSocket[];
  beforeEach(async () => {
    opened = [];
    feed = new FeedWorld();
    feed.addInstance('pot-1');
    await feed.start({ unidentifiedLimit: 12 });
    gateway = await startTestGateway({
      trustedProxies,
      fanoutPort: feed.fanout.port,
      connectionsPerAddress: 3,
      feedsPerAddress: 2,
    });
    proxy = await startForwardingProxy(gateway.port);
  });
  afterEach(async () => {
    for (const socket of opened) socket.terminate();
    await proxy.stop();
    await gateway.stop();
    await feed.stop();
  });

  async function open(localAddress: string, path: string, options: Partial<Asked> = {}) {
    const { port = proxy.port, headers = {} } = options;
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
      localAddress,
      headers: headers as Record<string, string>,
    });
    opened.push(socket);
    let code: number | null = null;
    socket.on('close', (closed) => {
      code = closed;
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return { socket, code: () => code };
  }
  const service = async () => `/events/service?token=${await feed.token()}`;
  const addresses = () => [...feed.fanout.connections].map(({ address }) => address).toSorted();

  test('are counted for each client, and not for the proxy', async () => {
    const path = await service();
    for (const number of [1, 2, 3, 4]) {
      await open(clientAt(number), path);
      await open(clientAt(number), path);
      await expect(open(clientAt(number), path)).rejects.toThrow('429');
      const headers = { 'x-forwarded-for': '6.6.6.6' };
      await expect(open(clientAt(number), path, { headers })).rejects.toThrow('429');
    }
    // The fan-out knows them, too.
    await until(() => feed.connections() === 8);
    expect(addresses()).toEqual([1, 1, 2, 2, 3, 3, 4, 4].map(clientAt));
    opened[0]!.terminate();
    await until(() => feed.connections() === 7);
    await until(() => gateway.feedSockets() === 7);
    await open(clientAt(1), path);
  });

  test('that come past the proxy are counted for their own address, and the fan-out is told that', async () => {
    const path = await service();
    const past = (said: string) => ({ port: gateway.port, headers: { 'X-Forwarded-For': said } });
    await open('127.0.0.2', path, past('6.6.6.6'));
    await open('127.0.0.2', path, past('6.6.6.7, 127.0.0.1'));
    await expect(open('127.0.0.2', path, past('6.6.6.8'))).rejects.toThrow('429');
    await until(() => feed.connections() === 2);
    expect(addresses()).toEqual(['127.0.0.2', '127.0.0.2']);
  });

  test('at the fan-out itself have the address that the last proxy wrote', async () => {
    const path = await service();
    const headers = (said: string) => ({ port: feed.fanout.port, headers: { 'x-forwarded-for': said } });
    await open('127.0.0.1', path, headers('6.6.6.6, 203.0.113.5'));
    await open('127.0.0.1', path, headers('203.0.113.5, 2001:db8:1:2::77'));
    await open('127.0.0.1', path, headers('6.6.6.6, unknown'));
    await until(() => feed.connections() === 3);
    expect(addresses()).toEqual(['127.0.0.1', '2001:db8:1:2::', '203.0.113.5']);
  });

  test('without a token of one address give way to those of others, and to no more of their own', async () => {
    const at = (address: string) => ({ port: feed.fanout.port, headers: { 'x-forwarded-for': address } });
    const crowd: Awaited<ReturnType<typeof open>>[] = [];
    for (let count = 0; count < 12; count += 1)
      crowd.push(await open('127.0.0.1', statusPath, at('203.0.113.5')));
    await expect(open('127.0.0.1', statusPath, at('203.0.113.5'))).rejects.toThrow('503');
    const others: typeof crowd = [];
    for (let count = 0; count < 6; count += 1)
      others.push(await open('127.0.0.1', statusPath, at('203.0.113.9')));
    await until(() => crowd.slice(0, 6).every(({ code }) => code() === 1013));
    // Half and half: nobody gives way any more but to a third one.
    for (const address of ['203.0.113.5', '203.0.113.9'])
      await expect(open('127.0.0.1', statusPath, at(address))).rejects.toThrow('503');
    const third = await open('127.0.0.1', statusPath, at('203.0.113.77'));
    third.socket.send(
      JSON.stringify({
        AuthenticateRequest: { token: await feed.token(), operator_id: null, brand_id: null, currency: null },
      }),
    );
    await once(third.socket, 'message');
    expect(
      others.filter(({ code }) => code() !== null).length +
        crowd.filter(({ code }) => code() !== null).length,
    ).toBe(7);
  });
});
