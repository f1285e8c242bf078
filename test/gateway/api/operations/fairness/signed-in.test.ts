import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';
import { authenticated } from '../../../support/players.ts';

let world: World;
let instance = '';
const tokens: Record<string, string> = {};

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  for (const [operator, brand] of [
    ['acme', 'main'],
    ['rival', 'main'],
  ])
    await world.call('PUT', `/config/operators/${operator}/brands/${brand}/wallet`, {
      base_url: 'http://127.0.0.1:9',
      bearer_key: 'key',
      hmac_secret: 'a long enough secret',
      provider_id: 'potstream',
    });
  world.players.answer = ({ brand, token }) =>
    token === 'good' ? authenticated({ brand, operator: brand.split(':')[0]! }) : { kind: 'refused' };
  const brands = ['acme:main', 'acme:vip', 'rival:main'];
  instance = await createInstance(world, { overrides: { contribution_rules: { allowed_brands: brands } } });
  await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
  Object.assign(tokens, {
    service: await world.serviceToken('acme'),
    'service of a brand': await world.serviceToken('acme', ['acme:vip']),
    administrator: await world.token(['viewer'], ['acme']),
    'administrator of all': await world.token(['viewer'], ['*']),
    'foreign service': await world.serviceToken('rival'),
    'foreign administrator': await world.token(['security'], ['rival']),
    'administrator of a brand': await world.token(['security'], ['acme:main']),
  });
});
afterAll(() => world.stop());
beforeEach(() => decide('signed_in'));

async function decide(fairness: string): Promise<void> {
  const answer = await world.call('PATCH', '/config/operators/acme', { fairness });
  if (answer.status !== 204) throw new Error(answer.text);
}
const ask = (path: string, options: object = { token: '' }, id = instance) =>
  world.call('GET', `/v1/fairness/instances/${id}${path}`, undefined, options);
const player = (token: string) => ({ token: '', headers: { 'x-player-token': token } });

describe.each(['/conservation', '/epochs', '/epochs/0'])('%s', (path) => {
  test('is public unless the operator decides otherwise', async () => {
    await decide('public');
    expect((await ask(path)).status).toBe(200);
    const answer = await ask(path, { token: 'wrong' });
    expect([answer.status, answer.json.code]).toEqual([401, 'unauthenticated']);
  });

  test('of an operator that has decided for signed_in needs a credential', async () => {
    const answer = await ask(path);
    expect([answer.status, answer.json.code]).toEqual([401, 'player_token_required']);
    expect((await ask('')).status).toBe(200);
  });

  test.each(['service', 'service of a brand', 'administrator', 'administrator of all'])(
    'is shown to the operator’s %s',
    async (caller) => expect((await ask(path, { token: tokens[caller] })).status).toBe(200),
  );

  test.each(['foreign service', 'foreign administrator', 'administrator of a brand'])(
    'is to a %s as if it were not there',
    async (caller) => {
      const there = await ask(path, { token: tokens[caller] });
      const gone = await ask(path, { token: tokens[caller] }, 'none');
      expect([there.status, there.text]).toEqual([404, gone.text]);
      expect(there.json.code).toBe('instance_not_found');
    },
  );

  test('is shown to a player of the operator, whose brand the request names', async () => {
    expect((await ask(`${path}?brand_id=acme:main`, player('good'))).status).toBe(200);
  });

  test.each([
    ['without the brand', '', 'good', 400, 'invalid_parameter'],
    ['with a wrong token', '?brand_id=acme:main', 'bad', 401, 'player_token_invalid'],
    ['of a brand without a wallet', '?brand_id=acme:vip', 'good', 401, 'player_token_invalid'],
    ['of a missing brand', '?brand_id=acme:none', 'good', 404, 'brand_not_found'],
    ['of another operator', '?brand_id=rival:main', 'good', 404, 'instance_not_found'],
  ])('is not shown to a player %s', async (_, query, token, status, code) => {
    const answer = await ask(`${path}${query}`, player(token));
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('that is missing is missing for everybody', async () => {
    for (const options of [{ token: '' }, { token: tokens.service }, player('good')]) {
      const answer = await ask(`${path}?brand_id=acme:main`, options, 'none');
      expect([answer.status, answer.json.code]).toEqual([404, 'instance_not_found']);
    }
  });
});

test('the decision is the operator’s, and shows', async () => {
  const shown = async (id: string) => (await world.call('GET', `/config/operators/${id}`)).json.fairness;
  expect([await shown('acme'), await shown('rival')]).toEqual(['signed_in', undefined]);
  const unknown = await world.call('PATCH', '/config/operators/acme', { fairness: 'secret' });
  expect(unknown.status).toBe(400);
  await world.call('PATCH', '/config/operators/acme', { name: 'Acme' });
  expect(await shown('acme')).toBe('signed_in');
});
