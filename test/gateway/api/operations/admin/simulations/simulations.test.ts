import { afterEach, beforeEach, expect, it } from 'vitest';
import { furnish, goldPot, startWorld, template, type World } from '../../../../support/administration.ts';

/** Templates and configurations that are played (docs/rules/simulations.md). */
let world: World;
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
});
afterEach(() => world.stop());

const { owner_id: _owner, id: _id, name: _name, description: _description, ...configuration } = template();
const begin = (changes: object = {}, token?: string) =>
  world.call(
    'POST',
    '/config/simulations',
    { owner_id: 'acme', template_id: 'three', contributions: 500, ...changes },
    token === undefined ? {} : { token },
  );
const at = (method: string, id: string, token?: string) =>
  world.call(method, `/config/simulations/${id}`, undefined, token === undefined ? {} : { token });
const given = { template_id: null, configuration };

it.each([
  ['a template', {}],
  ['a configuration', given],
])('plays %s', async (_what, changes) => {
  const begun = await begin({ ...changes, contribution_amount: '2', players: 10, seed: 'mine' });
  expect([begun.status, begun.json]).toMatchObject([202, { state: 'running', progress: 0, report: null }]);
  const { status, json } = await at('GET', begun.json.id);
  expect([status, json]).toMatchObject([
    200,
    {
      ...{ id: begun.json.id, state: 'done', progress: 1, message: null },
      report: {
        ...{ currency: 'EUR', seed: 'mine', contributions: 500, players: 10, contributions_per_second: 1 },
        ...{ wagered: '1000', contributed: '50' },
        return_to_players: { configured: '0.450000' },
        operator: { initial_seeds: '200' },
        pots: [
          // 0.1 is contributed, of 1,000 times 0.1.
          { pot_id: 'gold', first_contribution_win_chance: '0.000999' },
          { pot_id: 'silver' },
        ],
      },
    },
  ]);
});

it('shows what the configuration risks', async () => {
  const pots = [{ ...goldPot, seed_contribution: { Percentage: 0 } }];
  const { headers } = await begin({ ...given, configuration: { ...configuration, pots } });
  expect(headers.get('x-configuration-warnings')).toContain('self-funding ratio');
});

it('ends and forgets it', async () => {
  const { json } = await begin();
  const ended = await at('DELETE', json.id);
  expect([ended.status, ended.text]).toEqual([204, '']);
  for (const method of ['GET', 'DELETE'])
    expect((await at(method, json.id)).json.code).toBe('simulation_not_found');
});

it('says clearly that it is gone, where its process has ended', async () => {
  const { json } = await begin();
  world.simulations.restart();
  const gone = await at('GET', json.id);
  expect([gone.status, gone.json.code]).toEqual([404, 'simulation_not_found']);
});

it.each([
  ['neither', { template_id: null }, 400, 'invalid_request'],
  ['both', { configuration }, 400, 'invalid_request'],
  ['none', { contributions: 0 }, 400, 'invalid_request'],
  ['too many', { contributions: 1_000_001 }, 400, 'invalid_request'],
  ['no whole number of', { contributions: 1.5 }, 400, 'invalid_request'],
  ['too many players', { players: 100_001 }, 400, 'invalid_request'],
  ['too fast', { contributions_per_second: 1_001 }, 400, 'invalid_request'],
  ['a negative wager', { contribution_amount: -1 }, 422, 'amount_negative'],
  ['an owner that is not there', { owner_id: 'nobody' }, 404, 'operator_not_found'],
  ['a template that is not there', { template_id: 'gone' }, 404, 'template_not_found'],
  [
    'a currency that is not there',
    { ...given, configuration: { ...configuration, currency: 'XYZ' } },
    422,
    'currency_unknown',
  ],
  [
    'faults',
    { ...given, configuration: { ...configuration, house_pot: { contribution_type: { Percentage: 2 } } } },
    422,
    'config_invalid',
  ],
])('is refused with %s', async (_what, changes, status, code) => {
  const answer = await begin(changes);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});

it('is for whoever may read the owner, and of its account alone', async () => {
  const viewer = await world.token(['viewer'], ['acme']);
  const colleague = await world.token(['config'], ['acme']);
  const rival = await world.token(['config'], ['rival']);
  const { json } = await begin({}, viewer);
  expect((await at('GET', json.id, viewer)).json.state).toBe('done');
  for (const token of [colleague, rival]) {
    expect((await at('GET', json.id, token)).json.code).toBe('simulation_not_found');
    expect((await at('DELETE', json.id, token)).json.code).toBe('simulation_not_found');
  }
  expect((await begin({}, rival)).json.code).toBe('operator_not_found');
  expect((await begin({ owner_id: 'rival' }, rival)).json.code).toBe('template_not_found');
  expect((await at('GET', json.id, viewer)).status).toBe(200);
});

it('says nothing of brands: those that it names are left out', async () => {
  const viewer = await world.token(['viewer'], ['acme']);
  for (const brand of ['main', 'rival:main', 'rival:gone']) {
    const contribution_rules = { ...configuration.contribution_rules, allowed_brands: [brand] };
    const answer = await begin({ ...given, configuration: { ...configuration, contribution_rules } }, viewer);
    expect([brand, answer.status]).toEqual([brand, 202]);
  }
});

it('plays currencies of the rate table, with its decimals', async () => {
  const rates = { base_currency: 'EUR', multipliers: { GEM: '25' }, exponents: { GEM: 0 } };
  expect((await world.call('PUT', '/config/currencies', rates)).status).toBeLessThan(300);
  const { json } = await begin({
    ...given,
    configuration: { ...configuration, currency: 'GEM' },
    contribution_amount: 3,
  });
  const { report } = (await at('GET', json.id)).json;
  expect([report.currency, report.refused, report.wagered]).toEqual(['GEM', {}, '1500']);
});

it('changes nothing, and has no entry in the trail', async () => {
  const before = [await world.stored('directory'), world.commands.length, world.audit.messages.length];
  const { json } = await begin();
  await at('DELETE', json.id);
  expect([await world.stored('directory'), world.commands.length, world.audit.messages.length]).toEqual(
    before,
  );
});
