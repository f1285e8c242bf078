import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import { AdministratorClient, loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';
import { openPages } from './pages.ts';

/** What a page could do: an answer's status, a header and a body that it may read, or `blocked`. */
type Read = { status: number; requestId: string | null; body: unknown } | 'blocked';

const noSuchOrigin = 'http://127.0.0.1:1';

describe.skipIf(mayBeSkipped)('a page of another origin', () => {
  let system: RunningSystem;
  let admin: AdministratorClient;
  let site: Server;
  let origin: string;
  let page: Page;
  let service: string;
  let instance: string;

  beforeAll(async () => {
    const pages = await openPages();
    system = pages.system;
    const { credentials, baseUrl } = system;
    admin = await AdministratorClient.login(baseUrl, credentials.admin);
    service = await loggedIn(`${baseUrl}/v1/auth/service`, credentials.service);
    const found = await fetch(`${baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
    instance = ((await found.json()) as { id: string }).id;
    site = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>A lobby</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    page = await pages.browser.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(origin);
  }, 300_000);

  afterAll(async () => {
    await page?.close();
    site?.close();
  }, 120_000);

  const rules = async (method: 'PUT' | 'DELETE', list: unknown[]) => {
    const answer = await admin.call(method, '/v1/cors/origins', { cors_origin_list: list });
    expect(answer.status).toBe(200);
  };

  const read = (path: string, init: RequestInit = {}): Promise<Read> =>
    page.evaluate(
      async ([url, options]) => {
        try {
          const answer = await fetch(url, options);
          const text = await answer.text();
          const requestId = answer.headers.get('x-request-id');
          return { status: answer.status, requestId, body: text === '' ? null : JSON.parse(text) };
        } catch {
          return 'blocked';
        }
      },
      [`${system.baseUrl}${path}`, init] as const,
    );

  const ticker = () => read(`/v1/jackpot/instances/${instance}/ticker`);
  const contribute = (key: string) =>
    read(`/v1/jackpot/instances/${instance}/contributions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service}` },
      body: JSON.stringify({
        token: 'player-session',
        brand_id: 'demo:direct',
        player_id: 'ada',
        player_country: 'DE',
        base_wager: '1.00',
        currency: 'EUR',
        idempotency_key: key,
      }),
    });

  /** The first thing that comes of a feed: a message, or that it was closed. */
  const listen = (path: string, first: object): Promise<string> =>
    page.evaluate(
      ([url, message]) =>
        new Promise<string>((resolve) => {
          const socket = new WebSocket(url);
          socket.onopen = () => socket.send(message);
          socket.onmessage = ({ data }) => {
            resolve(JSON.parse(data).msg_type);
            socket.close();
          };
          socket.onclose = () => resolve('closed');
        }),
      [`${system.baseUrl.replace('http', 'ws')}${path}`, JSON.stringify(first)] as const,
    );

  const playerFeed = () => {
    const player = system.credentials.players[0]!;
    const query = `token=${encodeURIComponent(player.token)}&currency=${player.currency}`;
    const subscription = { SubscribeRequest: { events: [{ source: 'jackpot', event_type: '*' }] } };
    return listen(`/events/demo/main?${query}`, subscription);
  };
  const statusFeed = () => listen('/v1/jackpot/status', { AuthenticateRequest: { token: service } });

  const everything = async () => ({
    ticker: await ticker(),
    contribution: await contribute(`round-${Date.now()}`),
    unknown: await read('/v1/nothing'),
    playerFeed: await playerFeed(),
    statusFeed: await statusFeed(),
  });
  const nothing = {
    ticker: 'blocked',
    contribution: 'blocked',
    unknown: 'blocked',
    playerFeed: 'closed',
    statusFeed: 'closed',
  };

  it('reads nothing before a rule allows it', async () => {
    await rules('PUT', [{ pattern: noSuchOrigin, match_mode: 'exact' }]);
    expect(await everything()).toEqual(nothing);
  });

  it.each([
    ['exact', (port: string) => `http://127.0.0.1:${port}`],
    ['regex', (port: string) => `http://127\\.0\\.0\\.[0-9]+:${port}`],
  ])(
    'works once a rule of the mode %s allows it, and not after it was removed',
    async (match_mode, patternOf) => {
      const pattern = patternOf(new URL(origin).port);
      await rules('PUT', [{ pattern, match_mode }]);
      await vi.waitFor(async () => expect(await playerFeed()).toBe('Event'), { timeout: patienceMs });
      expect(await everything()).toEqual({
        ticker: {
          status: 200,
          requestId: expect.any(String),
          body: expect.objectContaining({ id: instance }),
        },
        contribution: { status: 200, requestId: expect.any(String), body: expect.any(Object) },
        unknown: {
          status: 404,
          requestId: expect.any(String),
          body: expect.objectContaining({ code: 'route_not_found' }),
        },
        playerFeed: 'Event',
        statusFeed: 'JackpotStatus',
      });
      await rules('DELETE', [pattern]);
      await vi.waitFor(async () => expect(await playerFeed()).toBe('closed'), { timeout: patienceMs });
      expect(await everything()).toEqual(nothing);
    },
  );

  it('never reads what administrators may', async () => {
    await rules('PUT', [{ pattern: origin, match_mode: 'exact' }]);
    expect(await read('/config/operators', { headers: { authorization: 'Bearer x' } })).toBe('blocked');
    expect(await read('/auth/admin')).toBe('blocked');
    expect((await ticker()) !== 'blocked').toBe(true);
  });
});
