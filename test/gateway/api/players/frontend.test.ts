import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OptIn } from '../../../../src/messages/player-commands.ts';
import { startBadWallet } from '../../../wallet/support.ts';
import { createInstance, goldPot } from '../../support/administration.ts';
import { startWalletWorld, type WalletWorld } from '../../support/wallet-world.ts';

let world: WalletWorld;
let service = '';
let instance = '';

const certain = { ...goldPot, pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }] };

beforeAll(async () => {
  world = await startWalletWorld();
  service = await world.serviceToken('acme');
  instance = await createInstance(world, {
    overrides: {
      contribution_rules: {
        opt_in_required: true,
        operator_contribution_percentage: '1',
        allowed_brands: ['acme:main', 'acme:vip', 'rival:main'],
        country_filters: { black_list: ['FR'] },
      },
      pots: [certain, { ...certain, id: 'silver' }],
    },
  });
  const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', source)).status).toBe(204);
  const active = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${instance}/status`, active)).status).toBe(200);
});
afterAll(() => world.stop());

beforeEach(async () => {
  await world.setWallet('acme:main');
  await world.addPlayer('acme:main', 'ada', { country: 'DE' });
  await world.addPlayer('acme:main', 'fleur', { country: 'FR' });
  await world.addPlayer('rival:main', 'rita');
});

/** As a frontend: no Authorization, and a player's token where one is given. */
const as = (player: string | null) => ({
  token: '',
  ...(player === null ? {} : { headers: { 'x-player-token': player } }),
});
const ada = as('token-of-ada');
const lookup = (query: string, options: object, brand = 'acme:main') =>
  world.call('GET', `/v1/jackpot/instances/source/slot-1/brand/${brand}${query}`, undefined, options);
const optInBody = {
  player_id: 'ada',
  brand_id: 'acme:main',
  player_country: 'DE',
  opt_in: true,
  contribution_value: '0.5',
};
const optIn = (changes: object, options: object, id = instance) =>
  world.call('POST', `/v1/jackpot/instances/${id}/opt-in`, { ...optInBody, ...changes }, options);
const winners = (query: string, options: object) =>
  world.call('GET', `/v1/jackpot/instances/${instance}/winners${query}`, undefined, options);
const potWinners = (query: string, options: object) =>
  world.call('GET', `/v1/jackpot/instances/${instance}/pots/winners${query}`, undefined, options);

const invalidTokens = [
  ['nobody has', 'acme:main', 'nobody', 401, 'player_token_invalid'],
  ['is empty', 'acme:main', '', 401, 'player_token_invalid'],
  ['is too long', 'acme:main', 'x'.repeat(4097), 401, 'player_token_invalid'],
  ["is of another brand's player", 'rival:main', 'token-of-ada', 401, 'player_token_invalid'],
  ['is shown to a brand without a wallet', 'acme:vip', 'token-of-ada', 401, 'player_token_invalid'],
] as const;

describe('jackpot for a source, frontend (O13), with a player', () => {
  it('has an opt-in status with a token, and none without one', async () => {
    const without = await lookup('?player_id=ada', as(null));
    expect(without.status).toBe(200);
    expect(without.json).not.toHaveProperty('optin_status');
    const { status, json } = await lookup('', ada);
    expect(status).toBe(200);
    expect(json).toEqual({ ...without.json, optin_status: json.optin_status });
    expect(json.optin_status).toMatchObject({
      doc_version: 'V1',
      instance_id: instance,
      player_id: 'acme:main:ada',
      ext_player_id: 'ada',
      player_brand_id: 'acme:main',
      contribution_count: 0,
    });
  });

  it('follows the opt-in', async () => {
    await optIn({ opt_in: true }, ada);
    expect((await lookup('?player_id=ada', ada)).json.optin_status).toMatchObject({
      opted_in: true,
      preferred_contribution_value: 0.5,
    });
    await optIn({ opt_in: false }, ada);
    expect((await lookup('', ada)).json.optin_status).toMatchObject({ opted_in: false });
  });

  it('resolves for the country that the wallet knows', async () => {
    const open = await lookup('?country_code=FR', ada);
    expect(open).toMatchObject({ status: 200, json: { id: instance } });
    const closed = await lookup('?country_code=DE', as('token-of-fleur'));
    expect(closed).toMatchObject({ status: 404, json: { code: 'jackpot_not_found' } });
  });

  it('is refused where the request names another player', async () => {
    const answer = await lookup('?player_id=fleur', ada);
    expect(answer).toMatchObject({ status: 403, json: { code: 'player_mismatch' } });
  });

  it.each(invalidTokens)('is refused with a token that %s', async (_, brand, token, status, code) => {
    expect(await lookup('', as(token), brand)).toMatchObject({ status, json: { code } });
  });
});

describe('opt-in by a player (O14)', () => {
  it('is the own one only, in the country that the wallet knows', async () => {
    expect(await optIn({ player_country: 'SE' }, ada)).toMatchObject({ status: 204, text: '' });
    const command = world.commands.findLast((one): one is OptIn => one.kind === 'OptIn');
    expect(command).toMatchObject({
      player: 'ada',
      country: 'DE',
      valueAtoms: 50_000_000n,
      user: 'player:ada',
    });
    const other = await optIn({ player_id: 'fleur' }, ada);
    expect(other).toMatchObject({ status: 403, json: { code: 'player_mismatch' } });
  });

  it.each([
    ['without any credential', {}, null, 401, 'player_token_required'],
    ['without any credential, whatever the body', { colour: 'red' }, null, 401, 'player_token_required'],
    ['with an unknown field', { colour: 'red' }, 'token-of-ada', 400, 'invalid_request'],
    ['with a bare brand', { brand_id: 'main' }, 'token-of-ada', 404, 'brand_not_found'],
    ['of a missing brand', { brand_id: 'acme:none' }, 'token-of-ada', 404, 'brand_not_found'],
    ['of too small a value', { contribution_value: '0.01' }, 'token-of-ada', 422, 'amount_out_of_range'],
    ['of a value with an exponent', { contribution_value: '1e2' }, 'token-of-ada', 400, 'invalid_request'],
    ['in an unknown currency', { contribution_currency: 'XXX' }, 'token-of-ada', 422, 'currency_unknown'],
  ])('%s is refused', async (_, changes, token, status, code) => {
    expect(await optIn(changes, as(token))).toMatchObject({ status, json: { status_code: status, code } });
  });

  it('of an instance that the operator does not see is refused as a missing one', async () => {
    const missing = await optIn({}, ada, 'none');
    expect(missing).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
    const own = await createInstance(world);
    const rita = { player_id: 'rita', brand_id: 'rival:main' };
    const foreign = await optIn(rita, as('token-of-rita'), own);
    expect(foreign.text).toBe(missing.text);
  });

  it.each(invalidTokens)('is refused with a token that %s', async (_, brand_id, token, status, code) => {
    expect(await optIn({ brand_id }, as(token))).toMatchObject({ status, json: { code } });
  });

  it('still is for services, of any player', async () => {
    expect(await optIn({ player_id: 'anyone' }, { token: service })).toMatchObject({ status: 204 });
    expect(await optIn({}, { token: 'no.such.token' })).toMatchObject({ status: 401 });
  });
});

describe('winners for a player (O10, O11)', () => {
  beforeAll(async () => {
    await world.addPlayer('acme:main', 'winnie');
    const body = { player_id: 'winnie', brand_id: 'acme:main', player_country: 'DE', opt_in: true };
    await world.call('POST', `/v1/jackpot/instances/${instance}/opt-in`, body, { token: service });
    const contribution = {
      token: 'token-of-winnie',
      brand_id: 'acme:main',
      player_id: 'winnie',
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
    };
    const path = `/v1/jackpot/instances/${instance}/contributions`;
    const answer = await world.call('POST', path, contribution, { token: service });
    expect(answer.json.win_amount).toBeGreaterThan(0);
  });

  it('are those of the brand, masked', async () => {
    const { status, json } = await winners('?brand_id=acme:main', ada);
    expect([status, json.map((one: { player_id: string }) => one.player_id)]).toEqual([200, ['wi***']]);
    const pots = await potWinners('?brand_id=acme:main&limit=1', ada);
    const masked = Object.values(pots.json as Record<string, { player_id: string }[]>).flat();
    expect([pots.status, masked.map((one) => one.player_id)]).toEqual([200, ['wi***']]);
    expect((await winners('', { token: service })).json[0].player_id).toBe('winnie');
  });

  it.each([
    ['without any credential', '?brand_id=acme:main', null, 401, 'player_token_required'],
    ['without any credential and a brand', '', null, 401, 'player_token_required'],
    ['without any credential, of no brand', '?brand_id=acme:none', null, 401, 'player_token_required'],
    ['without any credential, of no instance', '?brand_id=acme:vip', null, 401, 'player_token_required'],
    ['without a brand', '', 'token-of-ada', 400, 'invalid_parameter'],
    ['with a bare brand', '?brand_id=main', 'token-of-ada', 404, 'brand_not_found'],
    ['of too many', '?brand_id=acme:main&limit=501', 'token-of-ada', 400, 'invalid_parameter'],
  ])('%s are refused', async (_, query, token, status, code) => {
    for (const list of [winners, potWinners])
      expect(await list(query, as(token))).toMatchObject({ status, json: { status_code: status, code } });
  });

  it.each(invalidTokens)('are refused with a token that %s', async (_, brand, token, status, code) => {
    for (const list of [winners, potWinners])
      expect(await list(`?brand_id=${brand}`, as(token))).toMatchObject({ status, json: { code } });
  });
});

describe('while the wallet is down', () => {
  it('players are unknown, and what is public stays', async () => {
    const down = await startBadWallet((_request, response) => void response.writeHead(500).end());
    await world.setWallet('acme:main', down.url);
    const unavailable = { status: 503, json: { code: 'wallet_unavailable' } };
    expect(await lookup('', ada)).toMatchObject(unavailable);
    expect(await optIn({}, ada)).toMatchObject(unavailable);
    expect(await winners('?brand_id=acme:main', ada)).toMatchObject(unavailable);
    expect(await lookup('', as(null))).toMatchObject({ status: 200 });
    await down.stop();
  });

  it("another identity than the brand's is nobody's", async () => {
    const other = await startBadWallet((_request, response) =>
      response.end('{"id":"ada","operator_id":"rival","brand_id":"main","currency":"EUR","balance":1}'),
    );
    await world.setWallet('acme:main', other.url);
    expect(await lookup('', ada)).toMatchObject({ status: 403, json: { code: 'player_mismatch' } });
    await other.stop();
  });
});

describe('a session of a player', () => {
  it('serves requests that name no currency, whatever its own is', async () => {
    const asked = await startBadWallet((_request, response) =>
      response.end('{"id":"ada","operator_id":"acme","brand_id":"acme:main","currency":"SEK","balance":1}'),
    );
    await world.setWallet('acme:main', asked.url);
    expect(await optIn({ contribution_value: '10', contribution_currency: 'SEK' }, ada)).toMatchObject({
      status: 204,
    });
    expect(await lookup('', ada)).toMatchObject({ status: 200 });
    expect(await winners('?brand_id=acme:main', ada)).toMatchObject({ status: 200 });
    expect(asked.received.map((body) => JSON.parse(body).currency)).toEqual(['SEK']);
    await asked.stop();
  });
});
