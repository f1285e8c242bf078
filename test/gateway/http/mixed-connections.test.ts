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
const login = (body = '{"username":"nobody"}') =>
  `POST /v1/auth/service HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

/** Answers of Node's server say how long it keeps the connection; the fast path's do not. */
function fronts(client: RawClient): string {
  return client.text
    .split(/HTTP\/1\.1 (?=[2-5]\d\d)/)
    .slice(1)
    .map((answer) => (answer.includes('\r\nKeep-Alive: ') ? 'n' : 'f'))
    .join('');
}

/** Everything that a real client puts between its contributions, with the status of its answer. */
const others: readonly (readonly [string, () => string, string])[] = [
  ['a log-in', () => login(), '400'],
  ['a list', () => get('/v1/currencies'), '200'],
  [
    'a list with a query and a token',
    () => get('/v1/currencies?x=1', `Authorization: Bearer ${token}\r\n`),
    '200',
  ],
  ['HEAD', () => get('/livez').replace('GET', 'HEAD'), '200'],
  ['no route', () => get('/v1/elsewhere'), '404'],
  ['an unusual header', () => one('odd', { extra: ['X-Odd: \u00e4'] }), '200'],
  ['an expectation', () => one('expected', { extra: ['Expect: 100-continue'] }), '200'],
  [
    'an offer of h2c',
    () => get('/livez', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
    '200',
  ],
  ['a chunked body', () => chunked(token, `${chunkOf(contributionBody('c'))}0\r\n\r\n`), '200'],
  [
    'a chunked body full of empty lines, with an extension and a trailer',
    () =>
      chunked(
        token,
        `${chunkOf('{\r\n\r\n')}3;a="b"\r\n\r\n\r\r\n${chunkOf(`\n${contributionBody('d').slice(1)}\r\n\r\n`)}0\r\nX-Trailer: 1\r\n\r\n`,
      ),
    '200',
  ],
  ['a chunked body of a refused caller', () => chunked('nobody', `${chunkOf('{}\r\n\r\n')}0\r\n\r\n`), '401'],
  ['a body that ends with empty lines', () => login('{"username":"x"}\r\n\r\n\r\n'), '400'],
  ['an empty line', () => `\r\n${get('/livez')}`, '200'],
];

describe.each(others)('%s between contributions', (_name, other, status) => {
  test('leaves the connection to the fast path', async () => {
    const client = new RawClient(gateway.port);
    for (let round = 0; round < 3; round += 1) {
      client.send(one(`k${round}`));
      await client.until(() => fronts(client).length === 2 * round + 1);
      client.send(other());
      await client.until(() => fronts(client).length === 2 * round + 2);
    }
    client.send(one('last'));
    await client.until(() => fronts(client).length === 7);
    expect(fronts(client)).toMatch(/^f.f.f.f$/);
    expect(client.statuses().filter((each) => each !== 100)).toEqual([
      200,
      Number(status),
      200,
      Number(status),
      200,
      Number(status),
      200,
    ]);
    client.socket.destroy();
  });

  test('is answered in its place, wherever packets are cut', async () => {
    const bytes = one('a') + other() + one('b') + other() + other() + one('c');
    const whole = new RawClient(gateway.port);
    whole.send(bytes);
    await whole.until(() => fronts(whole).length === 6);
    const dripping = new RawClient(gateway.port);
    for (const byte of Buffer.from(bytes, 'latin1')) {
      dripping.send(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    await dripping.until(() => fronts(dripping).length === 6);
    for (const client of [whole, dripping]) {
      const expected = [200, Number(status), 200, Number(status), Number(status), 200];
      expect(client.statuses().filter((each) => each !== 100)).toEqual(expected);
      client.socket.destroy();
    }
    expect(fronts(whole)[5]).toBe('f');
  });
});

test('a body behind the answer that refused its head is not taken for a request', async () => {
  const client = new RawClient(gateway.port);
  const refused = one('x', { extra: ['Expect: 100-continue'] }).replace(token, 'nobody');
  const [head, body] = refused.split(/(?<=\r\n\r\n)/) as [string, string];
  client.send(head);
  await client.until(() => client.text.includes('HTTP/1.1 401'));
  client.send(body.slice(0, 10));
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.send(body.slice(10) + one('y'));
  await client.ending();
  expect(client.statuses()).toEqual([401]);
  expect(client.text).toContain('\r\nConnection: close\r\n');
  expect(gateway.commands).toHaveLength(0);
});

test('requests of all kinds run one at a time, in the order in which they were sent', async () => {
  held = [];
  const client = new RawClient(gateway.port);
  const unusual = { extra: ['X-Odd: \u00e4'] };
  client.send(
    one('a', unusual) + one('b') + one('c', unusual) + one('d', unusual) + get('/livez') + one('e'),
  );
  for (const [index, key] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    await client.until(() => held!.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(gateway.commands).toHaveLength(index + 1);
    expect(gateway.commands[index]).toMatchObject({ player: `player-${key}` });
    held.shift()!();
  }
  expect(await client.answers(6)).toEqual(Array(6).fill(200));
  client.socket.destroy();
});

test('what follows a request that is the last of its connection is not done', async () => {
  for (const last of ['Connection: close\r\n', 'Connection: Close\r\nX: y\r\n']) {
    const client = new RawClient(gateway.port);
    client.send(one('a') + get('/livez', last) + one('b'));
    expect(await client.ending()).toEqual(['200', '200']);
  }
  expect(gateway.commands).toHaveLength(2);
});

test('a caller that ends its side in the middle of a request is told so, behind the answers', async () => {
  for (const cut of [
    login().slice(0, -3),
    chunked(token, '5\r\n{"tok'),
    get('/v1/currencies').slice(0, -2),
  ]) {
    const client = new RawClient(gateway.port);
    client.socket.end(one('a') + get('/livez') + cut, 'latin1');
    expect((await client.ending()).slice(0, 2)).toEqual(['200', '200']);
    expect(client.outcomes().slice(2)).toEqual(['malformed_http']);
    expect(client.ended).toBe(true);
  }
});

test('an offer of another protocol that is the last of its caller is answered, with or without a body', async () => {
  const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA';
  const posted = one('a', { extra: [offer] });
  for (const last of [get('/livez', `${offer}\r\n`), posted]) {
    for (const before of ['', one('b'), get('/livez'), login()]) {
      const client = new RawClient(gateway.port);
      client.socket.end(before + last, 'latin1');
      expect((await client.ending()).at(-1), before + last).toBe('200');
      expect(client.statuses()).toHaveLength(before === '' ? 1 : 2);
    }
  }
  const cut = new RawClient(gateway.port);
  cut.socket.end(posted.slice(0, -5), 'latin1');
  expect(await cut.ending()).toEqual(['malformed_http']);
});

test('a connection that comes back may rest as long as any other', async () => {
  const clients = [get('/livez'), one('a') + get('/livez'), get('/livez') + one('b')].map((bytes) => {
    const client = new RawClient(gateway.port);
    client.send(bytes);
    return client;
  });
  await new Promise((resolve) => setTimeout(resolve, 6_500));
  for (const client of clients) {
    const before = client.statuses().length;
    expect(client.ended).toBe(false);
    client.send(one('c'));
    expect(await client.answers(before + 1)).toEqual(Array(before + 1).fill(200));
    client.socket.destroy();
  }
});

test('a gateway that stops ends connections that came back as it ends others', async () => {
  const own = await startTestGateway();
  const idle = new RawClient(own.port);
  idle.send(get('/livez'));
  await idle.answers(1);
  const stopped = own.stop();
  expect(await idle.ending()).toEqual(['200']);
  await stopped;
});
