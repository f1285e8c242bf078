import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

describe.each([
  ['with the fast path', true],
  ['without it', false],
])('the target and the media type of a request, %s', (_, fastPaths) => {
  let gateway: TestGateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ fastPaths });
    token = await gateway.serviceToken();
  });
  afterAll(() => gateway.stop());

  async function ask(line: string, headers: readonly string[] = [], body = ''): Promise<readonly unknown[]> {
    const client = new RawClient(gateway.port);
    const length = body === '' ? [] : [`Content-Length: ${body.length}`];
    client.send(`${[`${line} HTTP/1.1`, 'Host: x', ...headers, ...length].join('\r\n')}\r\n\r\n${body}`);
    client.socket.end();
    await client.ending();
    return [Number(client.text.slice(9, 12)), /"code":"([a-z_]+)"/.exec(client.text)?.[1] ?? null];
  }
  const bearer = () => `Authorization: Bearer ${token}`;
  const json = 'Content-Type: application/json';
  const contribution = JSON.stringify({
    token: 'session',
    brand_id: 'main',
    player_id: 'p',
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
  });

  it.each([
    '/v1/currencies#fragment',
    '/v1/jackpot/sources?owner_id=acme#fragment',
    '/nowhere#fragment',
    '*',
    'ftp://x/v1/currencies',
    'http:/v1/currencies',
    'http://',
    'v1/currencies',
  ])('%s is no target, before anybody asks who is calling', async (target) => {
    expect(await ask(`GET ${target}`)).toEqual([400, 'malformed_http']);
    expect(await ask(`GET ${target}`, [bearer()])).toEqual([400, 'malformed_http']);
  });

  it('of a contribution has no fragment either, and nothing reaches a lane', async () => {
    const before = gateway.commands.length;
    for (const target of [
      '/v1/jackpot/instances/gold/contributions#x',
      '/v1/jackpot/instances/go#ld/contributions',
    ])
      expect(await ask(`POST ${target}`, [bearer(), json], contribution)).toEqual([400, 'malformed_http']);
    expect(gateway.commands.length).toBe(before);
  });

  it('may be absolute, and is then the same as its path', async () => {
    expect(await ask('GET http://x/v1/currencies/acme:main')).toEqual([401, 'unauthenticated']);
    expect(await ask('GET HTTPS://other:8443/v1/jackpot/sources?owner_id=none', [bearer()])).toEqual([
      404,
      'operator_not_found',
    ]);
    expect(await ask('GET http://x/livez')).toEqual([200, null]);
    expect(await ask('POST http://x/v1/currencies', [json], '{}')).toEqual([405, 'method_not_allowed']);
    expect(await ask('GET http://x?owner_id=1/v1')).toEqual(await ask('GET /?owner_id=1/v1'));
    const path = '/v1/jackpot/instances/gold/contributions';
    const before = gateway.commands.length;
    const answer = await ask(`POST http://x${path}`, [bearer(), json], contribution);
    expect(answer).toEqual(await ask(`POST ${path}`, [bearer(), json], contribution));
    expect(gateway.commands.length).toBe(before + 2);
  });

  it('with a wrong percent-encoding in its path is malformed for everybody, in its query only once the caller is known', async () => {
    for (const headers of [[], [bearer()]])
      expect(await ask('GET /v1/currencies/acme%ZZ', headers)).toEqual([400, 'malformed_http']);
    expect(await ask('GET /v1/jackpot/sources?owner_id=%ZZ')).toEqual([401, 'unauthenticated']);
    expect(await ask('GET /v1/jackpot/sources?owner_id=%ZZ', [bearer()])).toEqual([400, 'invalid_parameter']);
  });

  it.each([
    'Content-Type: text/plain',
    'Content-Type: nonsense',
    'Content-Type:',
    'Content-Type: text/csv',
    json,
  ])('a request without a body may say %j', async (type) => {
    for (const more of [[], ['Content-Length: 0']]) {
      expect(await ask('POST /v1/auth/service/renew', [bearer(), type, ...more])).toEqual([200, null]);
      expect(await ask('POST /v1/auth/service/renew', [type, ...more])).toEqual([401, 'unauthenticated']);
      const path = '/v1/jackpot/instances/gold/contributions';
      expect(await ask(`POST ${path}`, [bearer(), type, ...more])).toEqual([400, 'invalid_request']);
    }
  });

  it('a request with a body may not, whoever is calling', async () => {
    for (const headers of [[], [bearer()]]) {
      for (const type of ['Content-Type: text/plain', 'Content-Type: text/csv', 'Content-Type: nonsense'])
        expect(await ask('POST /v1/auth/service/renew', [...headers, type], '{}')).toEqual([
          415,
          'unsupported_media_type',
        ]);
    }
  });
});
