import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';
import { authenticated } from '../../../support/players.ts';

let world: World;
let instance = '';
const tokens: Record<string, string> = {};

/** acme:vip has no wallet. */
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  await world.call('PUT', '/config/operators/acme/brands/main/wallet', {
    base_url: 'http://127.0.0.1:9',
    bearer_key: 'key',
    hmac_secret: 'a long enough secret',
    provider_id: 'potstream',
  });
  world.players.answer = ({ brand }) => authenticated({ brand, operator: 'acme', player: 'ada' });
  instance = await createInstance(world);
  await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
  const binding = { source_id: ['slot-1'], instance_id: instance };
  for (const owner_id of ['acme', 'acme:vip'])
    await world.call('POST', '/config/sources/assign', { owner_id, ...binding });
  Object.assign(tokens, {
    service: await world.serviceToken('acme'),
    serviceOfVip: await world.serviceToken('acme', ['acme:vip']),
    rival: await world.serviceToken('rival'),
    administrator: await world.token(['viewer'], ['acme']),
    administratorOfRival: await world.token(['security'], ['rival']),
  });
});
afterAll(() => world.stop());

const lookup = (token: string, query = '?player_id=ada', brand = 'acme:vip', headers = {}) =>
  world.call('GET', `/v1/jackpot/instances/source/slot-1/brand/${brand}${query}`, undefined, {
    token,
    headers,
  });

describe.each([
  ['the fast path', ''],
  ["Node's server", '&segments=a%2Cb'],
])('O13 by %s', (_, more) => {
  test.each(['service', 'serviceOfVip', 'administrator'])(
    'shows %s the opt-in status of the player it names, also without a wallet',
    async (caller) => {
      const answer = await lookup(tokens[caller]!, `?player_id=ada${more}`, 'acme:vip');
      expect([answer.status, answer.json.id]).toEqual([200, instance]);
      expect(answer.json.optin_status).toMatchObject({ player_id: 'acme:vip:ada', instance_id: instance });
      expect((await lookup(tokens[caller]!, `?${more.slice(1)}`, 'acme:vip')).json).not.toHaveProperty(
        'optin_status',
      );
    },
  );

  test('takes the bare brand of a service', async () => {
    const answer = await lookup(tokens.service!, `?player_id=ada${more}`, 'vip');
    expect(answer.json.optin_status).toMatchObject({ player_brand_id: 'acme:vip' });
  });

  test('shows none where nobody has said who asks', async () => {
    for (const brand of ['acme:vip', 'acme:main']) {
      const answer = await lookup('', `?player_id=ada${more}`, brand);
      expect([answer.status, answer.json.optin_status]).toEqual([200, undefined]);
    }
  });

  test.each([
    ['a credential that is wrong', 'wrong', 'acme:vip', 401, 'unauthenticated'],
    ['a service of another operator', 'rival', 'acme:vip', 404, 'brand_not_found'],
    ['an administrator of another operator', 'administratorOfRival', 'acme:vip', 404, 'brand_not_found'],
    ['a service of other brands', 'serviceOfVip', 'acme:main', 403, 'brand_forbidden'],
    ['a service that names no brand', 'service', 'acme:none', 404, 'brand_not_found'],
  ])('is refused to %s', async (_name, caller, brand, status, code) => {
    const answer = await lookup(tokens[caller] ?? caller, `?player_id=ada${more}`, brand);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('takes a player’s token beside another credential, and both must be right', async () => {
    const player = { 'x-player-token': 'token' };
    const both = await lookup(tokens.service!, `?${more.slice(1)}`, 'acme:main', player);
    expect(both.json.optin_status).toMatchObject({ player_id: 'acme:main:ada' });
    const named = await lookup(tokens.service!, `?player_id=eve${more}`, 'acme:main', player);
    expect([named.status, named.json.code]).toEqual([403, 'player_mismatch']);
    const wrong = await lookup('wrong', `?${more.slice(1)}`, 'acme:main', player);
    expect([wrong.status, wrong.json.code]).toEqual([401, 'unauthenticated']);
  });
});

test('A27 and O12 show it for a brand without a wallet, too', async () => {
  const query = '?player_id=ada&country_code=DE';
  const paths = ['/config/jackpot/source/slot-1', '/v1/operator/jackpot/instances/source/slot-1'];
  for (const [path, token] of [
    [paths[0], tokens.administrator],
    [paths[1], tokens.service],
  ]) {
    const answer = await world.call('GET', `${path}/brand/acme:vip${query}`, undefined, { token: token! });
    expect(answer.json.optin_status).toMatchObject({ player_id: 'acme:vip:ada' });
  }
});
