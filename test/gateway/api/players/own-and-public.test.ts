import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  goldPot,
  startWorld,
  template,
  type World,
} from '../../support/administration.ts';
import { authenticated } from '../../support/players.ts';

let world: World;
let shared = '';
let own = '';
let raffle = '';
const certain = { ...goldPot, pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }] };
const brands = ['acme:main', 'acme:vip', 'rival:main'];

/** `shared` is acme's and open to rival; `own` is acme's alone. */
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  for (const brand of brands) {
    const [operator, id] = brand.split(':');
    await world.call('PUT', `/config/operators/${operator}/brands/${id}/wallet`, {
      base_url: 'http://127.0.0.1:9',
      bearer_key: 'key',
      hmac_secret: 'a long enough secret',
      provider_id: 'potstream',
    });
  }
  world.players.answer = ({ brand, token }) =>
    token.startsWith('token-of-')
      ? authenticated({ brand, operator: brand.split(':')[0]!, player: token.slice(9), country: 'SE' })
      : { kind: 'refused' };
  const overrides = { contribution_rules: { allowed_brands: brands }, pots: [certain] };
  shared = await createInstance(world, { overrides });
  own = await createInstance(world, { overrides: { pots: [certain] } });
  const raffle_rules = {
    cost_per_ticket: '1',
    cost_source: 'BaseWager',
    allocation_mode: 'Instant',
    duration: { Days: 1 },
    prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 1 }],
  };
  const pots = [{ id: 'main', contribution: { Percentage: 0.5 } }];
  await world.call(
    'POST',
    '/config/templates',
    template('raffle', { jackpot_type: 'Raffle', raffle_rules, pots }),
  );
  raffle = await createInstance(world, { template_id: 'raffle' });
  for (const id of [shared, own, raffle])
    await world.call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
  await world.call('POST', '/config/sources/assign', {
    owner_id: 'acme',
    source_id: ['slot-1'],
    instance_id: shared,
  });
  for (const id of [shared, own, raffle]) await contribute(id, 'acme:main', 'alice');
  await contribute(shared, 'acme:vip', 'vera');
  await contribute(shared, 'rival:main', 'carol');
});
afterAll(() => world.stop());
beforeEach(async () => {
  for (const operator of ['acme', 'rival']) await show(operator, false);
  for (const brand of brands) await show(brand, false);
});

async function contribute(instance: string, brand: string, player: string): Promise<void> {
  const body = {
    token: `token-of-${player}`,
    brand_id: brand,
    player_id: player,
    player_country: 'DE',
    base_wager: 2,
    currency: 'EUR',
  };
  const token = await world.serviceToken(brand.split(':')[0]!);
  const path = `/v1/jackpot/instances/${instance}/contributions`;
  const answer = await world.call('POST', path, body, { token });
  if (answer.status !== 200) throw new Error(answer.text);
}

const show = async (owner: string, public_winners: boolean) => {
  const path = `/config/operators/${owner.replace(':', '/brands/')}`;
  const answer = await world.call('PATCH', path, { public_winners });
  if (answer.status !== 204) throw new Error(answer.text);
};
const as = (player: string | null) => ({
  token: '',
  ...(player === null ? {} : { headers: { 'x-player-token': `token-of-${player}` } }),
});
const anybody = as(null);

describe('tickets with a player’s token (O6, O7)', () => {
  const paths = (player: string) => [`${raffle}/players/${player}`, `players/${player}`];
  const ask = (path: string, options: object, brand = 'acme:main') =>
    world.call('GET', `/v1/raffles/${path}/tickets?brand_id=${brand}`, undefined, options);

  it('are the own ones', async () => {
    for (const path of paths('alice')) {
      const { status, json } = await ask(path, as('alice'));
      expect([status, json.length, json[0].ext_player_id, json[0].ticket_count]).toEqual([
        200,
        1,
        'alice',
        2,
      ]);
    }
  });

  it.each([
    ['of somebody else', 'alice', 'vera', 'acme:main', 403, 'player_mismatch'],
    ['without a token', 'alice', null, 'acme:main', 401, 'player_token_required'],
    ['of a missing brand', 'alice', 'alice', 'acme:none', 404, 'brand_not_found'],
    ['of a bare brand', 'alice', 'alice', 'main', 404, 'brand_not_found'],
  ])('%s are refused', async (_, player, who, brand, status, code) => {
    for (const path of paths(player)) {
      const answer = await ask(path, as(who), brand);
      expect([answer.status, answer.json.code]).toEqual([status, code]);
    }
  });

  it('with a token that the wallet refuses, and of a raffle of others, are refused', async () => {
    for (const path of paths('alice')) {
      const answer = await ask(path, { token: '', headers: { 'x-player-token': 'made up' } });
      expect([answer.status, answer.json.code]).toEqual([401, 'player_token_invalid']);
    }
    const foreign = await ask(`${raffle}/players/carol`, as('carol'), 'rival:main');
    const missing = await ask('none/players/carol', as('carol'), 'rival:main');
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  });
});

