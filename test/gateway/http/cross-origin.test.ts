import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CorsRule } from '../../../src/contracts/directory/cors.ts';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { answerHeadersForPages, requestHeadersOfPages } from '../../../src/gateway/routes/cross-origin.ts';
import { type Answer, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

const page = 'https://shop.example';
const instances = '/v1/jackpot/instances';
const contribution = {
  token: 'session',
  brand_id: 'main',
  player_id: 'p',
  player_country: 'DE',
  base_wager: 1,
  currency: 'EUR',
};

let revision = 1_000;
function setRules(gateway: TestGateway, rules: readonly CorsRule[]): void {
  revision += 1;
  gateway.readModel.directoryChanged({ kind: 'set', entry: { kind: 'cors', rules: [...rules] } }, revision);
}
const corsOf = ({ headers }: Answer) => [headers['access-control-allow-origin'], headers.vary];

describe.each([
  ['with the fast paths', true],
  ['without them', false],
])('pages of other origins, %s', (_, fastPaths) => {
  let gateway: TestGateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ fastPaths, publicGetsPerSecond: 1 });
    gateway.stopClock();
    token = await gateway.serviceToken();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.nowMs += 60_000;
    setRules(gateway, [{ pattern: page, match_mode: 'exact' }]);
  });

  const ask = (method: string, path: string, options: object = {}, origin = page) =>
    gateway.call(method, path, { token, ...options, headers: { Origin: origin } });

  test('read answers and errors of every kind', async () => {
    const statuses: [Answer, number][] = [
      [await ask('POST', `${instances}/gold/contributions`, { body: contribution }), 200],
      [await ask('POST', `${instances}/gold/contributions`, { token: 'wrong', body: contribution }), 401],
      [await ask('POST', `${instances}/nothing/contributions`, { body: contribution }), 404],
      [await ask('POST', `${instances}/gold/contributions`, { text: '{' }), 400],
      [await ask('POST', '/v2/jackpot/contributions', { body: {} }), 400],
      [await ask('GET', `${instances}/gold/ticker`, { token: '' }), 200],
      [await ask('GET', `${instances}/gold/ticker`, { token: '' }), 429],
      [await ask('GET', '/v1/nothing'), 404],
      [await ask('DELETE', '/v1/currencies'), 405],
      [await ask('PUT', '/v1/webhooks/signature', { text: 'x'.repeat(70_000) }), 413],
      [await ask('PUT', '/v1/cors/origins', { body: { cors_origin_list: [] } }), 403],
      [await ask('GET', `/v1/${'x'.repeat(3_000)}`), 414],
      [await ask('GET', '/v1/jackpot/status'), 426],
    ];
    for (const [answer, status] of statuses) {
      expect([answer.status, ...corsOf(answer)]).toEqual([status, page, 'Origin']);
      expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id, ');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('that no rule allows get the answer without leave to read it', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://shop.example',
      `${page}.evil.example`,
      '',
    ]) {
      const answer = await ask('POST', `${instances}/gold/contributions`, { body: contribution }, origin);
      expect([answer.status, ...corsOf(answer)]).toEqual([200, undefined, 'Origin']);
    }
    expect(corsOf(await gateway.call('GET', '/v1/nothing'))).toEqual([undefined, undefined]);
  });

  test('are never let into /config, /auth and the rest', async () => {
    for (const path of [
      '/config/operators',
      '/auth/admin',
      '/.well-known/jwks.json',
      '/livez',
      '/',
      '/v1x/a',
    ]) {
      expect(corsOf(await ask('GET', path))).toEqual([undefined, undefined]);
      const preflight = await gateway.call('OPTIONS', path, {
        headers: { Origin: page, 'Access-Control-Request-Method': 'POST' },
      });
      expect(preflight.status).toBeGreaterThanOrEqual(404);
      expect(preflight.headers['access-control-allow-methods']).toBeUndefined();
      expect(corsOf(preflight)).toEqual([undefined, undefined]);
    }
  });

  test('follow the rules on a connection that stays open', async () => {
    const client = new RawClient(gateway.port);
    const text = JSON.stringify(contribution);
    const request = [
      `POST ${instances}/gold/contributions HTTP/1.1`,
      'Host: a',
      `Origin: ${page}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
      '',
      text,
    ].join('\r\n');
    const answers = () => client.text.split(/(?=HTTP\/1\.1 )/).filter((one) => one !== '');
    const allowed = async (): Promise<boolean> => {
      const before = answers().length;
      client.send(request);
      await expect.poll(() => answers().length > before && answers().at(-1)!.endsWith('}')).toBe(true);
      return answers().at(-1)!.includes(`\r\nAccess-Control-Allow-Origin: ${page}\r\n`);
    };
    expect(await allowed()).toBe(true);
    setRules(gateway, []);
    expect(await allowed()).toBe(false);
    setRules(gateway, [{ pattern: 'https://[a-z]+\\.example', match_mode: 'regex' }]);
    expect(await allowed()).toBe(true);
    client.socket.destroy();
  });

  test('ask first, also for contributions', async () => {
    const preflight = (path: string, origin: string) =>
      gateway.call('OPTIONS', path, {
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      });
    for (const path of [`${instances}/gold/contributions`, '/v2/jackpot/contributions', '/v1/nothing?x=1']) {
      const allowed = await preflight(path, page);
      expect([allowed.status, allowed.text, ...corsOf(allowed)]).toEqual([204, '', page, 'Origin']);
      expect(allowed.headers['access-control-allow-methods']).toBe('DELETE, GET, HEAD, PATCH, POST, PUT');
      expect(allowed.headers['access-control-allow-headers']).toBe(requestHeadersOfPages.join(', '));
      expect(allowed.headers['access-control-max-age']).toBe('600');
      expect(allowed.headers['access-control-allow-credentials']).toBeUndefined();
      const refused = await preflight(path, 'https://evil.example');
      expect([refused.status, refused.json.code, ...corsOf(refused)]).toEqual([
        403,
        'origin_forbidden',
        undefined,
        'Origin',
      ]);
    }
  });

  test('are not asked for by an OPTIONS that is no preflight', async () => {
    const path = `${instances}/gold/contributions`;
    expect((await gateway.call('OPTIONS', path, { headers: { Origin: page } })).status).toBe(405);
    const headers = { 'Access-Control-Request-Method': 'POST' };
    expect((await gateway.call('OPTIONS', path, { headers })).status).toBe(405);
  });
});

test('pages may send what operations read, and read what operations answer with', () => {
  const open = operations.filter(({ path }) => /^\/v[12]\//.test(path));
  const headers = {
    sent: open.flatMap((one) => one.headers ?? []),
    read: open.flatMap((one) => one.answerHeaders ?? []),
  };
  expect(headers.sent.length).toBeGreaterThan(0);
  expect(requestHeadersOfPages).toEqual(expect.arrayContaining(headers.sent));
  expect(requestHeadersOfPages).toEqual(expect.arrayContaining(['Traceparent', 'Tracestate']));
  expect(answerHeadersForPages).toEqual(expect.arrayContaining(headers.read));
});
