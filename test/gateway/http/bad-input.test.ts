import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { errorStatus } from '../../../src/contracts/errors/codes.ts';
import { type CallOptions, startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let token: string;
let mainOnly: string;
let admin: string;
let asleep: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
  mainOnly = await gateway.serviceToken('acme', ['acme:main']);
  asleep = await gateway.serviceToken('asleep');
  admin = await gateway.adminToken(['viewer'], ['*']);
});
afterAll(() => gateway.stop());
/** Whatever is refused here changes nothing. */
afterEach(() => expect(gateway.commands).toEqual([]));

const path = '/v1/jackpot/instances/gold/contributions';
const body = {
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'player-1',
  player_country: 'DE',
  base_wager: 10,
  currency: 'EUR',
};
const without = (name: keyof typeof body) => ({ ...body, [name]: undefined });

async function refused(options: CallOptions, code: keyof typeof errorStatus, to = path, method = 'POST') {
  const answer = await gateway.call(method, to, options);
  expect(answer.json).toEqual({ status_code: errorStatus[code], code, message: expect.any(String) });
  expect(answer.status).toBe(errorStatus[code]);
  expect(answer.headers['x-request-id']).toEqual(expect.any(String));
  expect(Object.keys(answer.json)).toEqual(['status_code', 'code', 'message']);
  return answer;
}

describe('syntax', () => {
  test.each([
    ['{', 'invalid_json'],
    ['', 'invalid_request'],
    ['{"a":1,}', 'invalid_json'],
    ['nul', 'invalid_json'],
    ['[]', 'invalid_request'],
    ['null', 'invalid_request'],
    ['"text"', 'invalid_request'],
    ['{"token":"a","token":"b"}', 'duplicate_json_key'],
    ['{"__proto__":{}}', 'invalid_request'],
    [`{"metadata":${'['.repeat(17)}${']'.repeat(17)}}`, 'payload_too_deep'],
  ] as const)('%s', async (text, code) => {
    await refused({ token, text }, code);
  });

  test('bytes that are no UTF-8', async () => {
    const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]);
    await refused({ token, text }, 'invalid_json');
  });

  test.each(['token', 'brand_id', 'player_id', 'player_country', 'base_wager', 'currency'] as const)(
    'without %s',
    async (name) => {
      await refused({ token, body: without(name) }, 'invalid_request');
      await refused({ token, body: { ...body, [name]: null } }, 'invalid_request');
    },
  );

  test('a field that is not documented is named', async () => {
    const answer = await refused({ token, body: { ...body, idempotencykey: 'x' } }, 'invalid_request');
    expect(answer.json.message).toContain('idempotencykey');
  });

  test.each([
    ['base_wager', true],
    ['base_wager', [5]],
    ['base_wager', { value: 5 }],
    ['base_wager', ''],
    ['base_wager', '1e5'],
    ['base_wager', ' 1'],
    ['base_wager', '01'],
    ['base_wager', '1.'],
    ['base_wager', '0x10'],
    ['base_wager', '-'],
    ['base_wager', 'NaN'],
    ['token', 5],
    ['token', ''],
    ['player_id', 5],
    ['currency', ['EUR']],
    ['player_country', 49],
    ['gameround_id', 7],
    ['idempotency_key', ''],
    ['idempotency_key', 'a\u0000b'],
    ['idempotency_key', 'x'.repeat(256)],
    ['idempotency_key', 5],
    ['callback', 'https://example.test'],
    ['callback', { win_result_only: 'yes', web_hook: 'https://example.test' }],
    ['segments', ['x']],
    ['instance_id', 'other'],
  ])('%s as %j', async (name, value) => {
    await refused({ token, body: { ...body, [name]: value } }, 'invalid_request');
  });

  test.each([
    ['player_id', ''],
    ['player_id', 'a\nb'],
    ['player_id', 'x'.repeat(129)],
    ['gameround_id', '\u202e'],
    ['brand_id', 'a b'],
    ['brand_id', 'acme:main:more'],
  ])('identifier %s as %j', async (name, value) => {
    await refused({ token, body: { ...body, [name]: value } }, 'invalid_identifier');
  });

  test('an instance id that cannot be one', async () => {
    await refused({ token, body }, 'invalid_identifier', '/v1/jackpot/instances/a%20b/contributions');
    await refused(
      { token, body },
      'invalid_identifier',
      `/v1/jackpot/instances/${'x'.repeat(65)}/contributions`,
    );
  });

  test('negative zero', async () => {
    await refused({ token, text: JSON.stringify(body).replace('10', '-0') }, 'invalid_request');
    await refused({ token, body: { ...body, base_wager: '-0' } }, 'invalid_request');
  });

  test.each(['-0', '-0.0', '-0.00000000'])('negative zero %s, also for what does not exist', async (zero) => {
    const missing = '/v1/jackpot/instances/none';
    await refused(
      { token, body: { ...body, base_wager: zero } },
      'invalid_request',
      `${missing}/contributions`,
    );
    const { token: _, base_wager, currency, ...optIn } = { ...body, opt_in: true, contribution_value: zero };
    await refused({ token, body: optIn }, 'invalid_request', `${missing}/opt-in`);
    const adjust = '/config/instances/none/pots/none/current-value';
    const finance = await gateway.adminToken(['finance'], ['*']);
    const adjusted = { adjustment: zero, reason: 'why' };
    await refused({ token: finance, body: adjusted }, 'invalid_request', adjust, 'PUT');
  });

  test.each(['-0.1', '-0.00000001', '-1'])('%s is negative, not malformed', async (amount) => {
    await refused({ token, body: { ...body, base_wager: amount } }, 'amount_negative');
  });
});

