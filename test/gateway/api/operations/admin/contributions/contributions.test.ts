import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contribute } from '../../../../../../src/messages/player-commands.ts';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
let instance = '';
const activate = { status: 'Active', reason: 'go' };

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world);
  await world.call('POST', `/config/instances/${instance}/status`, activate);
  const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', source)).status).toBe(204);
});
afterAll(() => world.stop());

const body = {
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'ada',
  player_country: 'DE',
  gameround_id: 'r1',
  base_wager: '2.5',
  currency: 'EUR',
  metadata: { table: 7 },
};
const members = [
  'instance_id',
  'timestamp',
  'gameround_id',
  'win_amount',
  'win_pot_id',
  'tickets_awarded',
  'win_withheld',
  'contribution_currency',
  'contribution_amount',
  'metadata',
];
type Options = Parameters<World['call']>[3];

const toInstance = (changes: object = {}, options: Options = {}) =>
  world.call('POST', `/config/instances/${instance}/contributions`, { ...body, ...changes }, options);
const bySource = (changes: object = {}, options: Options = {}) =>
  world.call('POST', '/config/sources/slot-1/contributions', { ...body, ...changes }, options);
const forProvider = (changes: object = {}, options: Options = {}, provider = 'studio%20one') =>
  world.call(
    'POST',
    `/config/providers/${provider}/contributions`,
    { ...body, instance_id: instance, game_code: 'dragons', ...changes },
    options,
  );
const contributions = async () =>
  (await world.call('GET', `/config/instances/${instance}`)).json.total_contributions;
const lastCommand = () => world.commands.findLast(({ kind }) => kind === 'Contribute') as Contribute;

describe.each([
  ['to an instance (A35)', toInstance],
  ['by source (A36)', bySource],
  ['for a game provider (A37)', forProvider],
])('a contribution of an administrator, %s', (_, post) => {
  it('is applied once, and answered without bonus_amount_used', async () => {
    const before = await contributions();
    const answer = await post();
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.json)).toEqual(members);
    expect(answer.json).toMatchObject({
      instance_id: instance,
      gameround_id: 'r1',
      contribution_amount: 0.1,
      contribution_currency: 'EUR',
      metadata: { table: 7 },
    });
    expect(answer.headers.get('x-contribution-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await contributions()).toBe(before + 1);
  });

  it('is made once for an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': `once-${post.name}` };
    const first = await post({}, { headers });
    const before = await contributions();
    const second = await post({ metadata: null, token: 'another' }, { headers });
    expect([second.status, second.text]).toEqual([204, '']);
    for (const name of ['x-contribution-id', 'x-instance-id', 'x-timestamp', 'x-win-amount'])
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    const other = await post({ base_wager: 3 }, { headers });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await contributions()).toBe(before);
  });

  it.each([
    ['an unknown field', { bonus: 1 }, 400, 'invalid_request'],
    ['no wager', { base_wager: null }, 400, 'invalid_request'],
    ['an unknown brand', { brand_id: 'acme:none' }, 404, 'brand_not_found'],
    ['an unknown country', { player_country: 'XX' }, 422, 'country_invalid'],
    ['too many decimals', { base_wager: '1.123456789' }, 422, 'amount_precision'],
    ['an unknown currency', { currency: 'XYZ' }, 422, 'currency_unknown'],
    ['a key that is too long', { idempotency_key: 'k'.repeat(256) }, 400, 'invalid_request'],
  ])('is refused with %s and changes nothing', async (_fault, change, status, code) => {
    const before = await contributions();
    const answer = await post(change);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await contributions()).toBe(before);
  });

  it('judges amounts with the money, behind what does not exist', async () => {
    const text = (brand: string) =>
      JSON.stringify({ ...body, brand_id: brand, base_wager: 0 })
        .replace('"base_wager":0', '"base_wager":1e11')
        .replace('}}', `},"instance_id":"${instance}","game_code":"dragons"}`);
    const path = {
      toInstance: `/config/instances/${instance}/contributions`,
      bySource: '/config/sources/slot-1/contributions',
      forProvider: '/config/providers/studio/contributions',
    }[post.name as 'toInstance'];
    const asked = (brand: string) =>
      world.call(
        'POST',
        path,
        post === toInstance || post === bySource ? stripped(text(brand)) : text(brand),
      );
    expect((await asked('acme:none')).json.code).toBe('brand_not_found');
    expect((await asked('acme:main')).json.code).toBe('amount_out_of_range');
  });

  it('needs the right to move money, for the owner of the brand', async () => {
    for (const role of ['viewer', 'support', 'config', 'security', 'auditor'] as const) {
      const answer = await post({}, { token: await world.token([role]) });
      expect([role, answer.status, answer.json.code]).toEqual([role, 403, 'forbidden']);
    }
    const foreign = await post({}, { token: await world.token(['finance'], ['rival']) });
    expect(foreign.status).toBe(404);
    const service = await post({}, { token: await world.serviceToken('acme') });
    expect(service.status).toBe(401);
    expect((await post({}, { token: await world.token(['finance'], ['acme']) })).status).toBe(200);
  });

  it('is refused for a disabled brand', async () => {
    const brand = '/config/operators/acme/brands/vip';
    await world.call('PATCH', brand, { enabled: false });
    const answer = await post({ brand_id: 'acme:vip' });
    expect([answer.status, answer.json.code]).toEqual([403, 'owner_disabled']);
    await world.call('PATCH', brand, { enabled: true });
  });
});

