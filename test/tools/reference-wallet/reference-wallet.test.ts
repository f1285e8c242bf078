import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serverAuthorization } from '../../../src/wallet/client/signature.ts';
import { keys, startTestWallet, type TestWallet } from '../../wallet/support.ts';

const ada = {
  brand_id: 'acme:main',
  player_id: 'ada',
  currency: 'EUR',
  balance: '12.5',
  country: 'DE',
  segments: ['gold'],
  max_bet: '5.00',
};
const question = {
  operator_id: 'acme',
  brand_id: 'acme:main',
  player_token: 'token-of-ada',
  source_id: 'slot-1',
  currency: 'EUR',
};

let wallet: TestWallet;

beforeAll(async () => {
  wallet = await startTestWallet();
});
afterAll(() => wallet.stop());
beforeEach(async () => {
  expect(await wallet.call('PUT', '/control/players', [ada])).toMatchObject({ status: 204 });
  const token = { brand_id: 'acme:main', player_id: 'ada', token: 'token-of-ada' };
  expect(await wallet.call('POST', '/control/tokens', [token])).toMatchObject({ status: 204 });
});

describe('W1 of the reference wallet', () => {
  it('says whose token it is', async () => {
    expect(await wallet.call('POST', '/authenticate', question)).toEqual({
      status: 200,
      json: {
        id: 'ada',
        token: 'token-of-ada',
        currency: 'EUR',
        balance: 12.5,
        operator_id: 'acme',
        brand_id: 'acme:main',
        nickname: 'ada',
        gender: '',
        country: 'DE',
        date_of_birth: '',
        max_bet: '5',
        jurisdiction: '',
        segments: ['gold'],
      },
    });
  });

  it('takes the bare brand, and says the currency of the player whatever is asked', async () => {
    const answer = await wallet.call('POST', '/authenticate', {
      ...question,
      brand_id: 'main',
      currency: 'USD',
      source_id: null,
    });
    expect(answer).toMatchObject({ status: 200, json: { brand_id: 'acme:main', currency: 'EUR' } });
  });

  it('leaves max_bet out where there is none', async () => {
    await wallet.call('PUT', '/control/players', [{ ...ada, player_id: 'ben', max_bet: null }]);
    await wallet.call('POST', '/control/tokens', [
      { brand_id: 'acme:main', player_id: 'ben', token: 'token-of-ben' },
    ]);
    const answer = await wallet.call('POST', '/authenticate', { ...question, player_token: 'token-of-ben' });
    expect(answer.json).not.toHaveProperty('max_bet');
  });

  it.each([
    ['a token that nobody has', { player_token: 'other' }, 422, 'token_invalid'],
    ["another brand's token", { brand_id: 'acme:vip' }, 422, 'token_invalid'],
    ['no token', { player_token: undefined }, 400, 'invalid_request'],
    ["another operator's token", { operator_id: 'other' }, 422, 'token_invalid'],
    ['no operator', { operator_id: null }, 400, 'invalid_request'],
  ])('refuses %s', async (_, changes, status, code) => {
    const answer = await wallet.call('POST', '/authenticate', { ...question, ...changes });
    expect(answer).toMatchObject({ status, json: { status_code: status, code } });
    expect(Object.keys(answer.json as object)).toEqual(['status_code', 'code', 'message']);
  });

  it('ignores fields that it does not know, as newer shapes have them', async () => {
    const answer = await wallet.call('POST', '/authenticate', { ...question, device: 'phone' });
    expect(answer).toMatchObject({ status: 200, json: { id: 'ada' } });
  });

  it('refuses a token that has expired, from that moment on', async () => {
    const token = { brand_id: 'acme:main', player_id: 'ada', token: 'short', expires: wallet.nowMs + 1000 };
    await wallet.call('POST', '/control/tokens', [token]);
    const ask = () => wallet.call('POST', '/authenticate', { ...question, player_token: 'short' });
    expect(await ask()).toMatchObject({ status: 200 });
    wallet.nowMs += 1000;
    expect(await ask()).toMatchObject({ status: 422, json: { code: 'token_expired' } });
  });

  it('refuses a token that was taken back, until it is given again', async () => {
    const ask = () => wallet.call('POST', '/authenticate', question);
    expect(await wallet.call('POST', '/control/tokens/revoke', { tokens: ['token-of-ada'] })).toMatchObject({
      status: 204,
    });
    expect(await ask()).toMatchObject({ status: 422, json: { code: 'token_revoked' } });
    const token = { brand_id: 'acme:main', player_id: 'ada', token: 'token-of-ada' };
    await wallet.call('POST', '/control/tokens', [token]);
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('keeps the balance of a player that is there', async () => {
    await wallet.call('PUT', '/control/players', [{ ...ada, balance: '99', country: 'SE' }]);
    const answer = await wallet.call('POST', '/authenticate', question);
    expect(answer.json).toMatchObject({ balance: 12.5, country: 'SE' });
  });
});

describe('who may call the reference wallet', () => {
  const body = JSON.stringify(question);
  it.each([
    ['another bearer key', { authorization: 'Bearer other' }],
    ['no scheme', { authorization: keys.bearerKey }],
    [
      'a signature under another secret',
      { 'x-server-authorization': serverAuthorization('other', Buffer.from(body)) },
    ],
    [
      'a signature of another body',
      { 'x-server-authorization': serverAuthorization(keys.hmacSecret, Buffer.from('{}')) },
    ],
    [
      'an upper-case signature',
      { 'x-server-authorization': serverAuthorization(keys.hmacSecret, Buffer.from(body)).toUpperCase() },
    ],
    ['no signature', { 'x-server-authorization': '' }],
  ])('nobody with %s', async (_, headers) => {
    const answer = await wallet.call('POST', '/authenticate', body, headers);
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
  });

  it.each([
    ['POST', '/nowhere', '{}', 404, 'route_not_found'],
    ['PUT', '/authenticate', '{}', 405, 'method_not_allowed'],
    ['POST', '/authenticate', '{', 400, 'invalid_json'],
    ['POST', '/authenticate', ' '.repeat(1024 * 1024 + 1), 413, 'payload_too_large'],
    [
      'POST',
      '/control/tokens',
      '[{"brand_id":"acme:main","player_id":"nobody","token":"x"}]',
      404,
      'player_not_found',
    ],
    ['POST', '/control/tokens/revoke', '{"tokens":["nobody has it"]}', 404, 'token_not_found'],
    [
      'PUT',
      '/control/players',
      '[{"brand_id":"acme","player_id":"x","currency":"EUR"}]',
      400,
      'invalid_request',
    ],
    [
      'PUT',
      '/control/players',
      '[{"brand_id":"a:b","player_id":"x","currency":"EUR","balance":"-1"}]',
      422,
      'amount_out_of_range',
    ],
  ])('%s %s with %.40s is refused', async (method, path, text, status, code) => {
    expect(await wallet.call(method, path, text)).toMatchObject({
      status,
      json: { status_code: status, code },
    });
  });
});

it('keeps idle connections longer than its callers do', async () => {
  const answer = await fetch(`${wallet.url}/authenticate`, { method: 'POST' });
  expect(answer.headers.get('keep-alive')).toBe('timeout=65');
});
