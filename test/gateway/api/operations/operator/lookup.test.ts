import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, goldPot, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
let instance = '';

const certain = { ...goldPot, pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }] };

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.serviceToken('acme');
  instance = await createInstance(world, { overrides: { pots: [certain] } });
  const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', source)).status).toBe(204);
});
afterAll(() => world.stop());

const path = '/v1/operator/jackpot/instances/source/slot-1/brand/acme:main';
const lookup = (query = '?player_id=ada&country_code=DE') =>
  world.call('GET', `${path}${query}`, undefined, { token });
/** A27 asks the lane for everything. */
const asked = () =>
  world.call('GET', '/config/jackpot/source/slot-1/brand/acme:main?player_id=ada&country_code=DE');

async function contribute(wager: number): Promise<void> {
  const body = {
    token: 't',
    brand_id: 'acme:main',
    player_id: 'ada',
    player_country: 'DE',
    base_wager: wager,
    currency: 'EUR',
  };
  const answer = await world.call('POST', `/v1/jackpot/instances/${instance}/contributions`, body, { token });
  expect(answer.status).toBe(200);
}

describe('jackpot for a source, operator (O12)', () => {
  it('says from memory what the lane says, after every change', async () => {
    const seen = new Set<string>();
    const same = async () => {
      const { status, json } = await lookup();
      expect(status).toBe(200);
      expect(json).toEqual((await asked()).json);
      seen.add(JSON.stringify(json));
    };
    await same();
    await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
    await same();
    for (const wager of [1, 20]) {
      await contribute(wager);
      await same();
    }
    const change = { adjustment: '777', reason: 'a gift' };
    const path = `/config/instances/${instance}/pots/gold/seed-value`;
    expect((await world.call('PUT', path, change)).status).toBeLessThan(300);
    await same();
    expect(seen.size).toBe(5);
  });

  it('knows the contributions that this gateway has answered, at once', async () => {
    const count = async () => (await lookup()).json.optin_status.contribution_count;
    const before = await count();
    await contribute(1);
    expect(await count()).toBe(before + 1);
    await contribute(1);
    expect(await count()).toBe(before + 2);
  });

  it('is the same whichever way the request is written', async () => {
    const plain = await lookup();
    expect((await lookup('?country_code=%44%45&player_id=%61da')).json).toEqual(plain.json);
    const encoded = path.replace('slot-1', 'slot%2D1');
    const answer = await world.call('GET', `${encoded}?player_id=ada&country_code=DE`, undefined, { token });
    expect(answer.json).toEqual(plain.json);
    expect(await head()).toEqual([200, String(Buffer.byteLength(plain.text))]);
  });

  it.each([
    ['without a player', '?country_code=DE', 400, 'invalid_parameter'],
    ['without a country', '?player_id=ada', 400, 'invalid_parameter'],
    ['with an unknown input', '?player_id=ada&country_code=DE&colour=red', 400, 'invalid_parameter'],
    ['with an input twice', '?player_id=ada&player_id=ada&country_code=DE', 400, 'invalid_parameter'],
    ['with a percent-encoding that is none', '?player_id=%zz&country_code=DE', 400, 'invalid_parameter'],
    ['with bytes that are no UTF-8', '?player_id=%ff&country_code=DE', 400, 'invalid_parameter'],
    ['with an empty player', '?player_id=&country_code=DE', 400, 'invalid_parameter'],
    ['with no country', '?player_id=ada&country_code=Germany', 422, 'country_invalid'],
    [
      'with a segment that is none',
      '?player_id=ada&country_code=DE&segments=a%0Ab',
      400,
      'invalid_identifier',
    ],
  ])('%s is refused', async (_, query, status, code) => {
    expect(await lookup(query)).toMatchObject({ status, json: { status_code: status, code } });
  });

  it('is for services', async () => {
    const anonymous = await world.call('GET', `${path}?player_id=ada&country_code=DE`, undefined, {
      token: '',
    });
    expect(anonymous).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
    const rival = { token: await world.serviceToken('rival') };
    const foreign = await world.call('GET', `${path}?player_id=ada&country_code=DE`, undefined, rival);
    expect(foreign).toMatchObject({ status: 404, json: { code: 'brand_not_found' } });
    const vip = { token: await world.serviceToken('acme', ['acme:vip']) };
    const other = await world.call('GET', `${path}?player_id=ada&country_code=DE`, undefined, vip);
    expect(other).toMatchObject({ status: 403, json: { code: 'brand_forbidden' } });
  });
});

function head(): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const options = {
      port: world.port,
      method: 'HEAD',
      path: `${path}?player_id=ada&country_code=DE`,
      headers: { authorization: `Bearer ${token}` },
    };
    request(options, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers['content-length']]);
    })
      .on('error', reject)
      .end();
  });
}
