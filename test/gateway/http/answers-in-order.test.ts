import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { chunked, chunkOf, contribution, contributionBody, RawClient } from '../support/raw-client.ts';

let gateway: TestGateway;
let token: string;
/** Contributions whose lane has not answered yet; null: it answers at once. */
let held: (() => void)[] | null;

beforeEach(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
  held = null;
  gateway.respond = (command) => {
    if (held === null) return quiet(command);
    return new Promise<CommandOutcome>((resolve) => held!.push(() => resolve(quiet(command))));
  };
});
afterEach(() => gateway.stop());

const one = (key: string, options = {}) => contribution(token, key, options);
const connectionOf = (bytes: string) => {
  const client = new RawClient(gateway.port);
  client.send(bytes);
  return client;
};
const unusual = { extra: ['X-Odd: \u00e4'] };

const malformed: readonly (readonly [string, string, string])[] = [
  ['garbage', 'garbage\r\n\r\n', 'malformed_http'],
  ['a request with bare line feeds', 'GET /livez HTTP/1.1\nHost: a\n\n', 'malformed_http'],
  [
    'two Content-Lengths',
    'POST /auth/admin HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    'malformed_http',
  ],
  [
    'a header of 20 KB',
    `GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    'headers_too_large',
  ],
  [
    'a transfer coding that is none',
    `POST /auth/admin HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n`,
    'malformed_http',
  ],
];

describe('an answer under way is written before an error about the bytes behind it', () => {
  describe.each(malformed)('%s', (_name, bytes, code) => {
    test('in the same packet', async () => {
      expect(await connectionOf(one('a') + bytes).ending()).toEqual(['200', code]);
      expect(gateway.commands.length).toBe(1);
    });

    test('behind three contributions', async () => {
      const client = connectionOf(one('a') + one('b') + one('c') + bytes);
      expect(await client.ending()).toEqual(['200', '200', '200', code]);
      expect(gateway.commands.length).toBe(3);
    });

    test('in a packet of its own, while the lane has not answered', async () => {
      held = [];
      for (const first of [one('a'), one('b', unusual)]) {
        const client = connectionOf(first);
        await client.until(() => held!.length > 0);
        client.send(bytes);
        await new Promise((resolve) => setTimeout(resolve, 30));
        expect(client.text).toBe('');
        held.shift()!();
        expect(await client.ending()).toEqual(['200', code]);
      }
    });
  });

  test.each([
    ['on the fast path', [{}]],
    ["on Node's server", [unusual]],
    ['on both', [{}, unusual]],
  ])('although the caller has ended its side meanwhile, %s', async (_name, requests) => {
    held = [];
    const client = new RawClient(gateway.port);
    const bytes = requests.map((options, index) => one(`k${index}`, options)).join('');
    client.socket.end(`${bytes}garbage\r\n\r\n`, 'latin1');
    for (const _ of requests) {
      await client.until(() => held!.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 30));
      held.shift()!();
    }
    expect(await client.ending()).toEqual([...requests.map(() => '200'), 'malformed_http']);
  });

  test('an HTTP/1.0 request that keeps its connection', async () => {
    const first = one('a', { version: '1.0', extra: ['Connection: keep-alive'] });
    expect(await connectionOf(`${first}garbage\r\n\r\n`).ending()).toEqual(['200', 'malformed_http']);
  });

  test.each([
    ['HTTP/1.0', { version: '1.0' }],
    ['Connection: close', { extra: ['Connection: close'] }],
  ])('but what follows a request that is the last (%s) is not looked at', async (_name, options) => {
    expect(await connectionOf(one('a', options) + one('b')).ending()).toEqual(['200']);
    expect(await connectionOf(`${one('c', options)}garbage\r\n\r\n`).ending()).toEqual(['200']);
    expect(gateway.commands.length).toBe(2);
  });

  test('a head that does not arrive: 408 behind the answers', async () => {
    held = [];
    const client = connectionOf(`${one('a')}GET /livez HTTP/1.1\r\nHos`);
    await client.until(() => held!.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 6_500));
    expect(client.text).toBe('');
    held.shift()!();
    expect(await client.ending()).toEqual(['200', 'request_timeout']);
  });
});

describe('a body that turns out malformed', () => {
  const broken = 'zz\r\nno chunk\r\n';

  test('is the answer of its own request, behind the answers before it', async () => {
    held = [];
    const client = connectionOf(one('a') + chunked(token, `5\r\n{"tok\r\n${broken}`));
    await client.until(() => held!.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.text).toBe('');
    held.shift()!();
    expect(await client.ending()).toEqual(['200', 'malformed_http']);
    expect(gateway.commands.length).toBe(1);
  });

  test.each(['/v1/jackpot/instances/gold/contributions', '/auth/admin'])(
    'gives no second answer where there is one already (%s)',
    async (path) => {
      const refused = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const client = connectionOf(refused);
      await client.answers(1);
      client.send(broken);
      expect(await client.ending()).toEqual(['unsupported_media_type']);
      expect(await connectionOf(refused + broken).ending()).toEqual(['unsupported_media_type']);
    },
  );

  test('ends before its announced length: one answer, on both paths', async () => {
    for (const bytes of [one('a'), one('b', unusual)]) {
      const client = new RawClient(gateway.port);
      client.socket.end(bytes.slice(0, -5), 'latin1');
      expect(await client.ending()).toEqual(['malformed_http']);
    }
    expect(gateway.commands).toEqual([]);
  });
});

