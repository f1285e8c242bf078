import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

let gateway: TestGateway;
let token: string;
let fanout: Server;
let fanoutSaw = '';

beforeAll(async () => {
  fanout = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      fanoutSaw += chunk.toString('latin1');
      if (fanoutSaw.includes('\r\n\r\n')) socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\nframes');
    });
  });
  await new Promise<void>((resolve) => fanout.listen(0, '127.0.0.1', resolve));
  gateway = await startTestGateway({ fanoutPort: (fanout.address() as { port: number }).port });
  token = await gateway.serviceToken();
});
afterAll(async () => {
  await gateway.stop();
  fanout.close();
});

const head = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const codeOf = (answer: string) => /"code":"([a-z_]+)"/.exec(answer)?.[1];
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

function expectError(answer: string, status: number, code: string) {
  expect([statusOf(answer), codeOf(answer)]).toEqual([status, code]);
  expect(answer).toMatch(/\r\nX-Request-Id: [^\r]+\r\n/i);
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  expect(Object.keys(body)).toEqual(['status_code', 'code', 'message']);
}

describe('what HTTP itself refuses', () => {
  test.each([
    ['garbage\r\n\r\n'],
    ['GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n'],
    ['GET / HTTP/1.1\r\n\r\n'],
    ['POST /auth/admin HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'POST /auth/admin HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['GET /v1/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['GET /v1/currencies HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['GET / HTTP/1.1\r\nHost: a\r\nExpect: something\r\nConnection: close\r\n\r\n'],
  ])('%j', async (bytes) => {
    expectError(await gateway.raw(bytes), 400, 'malformed_http');
  });

  test.each([
    ['/v1/currencies', 405, 'method_not_allowed', 'GET, HEAD'],
    ['/v1/elsewhere', 404, 'route_not_found', undefined],
  ])('a QUERY of %s, without a Content-Type', async (path, status, code, allow) => {
    const answer = await gateway.raw(head([`QUERY ${path} HTTP/1.1`, 'Host: a', 'Connection: close']));
    expectError(answer, status, code);
    expect(/\r\nAllow: ([^\r]+)/.exec(answer)?.[1]).toBe(allow);
  });

  test.each([
    ['/v1/currencies', 405, 'method_not_allowed', 'GET, HEAD'],
    ['elsewhere:443', 404, 'route_not_found', undefined],
  ])('a CONNECT to %s', async (target, status, code, allow) => {
    const answer = await gateway.raw(head([`CONNECT ${target} HTTP/1.1`, 'Host: a']));
    expectError(answer, status, code);
    expect(/\r\nAllow: ([^\r]+)/.exec(answer)?.[1]).toBe(allow);
  });

  test('a duplicate Authorization header, in any case', async () => {
    const answer = await gateway.raw(
      head([
        'POST /v2/jackpot/contributions HTTP/1.1',
        'Host: a',
        `Authorization: Bearer ${token}`,
        'authorization: Bearer b',
        'Content-Length: 0',
      ]),
    );
    expectError(answer, 400, 'duplicate_header');
  });

  test('addresses and headers that are too long', async () => {
    const get = (path: string, more: readonly string[] = []) =>
      gateway.raw(head([`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...more]));
    expectError(await get(`/${'x'.repeat(2100)}`), 414, 'uri_too_long');
    expectError(await get(`/${'x'.repeat(9000)}`), 431, 'headers_too_large');
    expectError(await get('/', [`X-Long: ${'x'.repeat(9000)}`]), 431, 'headers_too_large');
    expectError(
      await get(
        '/',
        Array.from({ length: 70 }, (_, n) => `X-${n}: 1`),
      ),
      431,
      'headers_too_large',
    );
  });
});

describe('bodies', () => {
  const path = '/v1/jackpot/instances/gold/contributions';

  test('too large, announced or not', async () => {
    const text = JSON.stringify({ token: 'x'.repeat(70_000) });
    expect((await gateway.call('POST', path, { token, text })).json.code).toBe('payload_too_large');
    const chunk = 'x'.repeat(70_000);
    const answer = await gateway.raw(
      `${head([
        `POST ${path} HTTP/1.1`,
        'Host: a',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ])}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`,
    );
    expectError(answer, 413, 'payload_too_large');
  });

  test.each([path, '/auth/admin'])(
    'far too large, at %s: whoever sends it all still reads why',
    async (at) => {
      const text = JSON.stringify({ token: 'x'.repeat(6_000_000) });
      for (let times = 0; times < 3; times += 1) {
        const { status, json } = await gateway.call('POST', at, { token, text });
        expect([status, json.code]).toEqual([413, 'payload_too_large']);
      }
    },
  );

  test.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset',
    'application/json; a="b',
    'application/json x',
    'application/jsonp',
    'x',
    'application/x-www-form-urlencoded',
  ])('of type %s', async (type) => {
    const answer = await gateway.call('POST', path, { token, text: '{}', headers: { 'content-type': type } });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('compressed', async () => {
    const answer = await gateway.call('POST', path, {
      token,
      text: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    'application/json; charset=UTF-8',
    'Application/JSON;charset="utf-8"',
    'application/json; odata.metadata=none; charset=utf8',
    'application/json; profile="a;charset=latin1\\"";',
    'application/json ; v=1 ;; x=y',
  ])('with parameters that change nothing are taken: %s', async (type) => {
    const headers = { 'content-type': type };
    const { json } = await gateway.call('POST', path, { token, text: '{}', headers });
    expect(json.code).toBe('invalid_request');
  });

  test.each([
    ['Authorization: Bearer nobody', 'Content-Length: 2', 401],
    ['Authorization: Bearer $TOKEN', 'Content-Length: 70000', 413],
    ['Authorization: Bearer $TOKEN', 'Content-Type: text/plain', 415],
    ['Authorization: Bearer $TOKEN', 'Content-Length: 2', 100],
    ['Authorization: Bearer  $TOKEN', 'Transfer-Encoding: chunked', 100],
  ])('that wait for 100 Continue: with %s and %s it is %i', async (authorization, other, status) => {
    const fields = [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      'Expect: 100-continue',
      authorization.replace('$TOKEN', token),
      other,
    ];
    if (!other.startsWith('Content-Type')) fields.push('Content-Type: application/json');
    else fields.push('Content-Length: 2');
    const client = new RawClient(gateway.port);
    client.send(head(fields));
    await client.until(() => client.statuses().length > 0);
    expect(client.statuses()).toEqual([status]);
    if (status === 100) {
      client.send(other.startsWith('Transfer') ? '2\r\n{}\r\n0\r\n\r\n' : '{}');
      await client.until(() => client.statuses().length === 2);
      expect(client.statuses()).toEqual([100, 400]);
    }
    client.socket.destroy();
  });
});

describe('routes', () => {
  test('that do not exist', async () => {
    for (const path of ['/v1', '/v1/none', '/config', '/..%2f..%2fetc/passwd', '//x']) {
      const answer = await gateway.call('GET', path);
      expect([path, answer.status, answer.json.code]).toEqual([path, 404, 'route_not_found']);
    }
  });

  test('that take another method name the ones they take', async () => {
    const answer = await gateway.call('GET', '/v1/jackpot/instances/gold/contributions');
    expect([answer.status, answer.json.code, answer.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      'POST',
    ]);
    const users = await gateway.call('PUT', '/config/service-users/somebody');
    expect([users.status, users.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
    const options = await gateway.call('OPTIONS', '/auth/admin');
    expect([options.status, options.headers.allow]).toEqual([405, 'POST']);
  });

  test.each([
    ['that is no JSON', { text: '{' }],
    ['with a key twice', { text: '{"a":1,"a":2}' }],
    ['that is too deep', { text: '['.repeat(40) }],
    ['of another type', { text: 'a,b', headers: { 'content-type': 'text/csv' } }],
    ['of no type', { text: 'x', headers: { 'content-type': '' } }],
    ['that is too large', { text: `"${'x'.repeat(70_000)}"` }],
  ])('say that there is none before they look at a body %s', async (_, body) => {
    const missing = await gateway.call('POST', '/v1/none', body);
    expect([missing.status, missing.json.code]).toEqual([404, 'route_not_found']);
    const contributions = '/v1/jackpot/instances/gold/contributions';
    for (const [method, path, allow] of [
      ['PUT', contributions, 'POST'],
      ['DELETE', contributions, 'POST'],
      ['PATCH', '/v1/currencies', 'GET, HEAD'],
      ['POST', '/v1/openapi.json', 'GET, HEAD'],
    ] as const) {
      const { status, json, headers } = await gateway.call(method, path, body);
      expect([path, status, json.code, headers.allow]).toEqual([path, 405, 'method_not_allowed', allow]);
    }
    const feed = await gateway.call('POST', '/events/service', body);
    expect([feed.status, feed.json.code]).toEqual([426, 'upgrade_required']);
  });

  test('that do not exist leave the connection usable, whatever the body was', async () => {
    const large = `POST /v1/none HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`;
    const answer = await gateway.raw(`${large}GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test('of feeds want an upgrade', async () => {
    const answer = await gateway.call('GET', '/events/acme/main');
    expect([answer.status, answer.json.code]).toEqual([426, 'upgrade_required']);
  });

  test('answer every request under a new id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await gateway.call('GET', '/livez')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(5);
  });
});

describe('upgrades', () => {
  const upgrade = (path: string) =>
    head([
      `GET ${path} HTTP/1.1`,
      'Host: a',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      'X-Forwarded-For: 9.9.9.9',
    ]);

  test('of feeds reach the fan-out and its bytes come back', async () => {
    fanoutSaw = '';
    const answer = await gateway.raw(upgrade('/events/service?token=abc'));
    expect(answer).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\nframes');
    expect(fanoutSaw).toContain('GET /events/service?token=abc HTTP/1.1');
    expect(fanoutSaw).toContain('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
    expect(fanoutSaw).toContain('X-Forwarded-For: 127.0.0.1');
    expect(fanoutSaw).not.toContain('9.9.9.9');
  });

  test('of anything else are no upgrades', async () => {
    const closing = (path: string) =>
      upgrade(path).replace('Connection: Upgrade', 'Connection: close, Upgrade');
    expectError(await gateway.raw(closing('/v1/other')), 404, 'route_not_found');
    expect(statusOf(await gateway.raw(closing('/livez')))).toBe(200);
  });

  test('to HTTP/2 are not taken, and the request is answered, body and all, as is the next one', async () => {
    const body = JSON.stringify({ username: 'nobody', password: 'wrong' });
    const offer = head([
      'POST /v1/auth/service HTTP/1.1',
      'Host: a',
      'Connection: Upgrade, HTTP2-Settings, close',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]);
    expectError(await gateway.raw(offer + body), 401, 'invalid_credentials');
    const next = head(['GET /livez HTTP/1.1', 'Host: a', 'Connection: close']);
    const kept = offer.replace(', close', '') + body + next;
    const answers = (await gateway.raw(kept)).match(/HTTP\/1\.1 \d+/g);
    expect(answers).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('are refused with an error while no fan-out listens', async () => {
    const alone = await startTestGateway({ fanoutPort: 1 });
    expectError(await alone.raw(upgrade('/events/service?token=abc')), 503, 'overloaded');
    await alone.stop();
  });
});

describe('the limit on public reads', () => {
  test('refuses what is over it until the second is over, but never a probe', async () => {
    const limited = await startTestGateway({ publicGetsPerSecond: 20 });
    limited.stopClock();
    const read = async () => (await limited.call('GET', '/.well-known/jwks.json')).status;
    const statuses = await Promise.all(Array.from({ length: 45 }, read));
    expect(statuses.toSorted()).toEqual([...Array(20).fill(200), ...Array(25).fill(429)]);
    expect((await limited.call('GET', '/livez')).status).toBe(200);
    limited.nowMs += 1000;
    expect(await read()).toBe(200);
    await limited.stop();
  });
});

describe('readiness', () => {
  test('is refused with the reason while the gateway is not ready', async () => {
    const unready = await startTestGateway({ notReady: () => new PublicError('overloaded') });
    const answer = await unready.call('GET', '/readyz');
    expect([answer.status, answer.json.code]).toEqual([503, 'overloaded']);
    expect((await unready.call('GET', '/livez')).status).toBe(200);
    await unready.stop();
  });
});
