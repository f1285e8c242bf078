import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

/** As its bytes of UTF-8 stand in a header. */
const asUtf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const key = 'schlüssel-🎰';
const path = '/v1/jackpot/instances/gold/contributions';
const body = {
  token: 'session',
  brand_id: 'main',
  player_id: 'p',
  player_country: 'DE',
  base_wager: 1,
  currency: 'EUR',
};

describe.each([
  ['with the fast path', true],
  ['without it', false],
])('names in a request, %s', (_, fastPaths) => {
  let gateway: TestGateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ fastPaths });
    token = await gateway.serviceToken();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.commands.length = 0;
  });
  const keys = () => gateway.commands.map((command) => (command as Contribute).idempotencyKey);
  /** The code of the answer, or its status. */
  async function ask(line: string, headers: readonly string[], content = ''): Promise<string | undefined> {
    const client = new RawClient(gateway.port);
    const length = content === '' ? [] : [`Content-Length: ${Buffer.byteLength(content)}`];
    const head = [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers, ...length];
    client.send(`${head.join('\r\n')}\r\n\r\n${asUtf8(content)}`);
    client.socket.end();
    return (await client.ending())[0];
  }
  const post = (headers: readonly string[], changes: object = {}) =>
    ask(
      `POST ${path}`,
      ['Content-Type: application/json', ...headers],
      JSON.stringify({ ...body, ...changes }),
    );

  it('a key in UTF-8 is one key in the header and in the body', async () => {
    const header = `Idempotency-Key: ${asUtf8(key)}`;
    expect(await post([], { idempotency_key: key })).toBe('200');
    expect(await post([header])).toBe('200');
    expect(await post([header], { idempotency_key: key })).toBe('200');
    const [first, ...others] = keys();
    expect(first).not.toBeNull();
    expect(others).toEqual([first, first]);
  });

  it.each(['Idempotency-Key', 'X-Player-Token', 'X-Key-Id', 'X-Nonce', 'If-Match'])(
    'a %s that is not UTF-8 is refused',
    async (name) => {
      expect(await post([`${name}: \u00e9`])).toBe('malformed_http');
      expect(keys()).toEqual([]);
    },
  );

  it('a header that names nothing may have any bytes', async () => {
    expect(await post(['X-Note: \u00e9'])).toBe('200');
  });

  it.each([
    ['bytes of UTF-8', asUtf8('/v1/jackpot/sources/ü?player_id=x'), 'malformed_http'],
    ['other bytes', '/v1/jackpot/sources/x?player_id=ü', 'malformed_http'],
    ['a broken encoding in its path', '/v1/jackpot/sources/%FF?player_id=x', 'malformed_http'],
    ['a broken encoding in its query', '/v1/jackpot/sources?owner_id=%FF', 'invalid_parameter'],
  ])('a target with %s is refused', async (__, target, code) => {
    expect(await ask(`GET ${target}`, [])).toBe(code);
  });
});
