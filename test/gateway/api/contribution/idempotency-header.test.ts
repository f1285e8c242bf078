import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import { StreamClient, textOf } from '../../stream/stream-client.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const firstVersion = {
  token: 'session',
  brand_id: 'main',
  player_id: 'p',
  player_country: 'DE',
  base_wager: 1,
  currency: 'EUR',
};
const secondVersion = {
  target: { type: 'instance', id: 'gold' },
  source: { type: 'gameround', id: 'r' },
  operator_id: 'acme',
  player: { id: 'p', token: 'session', country: 'DE', brand_id: 'main' },
  base_wager: { value: 1, currency: 'EUR' },
};
const withKey = (key: string) => ({ idempotency_key: key });
const routes = [
  ['O8', '/v1/jackpot/instances/gold/contributions', (of = {}) => ({ ...firstVersion, ...of })],
  ['O9', '/v1/jackpot/sources/slot-1/contributions', (of = {}) => ({ ...firstVersion, ...of })],
  ['O16', '/v2/jackpot/contributions', (of = {}) => ({ ...secondVersion, options: of })],
] as const;

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.commands.length = 0;
});
const keys = () => gateway.commands.map((command) => (command as Contribute).idempotencyKey);

describe.each(routes)('the header Idempotency-Key of %s', (_, path, bodyOf) => {
  const post = (header: string, of: object = {}) =>
    gateway.call('POST', path, { token, headers: { 'Idempotency-Key': header }, body: bodyOf(of) });

  it('is the key of the body, quoted or not', async () => {
    await gateway.call('POST', path, { token, body: bodyOf(withKey('k"1\\')) });
    for (const header of ['k"1\\', '"k\\"1\\\\"']) {
      expect((await post(header)).status).toBe(200);
      expect((await post(header, withKey('k"1\\'))).status).toBe(200);
    }
    const [first, ...others] = keys();
    expect(first).not.toBeNull();
    expect(others).toEqual([first, first, first, first]);
  });

  it.each([
    ['k', withKey('other')],
    ['"k"', withKey('"k"')],
    ['', {}],
    ['""', {}],
    ['"k', {}],
    ['"k"; a=1', {}],
    ['"a" "b"', {}],
    ['k'.repeat(256), {}],
  ])('%s with %j in the body is refused', async (header, of) => {
    const answer = await post(header, of);
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(gateway.commands).toEqual([]);
  });

  it.each([
    ['X-Idempotency-Key', 'k'],
    ['If-Match', '1'],
    ['If-None-Match', '*'],
    ['If-Unmodified-Since', 'Thu, 01 Jan 2026 00:00:00 GMT'],
  ])('%s is none, and refused', async (name, value) => {
    const answer = await gateway.call('POST', path, { token, headers: { [name]: value }, body: bodyOf() });
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(answer.json.message).toContain(name.toLowerCase());
    expect(gateway.commands).toEqual([]);
  });

  it('in the query is refused', async () => {
    const answer = await gateway.call('POST', `${path}?idempotency_key=k`, { token, body: bodyOf() });
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_parameter']);
    expect(gateway.commands).toEqual([]);
  });
});

describe('a stream', () => {
  it.each([
    [{ 'Idempotency-Key': 'k' }, '', 'invalid_request'],
    [{ 'X-Idempotency-Key': 'k' }, '', 'invalid_request'],
    [{}, '?idempotency_key=k', 'invalid_parameter'],
  ])('with the headers %j and the query %s takes no line', async (headers, query, code) => {
    const answer = await gateway.call('POST', `/v2/jackpot/contributions/stream${query}`, {
      token,
      headers: { 'content-type': 'application/x-ndjson', ...headers },
      text: textOf([{ ref: 1, ...secondVersion }]),
    });
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect(gateway.commands).toEqual([]);
  });

  it('without one does', async () => {
    const client = new StreamClient(gateway.port, { token });
    client.sendLines([{ ref: 1, ...secondVersion }]);
    client.end();
    await client.results();
    expect(keys()).toEqual([null]);
  });
});

it('a nonce without a signature is no signed request, and refused', async () => {
  const [, path, bodyOf] = routes[0];
  const answer = await gateway.call('POST', path, { token, headers: { 'X-Nonce': 'n' }, body: bodyOf() });
  expect([answer.status, answer.json.code]).toEqual([401, 'signature_invalid']);
});