function stripped(text: string): string {
  return text.replace(/,"instance_id".*/, '}');
}

describe('a contribution for a game provider (A37)', () => {
  it('names the provider and the game to the wallet', async () => {
    await forProvider();
    expect(lastCommand()).toMatchObject({
      target: { type: 'instance', id: instance },
      provider: 'studio one',
      origin: { gameCode: 'dragons', gameCategory: '', sourceType: '' },
    });
    await toInstance();
    expect(lastCommand()).toMatchObject({ provider: '', origin: null });
  });

  it.each([
    ['a callback', { callback: { web_hook: 'https://acme.example/hook' } }, 'invalid_request'],
    ['another provider in the body', { provider_id: 'other' }, 'invalid_request'],
    ['no game code', { game_code: null }, 'invalid_request'],
  ])('does not take %s', async (_, change, code) => {
    expect(await forProvider(change)).toMatchObject({ status: 400, json: { code } });
  });

  it('takes any provider, and answers a missing instance before a missing brand', async () => {
    expect((await forProvider({}, {}, encodeURIComponent('ünter/slash'))).status).toBe(200);
    expect(lastCommand().provider).toBe('ünter/slash');
    const missing = await forProvider({ instance_id: 'none', brand_id: 'none' });
    expect([missing.status, missing.json.code]).toEqual([404, 'instance_not_found']);
  });
});

describe('a brand of another operator, for whom the caller may act, in A35 and A37', () => {
  const posts = [toInstance, forProvider];
  const strange = { brand_id: 'rival:main' };
  const setStatus = (status: string) =>
    world.call('POST', `/config/instances/${instance}/status`, { status, reason: 'test' });
  const codes = async (changes: object, options: Options = {}) => {
    const answers = await Promise.all(posts.map((post) => post(changes, options)));
    return answers.map(({ status, json }) => [status, json.code]);
  };
  const twice = (status: number, code: string) => posts.map(() => [status, code]);

  it('is one that the instance does not take; behind its status and the country', async () => {
    expect(await codes(strange)).toEqual(twice(422, 'brand_not_allowed'));
    expect(await codes({ ...strange, player_country: 'XX' })).toEqual(twice(422, 'country_invalid'));
    await setStatus('Paused');
    expect(await codes({ ...strange, player_country: 'XX' })).toEqual(twice(422, 'instance_not_active'));
    await setStatus('Active');
  });

  it('is a missing brand for who may act for the owner of the instance only', async () => {
    const token = await world.token(['finance'], ['acme']);
    expect(await codes(strange, { token })).toEqual(twice(404, 'brand_not_found'));
  });

  it('repeats what was applied while the instance named it', async () => {
    const path = `/config/instances/${instance}/brands/rival:main`;
    const keyed = (post: typeof toInstance) =>
      post(strange, { headers: { 'Idempotency-Key': `named-${post.name}` } });
    expect((await world.call('PUT', path)).status).toBe(204);
    const first = await Promise.all(posts.map(keyed));
    expect(first.map(({ status }) => status)).toEqual([200, 200]);
    expect((await world.call('DELETE', path)).status).toBe(204);
    expect(await codes(strange)).toEqual(twice(422, 'brand_not_allowed'));
    const idOf = ({ headers }: (typeof first)[number]) => headers.get('x-contribution-id');
    const repeats = await Promise.all(posts.map(keyed));
    expect(repeats.map(({ status }) => status)).toEqual([204, 204]);
    expect(repeats.map(idOf)).toEqual(first.map(idOf));
  });
});

describe('keys of contributions', () => {
  it('belong to the brand, for all callers alike: the same key of another brand is another contribution', async () => {
    const path = `/v1/jackpot/instances/${instance}/contributions`;
    const of = async (brand: string) => {
      const token = await world.serviceToken('acme', [`acme:${brand}`]);
      const key = { ...body, brand_id: brand, idempotency_key: 'of both' };
      return (await world.call('POST', path, key, { token })).status;
    };
    expect([await of('main'), await of('vip'), await of('main'), await of('vip')]).toEqual([
      200, 200, 204, 204,
    ]);
    expect((await toInstance({ brand_id: 'acme:vip', idempotency_key: 'of both' })).status).toBe(204);
  });

  it('are shared with the services of the operator: one and the other repeat each other', async () => {
    const token = await world.serviceToken('acme');
    const path = `/v1/jackpot/instances/${instance}/contributions`;
    const first = await world.call('POST', path, { ...body, idempotency_key: 'shared' }, { token });
    const repeat = await toInstance({ idempotency_key: 'shared' });
    expect(repeat.status).toBe(204);
    expect(repeat.headers.get('x-contribution-id')).toBe(first.headers.get('x-contribution-id'));
  });

  it('stand in the header or in the body, or the same in both', async () => {
    const headers = { 'Idempotency-Key': 'both' };
    expect((await toInstance({ idempotency_key: 'both' }, { headers })).status).toBe(200);
    expect((await toInstance({}, { headers })).status).toBe(204);
    const differs = await toInstance({ idempotency_key: 'other' }, { headers });
    expect([differs.status, differs.json.code]).toEqual([400, 'invalid_request']);
  });

  it('of a source that leads nowhere are free', async () => {
    const answer = await world.call('POST', '/config/sources/none/contributions', body);
    expect([answer.status, answer.json.code]).toEqual([404, 'source_not_found']);
    const bare = await bySource({ brand_id: 'main' });
    expect([bare.status, bare.json.code]).toEqual([404, 'brand_not_found']);
  });
});