describe('transfer codings', () => {
  const whole = (key: string) => `${chunkOf(contributionBody(key))}0\r\n\r\n`;

  test.each([
    ['a name nobody knows', ['Transfer-Encoding: xchunked']],
    ['one before chunked', ['Transfer-Encoding: gzip, chunked']],
    ['one behind chunked', ['Transfer-Encoding: chunked, gzip']],
    ['identity', ['Transfer-Encoding: identity']],
    ['an empty one', ['Transfer-Encoding:']],
    ['chunked twice', ['Transfer-Encoding: chunked, chunked']],
    ['two lines', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['two lines that differ', ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked']],
    ['a parameter', ['Transfer-Encoding: chunked;q=1']],
    ['a Content-Length beside it', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
    ['a Content-Length before it', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['a folded line', ['Transfer-Encoding:', ' chunked']],
    ['a space before the colon', ['Transfer-Encoding : chunked']],
    ['a control character', ['Transfer-Encoding: \x0bchunked']],
  ])('%s: refused once, and the connection ends', async (_name, coding) => {
    const requests = [token, 'nobody'].flatMap((caller) => {
      const bytes = chunked(caller, whole('a'), coding);
      const elsewhere = ['/auth/admin', '/v1/elsewhere'].map((path) =>
        bytes.replace(/^POST [^ ]+/, `POST ${path}`),
      );
      return [bytes, ...elsewhere];
    });
    const ends = await Promise.all(requests.map((bytes) => connectionOf(bytes + one('behind')).ending()));
    expect(ends).toEqual(requests.map(() => ['malformed_http']));
    expect(gateway.commands).toEqual([]);
  });

  test('any in HTTP/1.0: refused once, and the connection ends', async () => {
    const coding = ['Transfer-Encoding: chunked', 'Connection: keep-alive'];
    const client = connectionOf(chunked(token, whole('a'), coding, '1.0') + one('behind'));
    expect(await client.ending()).toEqual(['malformed_http']);
    expect(gateway.commands).toEqual([]);
  });

  test.each([
    ['a sign', '+5\r\n'],
    ['a prefix', '0x5\r\n'],
    ['no number', '\r\n'],
    ['a space before it', ' 5\r\n'],
    ['too many digits', 'fffffffffffffffff\r\n'],
    ['a bare line feed', '5\n'],
  ])('a chunk size with %s', async (_name, size) => {
    const client = connectionOf(chunked(token, `${size}{"a":\r\n0\r\n\r\n`));
    expect(await client.ending()).toEqual(['malformed_http']);
    expect(gateway.commands).toEqual([]);
  });

  test('chunked, in any case, with extensions and trailers', async () => {
    const body = contributionBody('a');
    const extended = `${Buffer.byteLength(body).toString(16)};name="value"\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`;
    const client = connectionOf(chunked(token, extended, ['Transfer-Encoding: Chunked']) + one('b'));
    expect(await client.answers(2)).toEqual([200, 200]);
    client.socket.destroy();
  });
});

describe('an offer of another protocol that is not taken', () => {
  const offer = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n`;

  test('is answered in its place among the requests of its connection', async () => {
    held = [];
    const bytes = one('a') + offer('/v1/elsewhere') + one('b') + offer('/livez') + one('c');
    const client = connectionOf(bytes);
    await client.until(() => held!.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.text).toBe('');
    held.shift()!();
    await client.until(() => held!.length === 1);
    held.shift()!();
    await client.until(() => held!.length === 1);
    held.shift()!();
    await client.answers(5);
    expect(client.outcomes()).toEqual(['200', 'route_not_found', '200', '200', '200']);
    client.send(one('d'));
    held = null;
    expect(await client.answers(6)).toHaveLength(6);
    client.socket.destroy();
  });

  test('a websocket behind a request gets its refusal behind the answer', async () => {
    held = [];
    const websocket = offer('/events/service?token=x').replace('h2c', 'websocket');
    const client = connectionOf(one('a') + websocket);
    await client.until(() => held!.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.text).toBe('');
    held.shift()!();
    expect(await client.ending()).toEqual(['200', 'overloaded']);
  });

  test('a CONNECT behind a request', async () => {
    held = [];
    const client = connectionOf(`${one('a')}CONNECT elsewhere:443 HTTP/1.1\r\nHost: a\r\n\r\n`);
    await client.until(() => held!.length === 1);
    held.shift()!();
    expect(await client.ending()).toEqual(['200', 'route_not_found']);
  });

  test('an expectation that nobody meets, behind a request', async () => {
    held = [];
    const client = connectionOf(
      `${one('a')}GET /livez HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n${one('b')}`,
    );
    await client.until(() => held!.length === 1);
    held.shift()!();
    expect(await client.ending()).toEqual(['200', 'malformed_http']);
    expect(gateway.commands.length).toBe(1);
  });
});

describe('what is behind a refusal that ends the connection is not done', () => {
  test('a duplicate header, then a contribution', async () => {
    const refused = one('a', { extra: ['Authorization: Bearer x'] });
    expect(await connectionOf(refused + one('b')).ending()).toEqual(['duplicate_header']);
    expect(gateway.commands).toEqual([]);
  });

  test('metadata that is too large, then a contribution', async () => {
    const large = contributionBody('a').replace('{', `{"metadata":{"m":"${'x'.repeat(9000)}"},`);
    const first = one('a').replace(/Content-Length: .*/s, `Content-Length: ${large.length}\r\n\r\n${large}`);
    expect(await connectionOf(first + one('b')).ending()).toEqual(['payload_too_large']);
    expect(gateway.commands).toEqual([]);
  });
});

describe('a caller that', () => {
  test('ends its side after its requests still gets every answer', async () => {
    for (const options of [{}, unusual]) {
      const client = new RawClient(gateway.port);
      client.socket.end(one('a', options) + one('b', options) + one('c', options), 'latin1');
      expect(await client.ending()).toEqual(['200', '200', '200']);
    }
  });

  test('hangs up leaves nothing behind, and what was not begun is not done', async () => {
    held = [];
    const client = connectionOf(one('a') + one('b') + one('c'));
    await client.until(() => held!.length === 1);
    client.socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    held.shift()!();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(gateway.commands.length).toBe(1);
  });

  test('sends thousands of requests at once gets thousands of answers', async () => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `k${index}`);
    const client = connectionOf(keys.map((key) => one(key)).join(''));
    expect(await client.answers(3_000)).toEqual(Array(3_000).fill(200));
    const players = gateway.commands.map((command) => command.kind === 'Contribute' && command.player);
    expect(players).toEqual(keys.map((key) => `player-${key}`));
    client.socket.destroy();
  });

  test('has requests under way when the server stops gets their answers', async () => {
    held = [];
    const fastPath = connectionOf(one('a'));
    await fastPath.until(() => held!.length === 1);
    const node = connectionOf(one('b', unusual) + one('c', unusual));
    await node.until(() => held!.length === 2);
    const stopped = gateway.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const go of held) go();
    expect(await fastPath.ending()).toEqual(['200']);
    expect(await node.ending()).toEqual(['200', 'shutting_down']);
    await stopped;
    gateway = await startTestGateway();
  });
});
