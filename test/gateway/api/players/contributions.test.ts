import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import { startBadWallet } from '../../../wallet/support.ts';
import { createInstance } from '../../support/administration.ts';
import { startWalletWorld, type WalletWorld } from '../../support/wallet-world.ts';

let world: WalletWorld;
let token = '';
let instance = '';
let keyCount = 0;

beforeAll(async () => {
  world = await startWalletWorld();
  token = await world.serviceToken('acme');
  instance = await createInstance(world, {
    overrides: { contribution_rules: { country_filters: { black_list: ['FR'] } } },
  });
  const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', source)).status).toBe(204);
  const active = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${instance}/status`, active)).status).toBe(200);
});
afterAll(() => world.stop());

beforeEach(async () => {
  await world.setWallet('acme:main');
  await world.addPlayer('acme:main', 'ada');
  await world.addPlayer('acme:main', 'sven', {
    currency: 'SEK',
    country: 'SE',
    segments: ['gold'],
    max_bet: '7.5',
  });
});

const fields = {
  token: 'token-of-ada',
  brand_id: 'acme:main',
  player_id: 'ada',
  player_country: 'DE',
  base_wager: 1,
  currency: 'EUR',
};
const nextKey = () => {
  keyCount += 1;
  return `key-${keyCount}`;
};
const surfaces = {
  O8: (changes: object = {}) =>
    world.call(
      'POST',
      `/v1/jackpot/instances/${instance}/contributions`,
      { ...fields, ...changes },
      { token },
    ),
  O9: (changes: object = {}) =>
    world.call('POST', '/v1/jackpot/sources/slot-1/contributions', { ...fields, ...changes }, { token }),
  O16: (changes: object = {}) => {
    const all = { ...fields, ...changes } as typeof fields & { idempotency_key?: string };
    const body = {
      target: { type: 'instance', id: instance },
      source: { type: 'gameround', id: 'round' },
      operator_id: 'acme',
      player: { id: all.player_id, token: all.token, country: all.player_country, brand_id: all.brand_id },
      base_wager: { currency: all.currency, value: all.base_wager },
      options: { idempotency_key: all.idempotency_key },
    };
    return world.call('POST', '/v2/jackpot/contributions', body, { token });
  },
};
const each = Object.keys(surfaces) as (keyof typeof surfaces)[];
const contributions = () => world.commands.filter((one): one is Contribute => one.kind === 'Contribute');

describe.each(each)('%s of a brand with a wallet', (surface) => {
  const contribute = surfaces[surface];

  it('is accepted with a token of the player', async () => {
    expect(await contribute()).toMatchObject({ status: 200 });
    expect(contributions().at(-1)).toMatchObject({ player: 'ada', country: 'DE', maxBetAtoms: null });
  });

  it("takes country, segments and the highest bet from the wallet, whatever the request's are", async () => {
    const sven = { token: 'token-of-sven', player_id: 'sven', currency: 'SEK', player_country: 'FR' };
    expect(await contribute(sven)).toMatchObject({ status: 200 });
    const command = { country: 'SE', segments: ['gold'], maxBetAtoms: 750_000_000n };
    expect(contributions().at(-1)).toMatchObject(command);
    expect(await contribute({ ...sven, player_country: 'nowhere' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['a token that nobody has', { token: 'nobody' }, 401, 'player_token_invalid'],
    ["another player's token", { token: 'token-of-sven', currency: 'SEK' }, 403, 'player_mismatch'],
    ['another currency than the session', { currency: 'USD' }, 403, 'player_mismatch'],
    ["another brand's token", { brand_id: 'acme:vip', token: 'x' }, 200, undefined],
  ])('with %s', async (_, changes, status, code) => {
    const before = contributions().length;
    const answer = await contribute(changes);
    expect([answer.status, answer.json?.code]).toEqual([status, code]);
    expect(contributions().length - before).toBe(status === 200 ? 1 : 0);
  });

  it('is refused without a trace while the wallet is down', async () => {
    const down = await startBadWallet((request) => void request.socket.destroy());
    await world.setWallet('acme:main', down.url);
    const before = contributions().length;
    const answer = await contribute();
    expect(answer).toMatchObject({ status: 503, json: { code: 'wallet_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(contributions()).toHaveLength(before);
    // What is wrong with the request itself comes before what is wrong with the wallet.
    const invalid = await contribute({ base_wager: -1 });
    expect(invalid).toMatchObject({ status: 422, json: { code: 'amount_negative' } });
    await down.stop();
  });

  it('answers a key that it knows without the wallet', async () => {
    const idempotency_key = nextKey();
    const first = await contribute({ idempotency_key });
    expect(first.status).toBe(200);
    const silent = await startBadWallet((request) => void request.socket.destroy());
    await world.setWallet('acme:main', silent.url);
    const repeat = await contribute({ idempotency_key, token: 'expired by now' });
    expect(repeat.status).toBe(204);
    expect(repeat.headers.get('x-contribution-id')).toBe(first.headers.get('x-contribution-id'));
    const other = await contribute({ idempotency_key, base_wager: 2 });
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
    expect(silent.received).toEqual([]);
    await silent.stop();
  });

  it('asks the wallet once for many contributions of a session', async () => {
    const asked = await startBadWallet((_request, response) =>
      response.end('{"id":"ada","operator_id":"acme","brand_id":"main","currency":"EUR","balance":1}'),
    );
    await world.setWallet('acme:main', asked.url);
    const answers = await Promise.all(Array.from({ length: 5 }, () => contribute()));
    answers.push(await contribute({ idempotency_key: nextKey() }));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(asked.received).toHaveLength(1);
    expect(JSON.parse(asked.received[0]!)).toEqual({
      operator_id: 'acme',
      brand_id: 'acme:main',
      player_token: 'token-of-ada',
      source_id: surface === 'O9' ? 'slot-1' : null,
      currency: 'EUR',
    });
    await asked.stop();
  });

  it.each([
    ['operator', { operator_id: 'rival', brand_id: 'main' }],
    ['brand', { brand_id: 'acme:vip' }],
    ['player', { id: 'eve' }],
    ['currency', { currency: 'SEK' }],
  ])('is refused where the wallet names another %s', async (_, changes) => {
    const player = {
      id: 'ada',
      operator_id: 'acme',
      brand_id: 'acme:main',
      currency: 'EUR',
      balance: 1,
      ...changes,
    };
    const other = await startBadWallet((_request, response) => response.end(JSON.stringify(player)));
    await world.setWallet('acme:main', other.url);
    // From the wallet, and from memory.
    for (let times = 0; times < 2; times += 1) {
      expect(await contribute()).toMatchObject({ status: 403, json: { code: 'player_mismatch' } });
    }
    expect(other.received).toHaveLength(1);
    await other.stop();
  });
});

describe('the token of a contribution', () => {
  it('is in no command', async () => {
    expect(await surfaces.O8({ idempotency_key: nextKey(), metadata: { a: 1 } })).toMatchObject({
      status: 200,
    });
    const text = JSON.stringify(world.commands, (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    expect(text).toContain('ada');
    expect(text).not.toContain('token-of-ada');
  });

  it('is not looked at where the brand has no wallet', async () => {
    const vip = { brand_id: 'acme:vip', token: 'anything', player_id: 'anyone' };
    expect(await surfaces.O8(vip)).toMatchObject({ status: 200 });
  });

  it('comes after what is not there', async () => {
    const path = '/v1/jackpot/instances/none/contributions';
    const answer = await world.call('POST', path, { ...fields, token: 'nobody' }, { token });
    expect(answer).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
  });
});