describe('winners of version 2 with a player’s token (O17, O19)', () => {
  const ask = (path: string, options: object, changes: object = {}, player: object = {}) =>
    world.call(
      'POST',
      `/v2/jackpot/${path}winners`,
      {
        operator_id: 'acme',
        target: { type: 'instance', id: shared },
        player: { id: 'alice', country: 'DE', brand_id: 'acme:main', ...player },
        ...changes,
      },
      options,
    );

  it.each(['', 'pots/'])('%s are those of the player’s brand, masked', async (path) => {
    for (const target of [
      { type: 'instance', id: shared },
      { type: 'source', id: 'slot-1' },
    ]) {
      const { status, json } = await ask(path, as('alice'), { target });
      expect([status, json.length]).toEqual([200, 1]);
      expect(json[0]).toMatchObject({ player_id: 'al***', brand_id: 'acme:main' });
    }
    expect((await ask(path, as('alice'), {}, { brand_id: 'main' })).json).toHaveLength(1);
  });

  it.each([
    ['of another player', 'vera', {}, {}, 403, 'player_mismatch'],
    ['without a token', null, {}, {}, 401, 'player_token_required'],
    ['of another operator', 'alice', { operator_id: 'rival' }, {}, 404, 'operator_not_found'],
    ['of a missing brand', 'alice', {}, { brand_id: 'acme:none' }, 404, 'brand_not_found'],
    [
      'of a missing instance',
      'alice',
      { target: { type: 'instance', id: 'none' } },
      {},
      404,
      'instance_not_found',
    ],
  ])('%s are refused', async (_, who, changes, player, status, code) => {
    for (const path of ['', 'pots/']) {
      const answer = await ask(path, as(who), changes, player);
      expect([answer.status, answer.json.code]).toEqual([status, code]);
    }
  });
});

describe('winners without a credential (O10, O11)', () => {
  const ask = (instance: string, brand: string, options: object = anybody) =>
    world.call('GET', `/v1/jackpot/instances/${instance}/winners?brand_id=${brand}`, undefined, options);
  const askPots = (instance: string, brand: string) =>
    world.call('GET', `/v1/jackpot/instances/${instance}/pots/winners?brand_id=${brand}`, undefined, anybody);
  const hidden = [401, 'player_token_required'];
  const refusal = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];

  it('are shown where the brand shows them, masked and no more than that', async () => {
    expect(refusal(await ask(own, 'acme:main'))).toEqual(hidden);
    await show('acme:main', true);
    const { status, json } = await ask(own, 'acme:main');
    const winner = {
      instance_id: own,
      win_pot_id: 'gold',
      win_amount: expect.any(Number),
      jackpot_currency: 'EUR',
      player_id: 'al***',
      timestamp: expect.any(Number),
    };
    expect([status, json]).toEqual([200, [winner]]);
    expect((await askPots(own, 'acme:main')).json).toEqual({ gold: [winner], silver: [] });
    expect((await ask(shared, 'acme:main')).json).toEqual([{ ...winner, instance_id: shared }]);
    expect(refusal(await ask(own, 'acme:vip'))).toEqual(hidden);
  });

  it('are shown of another operator’s instance only where its owner shows them, too', async () => {
    await show('rival:main', true);
    for (const list of [ask, askPots]) expect(refusal(await list(shared, 'rival:main'))).toEqual(hidden);
    await show('acme', true);
    const { status, json } = await ask(shared, 'rival:main');
    expect([status, json.map((each: { player_id: string }) => each.player_id)]).toEqual([200, ['ca***']]);
    await show('rival:main', false);
    expect(refusal(await ask(shared, 'rival:main'))).toEqual(hidden);
  });

  it('of a foreign instance are those of a missing one', async () => {
    await show('rival:main', true);
    const [foreign, missing] = [await ask(own, 'rival:main'), await ask('none', 'rival:main')];
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  });

  it('are not shown of a disabled brand or operator', async () => {
    await show('acme:main', true);
    for (const path of ['/config/operators/acme/brands/main', '/config/operators/acme']) {
      await world.call('PATCH', path, { enabled: false });
      expect(refusal(await ask(own, 'acme:main'))).toEqual(hidden);
      await world.call('PATCH', path, { enabled: true });
    }
    expect((await ask(own, 'acme:main')).status).toBe(200);
  });

  it('leave those of players and services as they are', async () => {
    await show('acme:main', true);
    expect((await ask(own, 'acme:main', as('alice'))).json[0]).toMatchObject({ brand_id: 'acme:main' });
    const service = { token: await world.serviceToken('acme') };
    expect((await ask(own, 'acme:main', service)).json[0].player_id).toBe('alice');
    expect((await ask(own, 'acme:main', { token: 'wrong' })).status).toBe(401);
  });

  it('are a setting of operator and brand, off by default', async () => {
    await world.call('POST', '/config/operators', [{ id: 'fresh', name: 'Fresh' }]);
    await world.call('POST', '/config/operators/fresh/brands', [{ id: 'one', name: 'One' }]);
    const read = async () => (await world.call('GET', '/config/operators/fresh')).json;
    expect(JSON.stringify(await read())).not.toContain('public_winners');
    await show('fresh', true);
    await show('fresh:one', true);
    await world.call('PATCH', '/config/operators/fresh/brands/one', { name: 'Other' });
    expect(await read()).toMatchObject({ public_winners: true, brands: [{ public_winners: true }] });
  });
});
