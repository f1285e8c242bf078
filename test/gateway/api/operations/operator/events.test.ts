import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseClientMessage } from '../../../../../src/contracts/feeds/feed.ts';
import { feedSubject } from '../../../../../src/log/base/names.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ eventsPerSecond: 10 });
  gateway.stopClock();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.nowMs += 2_000;
  gateway.published.length = 0;
});
afterEach(() => {
  gateway.busConnected = true;
});

const event = (changes: object = {}) => ({
  source: 'campaign',
  event_type: 'Started',
  brand_id: 'main',
  data: { prize: '5.00' },
  ...changes,
});
const post = (changes: object = {}, bearer = token) =>
  gateway.call('POST', '/v1/events', { token: bearer, body: event(changes) });

describe('POST /v1/events', () => {
  test('passes an event of a brand or of its player on, and answers at once', async () => {
    const whole = await post();
    expect([whole.status, whole.text]).toEqual([202, '']);
    await post({ source: 'drop', brand_id: 'acme:main', player_id: 'ada', event_type: 'Dropped', data: [1] });
    const timestamp = gateway.nowMs;
    const common = { brand: 'acme:main', timestamp };
    expect(gateway.published).toEqual([
      {
        subject: feedSubject('acme'),
        event: {
          ...common,
          source: 'campaign',
          event_type: 'Started',
          player: null,
          data: '{"prize":"5.00"}',
        },
      },
      {
        subject: feedSubject('acme'),
        event: { ...common, source: 'drop', event_type: 'Dropped', player: 'ada', data: '[1]' },
      },
    ]);
  });

  test('takes a type of 64 characters, however many bytes they have', async () => {
    const event_type = '🎡'.repeat(64);
    expect((await post({ event_type })).status).toBe(202);
    expect(gateway.published).toMatchObject([{ event: { event_type } }]);
    const entry = { source: 'campaign', event_type };
    expect(parseClientMessage(JSON.stringify({ SubscribeRequest: { events: [entry] } }))).not.toBeNull();
  });

  test.each([
    [{ source: 'jackpot' }, 400, 'invalid_request'],
    [{ source: undefined }, 400, 'invalid_request'],
    [{ event_type: '' }, 400, 'invalid_request'],
    [{ event_type: '*' }, 400, 'invalid_request'],
    [{ event_type: 'x'.repeat(65) }, 400, 'invalid_request'],
    [{ event_type: '🎡'.repeat(65) }, 400, 'invalid_request'],
    [{ event_type: 'a\u0000b' }, 400, 'invalid_request'],
    [{ brand_id: 'a b' }, 400, 'invalid_identifier'],
    [{ player_id: '' }, 400, 'invalid_identifier'],
    [{ data: undefined }, 400, 'invalid_request'],
    [{ data: null }, 400, 'invalid_request'],
    [{ instance_id: 'gold' }, 400, 'invalid_request'],
    [{ brand_id: 'nothing' }, 404, 'brand_not_found'],
    [{ brand_id: 'rival:main' }, 404, 'brand_not_found'],
    [{ brand_id: 'closed' }, 403, 'owner_disabled'],
    [{ data: { text: 'x'.repeat(8_200) } }, 413, 'payload_too_large'],
    [{ data: Object.fromEntries(Array.from({ length: 300 }, (_, key) => [key, 1])) }, 400, 'invalid_request'],
  ])('with %j is %i %s and goes nowhere', async (changes, status, code) => {
    const answer = await post(changes);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(gateway.published).toEqual([]);
  });

  test('too deep data are refused, and others go on as they were written', async () => {
    const postText = (data: string) => {
      const text = JSON.stringify(event()).replace('{"prize":"5.00"}', data);
      return gateway.call('POST', '/v1/events', { token, text });
    };
    expect((await postText('['.repeat(17) + ']'.repeat(17))).json.code).toBe('payload_too_deep');
    expect(
      (await postText('{"data": 12345678901234567890, "x":[1.0, 1e400, "\\u00e9 ,\\"data\\":"]}')).status,
    ).toBe(202);
    expect(gateway.published).toMatchObject([
      { event: { data: '{"data":12345678901234567890,"x":[1.0,1e400,"\\u00e9 ,\\"data\\":"]}' } },
    ]);
  });

  test('is for services of the operator, within their brands', async () => {
    const narrow = await gateway.serviceToken('acme', ['acme:second']);
    expect((await post({}, narrow)).json.code).toBe('brand_forbidden');
    expect((await post({ brand_id: 'second' }, narrow)).status).toBe(202);
    expect((await post({}, await gateway.adminToken(['config'], ['*']))).json.code).toBe('unauthenticated');
    expect((await gateway.call('POST', '/v1/events', { body: event() })).json.code).toBe('unauthenticated');
    expect((await post({}, await gateway.serviceToken('asleep'))).status).toBeGreaterThanOrEqual(401);
  });

  test('has a limit for each operator, in which large events count as several', async () => {
    const other = await gateway.serviceToken('acme');
    for (let sent = 0; sent < 10; sent += 1)
      expect((await post({}, [token, other][sent % 2])).status).toBe(202);
    const refused = await post();
    expect([refused.status, refused.json.code, refused.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '1',
    ]);
    expect((await post({}, await gateway.serviceToken('rival'))).status).toBe(202);
    gateway.nowMs += 1_000;
    for (const status of [202, 202, 429])
      expect((await post({ data: 'x'.repeat(6_000) })).status).toBe(status);
    expect(gateway.published).toHaveLength(13);
  });

  test('is refused while nobody would hear it', async () => {
    gateway.busConnected = false;
    expect((await post()).json.code).toBe('storage_unavailable');
  });
});