describe('metadata', () => {
  test('of more than 8 KiB', async () => {
    await refused({ token, body: { ...body, metadata: 'x'.repeat(8 * 1024) } }, 'payload_too_large');
    await refused({ token, body: { ...body, event_metadata: ['x'.repeat(8 * 1024)] } }, 'payload_too_large');
  });

  test('of more than 256 keys', async () => {
    const metadata = { a: Object.fromEntries(Array.from({ length: 256 }, (_, n) => [`k${n}`, n])) };
    await refused({ token, body: { ...body, metadata } }, 'invalid_request');
  });
});

describe('money', () => {
  test.each([
    [-1, 'amount_negative'],
    ['-0.5', 'amount_negative'],
    [-1e-9, 'amount_negative'],
    ['0.123456789', 'amount_precision'],
    [90_000_000_001, 'amount_out_of_range'],
    ['90000000001', 'amount_out_of_range'],
  ] as const)('%s', async (amount, code) => {
    await refused({ token, body: { ...body, base_wager: amount } }, code);
  });

  test('a number beyond all doubles', async () => {
    await refused({ token, text: JSON.stringify(body).replace('10', '1e999') }, 'amount_out_of_range');
  });

  test('comes after state, state after existence, existence after scope', async () => {
    const negative = { ...body, base_wager: -1 };
    await refused(
      { token, body: negative },
      'instance_not_active',
      '/v1/jackpot/instances/old/contributions',
    );
    await refused(
      { token, body: negative },
      'instance_not_found',
      '/v1/jackpot/instances/none/contributions',
    );
    await refused({ token: mainOnly, body: { ...negative, brand_id: 'second' } }, 'brand_forbidden', path);
  });
});

describe('countries and callbacks', () => {
  test.each(['', 'de', 'DEU', 'DE-', 'DE-BYBY', 'D'])('country %j', async (country) => {
    await refused({ token, body: { ...body, player_country: country } }, 'country_invalid');
  });

  test('a callback to an origin that is not registered', async () => {
    const callback = { web_hook: 'https://example.test/hook', win_result_only: null };
    await refused({ token, body: { ...body, callback } }, 'callback_address_not_allowed');
  });
});

describe('who may call', () => {
  test.each([
    [undefined, 'unauthenticated'],
    ['Basic abc', 'unauthenticated'],
    ['Bearer', 'unauthenticated'],
    ['Bearer not.a.token', 'unauthenticated'],
    [`Bearer ${'x'.repeat(5000)}`, 'unauthenticated'],
  ] as const)('%s', async (authorization, code) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await refused({ body, headers }, code);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    // Who it is comes before what the body says.
    await refused({ text: '{', headers }, code);
  });

  test("an administrator's token", async () => {
    await refused({ token: admin, body }, 'unauthenticated');
  });

  test("another operator's brand is as a missing one", async () => {
    const foreign = await refused({ token, body: { ...body, brand_id: 'rival:main' } }, 'brand_not_found');
    const missing = await refused({ token, body: { ...body, brand_id: 'acme:none' } }, 'brand_not_found');
    expect(foreign.text).toBe(missing.text);
  });

  test("another operator's instance and source are as missing ones", async () => {
    const foreign = await refused(
      { token, body },
      'instance_not_found',
      '/v1/jackpot/instances/foreign/contributions',
    );
    const missing = await refused(
      { token, body },
      'instance_not_found',
      '/v1/jackpot/instances/none/contributions',
    );
    expect(foreign.text).toBe(missing.text);
    await refused({ token, body }, 'source_not_found', '/v1/jackpot/sources/rival-slot/contributions');
  });

  test('an own brand that the claims do not name', async () => {
    await refused({ token: mainOnly, body: { ...body, brand_id: 'acme:second' } }, 'brand_forbidden');
    await refused({ token: mainOnly, body: { ...body, brand_id: 'acme:none' } }, 'brand_not_found');
  });

  test('a disabled brand and a disabled operator', async () => {
    await refused({ token, body: { ...body, brand_id: 'closed' } }, 'owner_disabled');
    await refused({ token: asleep, body: { ...body, brand_id: 'main' } }, 'owner_disabled');
  });

  test('version 2 in the name of another operator', async () => {
    const v2 = {
      target: { type: 'instance', id: 'gold' },
      source: { type: 'gameround', id: 'r' },
      operator_id: 'rival',
      player: { id: 'p', token: 't', country: 'DE', brand_id: 'rival:main' },
      base_wager: { currency: 'EUR', value: 1 },
    };
    await refused({ token, body: v2 }, 'operator_not_found', '/v2/jackpot/contributions');
    const wrong = { ...v2, operator_id: 'acme', target: { type: 'pot', id: 'x' } };
    await refused({ token, body: wrong }, 'invalid_request', '/v2/jackpot/contributions');
    const unknown = { ...v2, operator_id: 'acme', options: { idempotencyKey: 'x' } };
    await refused({ token, body: unknown }, 'invalid_request', '/v2/jackpot/contributions');
  });
});

describe('any body at all', () => {
  test('is refused with an error of the list, and changes nothing', async () => {
    const statuses = new Set<number>(Object.values(errorStatus));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json().filter((text) => !text.includes('acme')),
          fc.string(),
          fc
            .record({ ...Object.fromEntries(Object.keys(body).map((name) => [name, fc.jsonValue()])) })
            .map((value) => JSON.stringify({ ...body, ...value, brand_id: 5 })),
        ),
        async (text) => {
          const answer = await gateway.call('POST', path, { token, text });
          expect(statuses.has(answer.status)).toBe(true);
          expect(answer.status).toBeLessThan(500);
          expect(answer.json.code in errorStatus).toBe(true);
          expect(gateway.commands).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
