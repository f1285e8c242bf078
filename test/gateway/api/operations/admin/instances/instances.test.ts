import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  goldPot,
  newInstance,
  startWorld,
  template,
  type World,
} from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const divertedTo = (endpoint: string) => ({
  diversion_rules: { target: { External: { endpoint, account_id: 'a' } }, diversion_percentage: '0.5' },
});

describe('templates', () => {
  it('stores the normal form and answers in the documented types', async () => {
    const rules = {
      contribution_type: { Fixed: '0.10' },
      contribution_values_alt: [{ currency: 'SEK', value: '1.5' }],
      max_contribution: { max_contribution_value: 5, cap_contribution_by_base_wager: '' },
      operator_contribution_percentage: 0.5,
      allowed_brands: ['main'],
    };
    const created = await world.call(
      'POST',
      '/config/templates',
      template('typed', { contribution_rules: rules }),
    );
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      owner_id: 'acme',
      id: 'typed',
      raffle_rules: null,
      max_instantiation_count: null,
      win_selector_strategy: 'Lowest',
      contribution_rules: {
        contribution_type: { Fixed: 0.1 },
        contribution_values_alt: [{ currency: 'SEK', value: 1.5 }],
        max_contribution: {
          max_contribution_value: '5',
          include_base_wager: false,
          cap_contribution_by_base_wager: null,
        },
        operator_contribution_percentage: '0.5',
        allowed_brands: ['acme:main'],
      },
      pots: [
        { id: 'gold', contribution: { Percentage: 0.25 }, seed_strategy: { min_reseed_value: 100 } },
        {},
      ],
    });
    const read = await world.call('GET', '/config/templates/acme/typed');
    expect(read.json).toEqual(created.json);
    const list = await world.call('GET', '/config/templates?owner_id=acme');
    expect(list.json.map((item: { id: string }) => item.id)).toEqual(['three', 'typed']);
  });

  it.each([
    [template('three'), 409, 'already_exists'],
    [template('t', { owner_id: 'nobody' }), 404, 'operator_not_found'],
    [template('t', { currency: 'XYZ' }), 422, 'currency_unknown'],
    [template('t', { house_pot: divertedTo('http://bank.example/in') }), 422, 'endpoint_not_allowed'],
    [template('t', { house_pot: divertedTo('https://10.0.0.7/in') }), 422, 'endpoint_not_allowed'],
    [template('t', { house_pot: divertedTo('bank') }), 422, 'endpoint_not_allowed'],
    [template('t', { pots: [{ ...goldPot, contribution: { Percentage: 0.9 } }] }), 422, 'config_invalid'],
    [
      template('t', { pots: [{ ...goldPot, pot_types: [{ Threshold: { min_value: 1, max_value: 200 } }] }] }),
      422,
      'config_invalid',
    ],
    [template('t', { pots: [{ ...goldPot, supports_external_trigger: true }] }), 422, 'config_invalid'],
    [
      template('t', { pots: [{ ...goldPot, contribution: { Percentage: 0.1, Fixed: 1 } }] }),
      400,
      'invalid_request',
    ],
    [template('t', { pots: [{ ...goldPot, contribution: { Share: 0.1 } }] }), 400, 'invalid_request'],
    [template('t', { pots: [{ ...goldPot, maximum_pot_value: -1 }] }), 422, 'amount_negative'],
    [template('t', { pots: [{ ...goldPot, maximum_pot_value: '0.123456789' }] }), 422, 'amount_precision'],
    [template('t', { pots: [{ ...goldPot, maximum_pot_value: '1e5' }] }), 400, 'invalid_request'],
    [template('t', { pots: [{ ...goldPot, maximum_pot_value: '90000000001' }] }), 422, 'amount_out_of_range'],
    [template('t', { pots: [{ ...goldPot, maximum_pot_value: [5] }] }), 400, 'invalid_request'],
    [template('t', { pots: [] }), 400, 'invalid_request'],
    [template('t', { jackpot_kind: 'Jackpot' }), 400, 'invalid_request'],
    [template('t', { jackpot_type: 'jackpot' }), 400, 'invalid_request'],
    [template('t', { contribution_rules: null }), 400, 'invalid_request'],
    [template('t', { contribution_rules: { allowed_brands: ['other'] } }), 422, 'config_invalid'],
    [
      template('t', { contribution_rules: { country_filters: { white_list: ['Germany'] } } }),
      422,
      'country_invalid',
    ],
  ])('refuses %#', async (body, status, code) => {
    const answer = await world.call('POST', '/config/templates', body);
    expect(answer).toMatchObject({ status, json: { code } });
    if (code !== 'already_exists') expect(world.readModel.entries.templates.has('acme t')).toBe(false);
  });

  it('names the unknown field and all faults of a configuration', async () => {
    const unknown = await world.call('POST', '/config/templates', template('t', { colour: 'red' }));
    expect(unknown.json.message).toContain('colour');
    const pots = [
      { ...goldPot, contribution: { Percentage: 0.8 } },
      { ...goldPot, contribution: { Percentage: 0.8 } },
    ];
    const faulty = await world.call('POST', '/config/templates', template('t', { pots }));
    expect(faulty.json.message).toMatch(/different ids.*more than 1/);
    const contribution_rules = {
      contribution_type: { Fixed: 1 },
      allowed_brands: ['main', 'nobody'],
      contribution_values_alt: [{ currency: 'XBTC', value: 1 }],
    };
    const both = await world.call('POST', '/config/templates', template('t', { contribution_rules, pots }));
    expect(both.json.message).toMatch(
      /different ids.*allowed_brands\[1\] is no brand that exists.*contribution_values_alt\[0\]\.currency/,
    );
    expect(both.json.message).not.toContain('nobody');
  });

  it('says of which pot supports_external_trigger contradicts pot_types', async () => {
    const pots = [goldPot, { ...goldPot, id: 'silver', supports_external_trigger: true }];
    const { json } = await world.call('POST', '/config/templates', template('contradicting', { pots }));
    expect(json.code).toBe('config_invalid');
    expect(json.message).toBe(
      'pots[1].supports_external_trigger must be true exactly where pot_types has External.',
    );
  });

  it('takes and shows every kind of trigger, constraint and payout rule', async () => {
    const pot = {
      ...goldPot,
      seed_contribution: { Percentage: 0.9 },
      pot_types: [
        { Threshold: { min_value: '100', max_value: 200 } },
        { Time: { start_time: 64_800_000, end_time: 72_000_000 } },
        { External: {} },
      ],
      criteria: { min_contribution: 0.01 },
      win_constraints: [{ AllowedSeedDeficit: '50.5' }],
      payout_ruleset: {
        main_winner_percentage: 0.7,
        admin_fee: '0.05',
        payout_rules: [
          {
            payout_percentage: 0.1,
            rule: { ActivePlayers: { period_before_win: 60_000, max_number_of_payouts: 10 } },
          },
          { payout_percentage: 0.1, rule: { HighestContributors: { max_number_of_payouts: 5 } } },
          { payout_percentage: '0.05', rule: { HighestLifetimeContributors: { max_number_of_payouts: 1 } } },
        ],
      },
    };
    const free = {
      ...goldPot,
      id: 'free',
      win_constraints: [{ MinPotValue: 10 }, { MinContributions: 3 }, { MinInterval: 60 }],
    };
    const created = await world.call('POST', '/config/templates', template('kinds', { pots: [pot, free] }));
    expect(created).toMatchObject({ status: 201 });
    const instance = await world.call('POST', '/config/instances', newInstance({ template_id: 'kinds' }));
    expect(instance.json.pots).toMatchObject([
      {
        pot_types: [
          { Threshold: { min_value: 100, max_value: 200 } },
          { Time: { start_time: 64_800_000, end_time: 72_000_000 } },
          { External: {} },
        ],
        win_constraints: [{ AllowedSeedDeficit: '50.5' }],
        supports_external_trigger: true,
        payout_ruleset: {
          main_winner_percentage: 0.7,
          admin_fee: 0.05,
          payout_rules: [
            {
              payout_percentage: 0.1,
              rule: { ActivePlayers: { period_before_win: 60_000, max_number_of_payouts: 10 } },
            },
            { payout_percentage: 0.1, rule: { HighestContributors: { max_number_of_payouts: 5 } } },
            { payout_percentage: 0.05, rule: { HighestLifetimeContributors: { max_number_of_payouts: 1 } } },
          ],
        },
      },
      { win_constraints: [{ MinPotValue: '10' }, { MinContributions: 3 }, { MinInterval: 60 }] },
    ]);
  });

  it('that does not fund its reseeds is stored; what the house pays stands in a header', async () => {
    const pots = [{ ...goldPot, seed_contribution: { Percentage: 0.5 } }];
    const created = await world.call('POST', '/config/templates', template('subsidised', { pots }));
    expect(created.status).toBe(201);
    const advice =
      'pots[0] has a self-funding ratio of 0.12: it collects about 12.5 of the 100 that a reseed takes, so the house pays about 87.5 a cycle';
    expect(created.headers.get('x-configuration-warnings')).toBe(advice);
    const body = newInstance({ template_id: 'subsidised' });
    const instance = await world.call('POST', '/config/instances', body);
    expect(instance.headers.get('x-configuration-warnings')).toBe(advice);
    const overrides = { pots: [{ id: 'gold', seed_strategy: { min_reseed_value: 10 } }] };
    const path = `/config/instances/${instance.json.id}/parameters`;
    const changed = await world.call('PUT', path, { overrides, reason: 'less' });
    expect(changed.status).toBe(200);
    expect(changed.headers.has('x-configuration-warnings')).toBe(false);
  });

  it('is not there for foreigners', async () => {
    const token = await world.token(['config', 'viewer'], ['rival']);
    const read = await world.call('GET', '/config/templates/acme/three', undefined, { token });
    expect(read.json.code).toBe('template_not_found');
    const body = newInstance({ owner_id: 'rival' });
    expect((await world.call('POST', '/config/instances', body, { token })).json.code).toBe(
      'template_not_found',
    );
  });
});

const fullInstance = [
  'contribution_rules',
  'created',
  'currency',
  'description',
  'game_code',
  'group',
  'house_pot',
  'id',
  'jackpot_type',
  'last_updated',
  'links',
  'max_instantiation_count',
  'name',
  'owner_id',
  'pots',
  'raffle_rules',
  'status',
  'switch',
  'switched_to',
  'template_id',
  'template_owner_id',
  'timestamp_end',
  'timestamp_start',
  'total_contributions',
  'version',
  'win_selector_strategy',
];
const fullPot = [
  'contributed_amount',
  'contributed_seed',
  'contribution',
  'criteria',
  'current_value',
  'enabled',
  'id',
  'instance_count',
  'is_progressive',
  'maximum_pot_value',
  'overflow_amount',
  'payout_ruleset',
  'pot_types',
  'seed_contribution',
  'seed_strategy',
  'seed_value',
  'supports_external_trigger',
  'surplus_seed',
  'timestamp_created',
  'total_contributions',
  'win_constraints',
];

describe('instances', () => {
  it('is created Pending with overrides, and shows every field of a full instance', async () => {
    const overrides = {
      contribution_rules: { contribution_type: { Percentage: '0.05' } },
      pots: [{ id: 'silver', enabled: false, seed_strategy: { initial_seed_value: '7.5' } }],
    };
    const body = newInstance({ name: 'Two', game_code: 'slot-1', overrides });
    const created = await world.call('POST', '/config/instances', body);
    expect(created.status).toBe(201);
    expect(Object.keys(created.json).sort()).toEqual(fullInstance);
    expect(created.json).toMatchObject({
      status: 'Pending',
      name: 'Two',
      description: 'A template.',
      game_code: 'slot-1',
      template_id: 'three',
      owner_id: 'acme',
      group: 'acme',
      version: expect.any(Number),
      currency: 'EUR',
      timestamp_end: null,
      contribution_rules: {
        contribution_type: { Percentage: 0.05 },
        operator_contribution_percentage: '1',
        opt_in_required: false,
        qualified_contribution_only: true,
      },
      house_pot: { contribution_type: { Percentage: 0.3 }, current_value: 0, diversion_pool: 0 },
      pots: [
        {
          id: 'gold',
          enabled: true,
          seed_strategy: { initial_seed_value: 100, fund_strategy: 'CollectToMinReseed' },
        },
        { id: 'silver', enabled: false, seed_strategy: { initial_seed_value: 7.5, min_reseed_value: 100 } },
      ],
    });
    for (const pot of created.json.pots) expect(Object.keys(pot).sort()).toEqual(fullPot);
    const read = await world.call('GET', `/config/instances/${created.json.id}`);
    expect(read.json).toMatchObject({
      ...created.json,
      version: expect.anything(),
      last_updated: expect.anything(),
    });
  });

  it.each(['', 'Slot 1', '🎰'.repeat(128)])('may have the game code %j', async (game_code) => {
    const { status, json } = await world.call('POST', '/config/instances', newInstance({ game_code }));
    expect([status, json.game_code]).toEqual([201, game_code]);
  });

  it.each(['two\nlines', '🎰'.repeat(129)])('has no game code that is no source: %j', async (game_code) => {
    const { status, json } = await world.call('POST', '/config/instances', newInstance({ game_code }));
    expect([status, json.code]).toEqual([400, 'invalid_identifier']);
  });

  it('moves through its statuses', async () => {
    const id = await createInstance(world);
    const path = `/config/instances/${id}/status`;
    const active = await world.call('POST', path, { status: 'Active', reason: 'go' });
    expect(active).toMatchObject({ status: 200, json: { id, status: 'Active' } });
    expect(active.json.pots[0].current_value).toBe(100);
    const paused = await world.call('POST', path, { status: 'Paused', reason: 'rest', instance_id: id });
    expect(paused.json.status).toBe('Paused');
    expect((await world.call('POST', path, { status: 'Pending', reason: 'back' })).json.code).toBe(
      'invalid_transition',
    );
  });

  it.each([
    [{ status: 'Active', reason: ' ' }, 422, 'reason_required'],
    [{ status: 'Active' }, 400, 'invalid_request'],
    [{ status: 'active', reason: 'x' }, 400, 'invalid_request'],
    [{ status: 'Active', reason: 'x', instance_id: 'other' }, 400, 'invalid_request'],
    [{ status: 'Active', reason: 'x', extra: 1 }, 400, 'invalid_request'],
  ])('a status of %j is %i %s', async (body, status, code) => {
    const id = await createInstance(world);
    const before = (await world.call('GET', `/config/instances/${id}`)).text;
    expect(await world.call('POST', `/config/instances/${id}/status`, body)).toMatchObject({
      status,
      json: { code },
    });
    expect((await world.call('GET', `/config/instances/${id}`)).text).toBe(before);
  });

  it('honours If-Match', async () => {
    const id = await createInstance(world);
    const { version } = (await world.call('GET', `/config/instances/${id}`)).json;
    const path = `/config/instances/${id}`;
    const change = (value: string) =>
      world.call('PATCH', path, { name: 'Renamed' }, { headers: { 'if-match': value } });
    expect((await change(String(version + 1))).json.code).toBe('version_conflict');
    expect((await change('*')).json.code).toBe('invalid_parameter');
    expect(await change(`"${version}"`)).toMatchObject({ status: 204, text: '' });
    expect((await change(String(version))).json.code).toBe('version_conflict');
    expect((await world.call('GET', path)).json).toMatchObject({ name: 'Renamed', version: version + 1 });
  });

  it('stores nothing where neither name nor description is given', async () => {
    const id = await createInstance(world, { description: 'One line\nand another' });
    const path = `/config/instances/${id}`;
    const before = (await world.call('GET', path)).json;
    expect(before.description).toBe('One line\nand another');
    const { version } = before;
    for (const body of [{}, { name: null, description: null }, { instance_id: id }])
      expect((await world.call('PATCH', path, body)).status).toBe(204);
    const headers = { 'if-match': String(version + 1) };
    expect((await world.call('PATCH', path, {}, { headers })).json.code).toBe('version_conflict');
    expect((await world.call('GET', path)).json).toEqual(before);
  });

  it('changes parameters and links', async () => {
    const id = await createInstance(world);
    const changed = await world.call('PUT', `/config/instances/${id}/parameters`, {
      overrides: {
        pots: [{ id: 'gold', maximum_pot_value: '5000' }],
        contribution_rules: { allowed_brands: ['vip'] },
      },
      reason: 'limits',
    });
    expect(changed).toMatchObject({
      status: 200,
      json: {
        pots: [{ maximum_pot_value: '5000' }, {}],
        contribution_rules: { allowed_brands: ['acme:vip'] },
      },
    });
    const path = `/config/instances/${id}/parameters`;
    for (const [overrides, code] of [
      [{ currency: 'USD' }, 'config_invalid'],
      [{ pots: [{ id: 'new', contribution: { Percentage: 0.01 } }] }, 'config_invalid'],
      [{ unknown: 1 }, 'invalid_request'],
      [{ pots: [{ id: 'gold', contribution: { Percentage: '2' } }] }, 'config_invalid'],
    ] as const) {
      expect((await world.call('PUT', path, { overrides, reason: 'x' })).json.code).toBe(code);
    }
    const linked = await createInstance(world);
    const apart = await createInstance(world, { group: 'acme:apart' });
    const links = (instance_ids: string[]) =>
      world.call('PUT', `/config/instances/${id}/links`, { instance_ids });
    expect((await links([linked])).json.links).toEqual([linked]);
    expect((await links([apart])).json.code).toBe('group_mismatch');
    expect((await links([id])).json.code).toBe('config_invalid');
    expect((await links(['none'])).json.code).toBe('instance_not_found');
  });

  it.each([
    [{ template_id: 'none' }, 404, 'template_not_found'],
    [{ owner_id: 'nobody' }, 404, 'operator_not_found'],
    [{ owner_id: 'acme:none' }, 404, 'brand_not_found'],
    [{ group: 'rival:x' }, 422, 'group_mismatch'],
    [{ group: 'a b' }, 400, 'invalid_identifier'],
    [{ timestamp_start: 10, timestamp_end: 10 }, 422, 'config_invalid'],
    [{ timestamp_start: 10, timestamp_end: 20 }, 422, 'config_invalid'],
    [{ timestamp_end: 20 }, 422, 'config_invalid'],
    [{ timestamp_start: 1.5 }, 400, 'invalid_request'],
    [{ overrides: { pots: [{ id: 'gold', contribution: { Percentage: 1 } }] } }, 422, 'config_invalid'],
    [{ overrides: { pot: [] } }, 400, 'invalid_request'],
    [{ overrides: [] }, 400, 'invalid_request'],
    [{ name: '' }, 400, 'invalid_request'],
    [{ name: undefined }, 400, 'invalid_request'],
    [{ nickname: 'x' }, 400, 'invalid_request'],
  ])('creating with %j is %i %s and changes nothing', async (changes, status, code) => {
    const before = world.commands.length;
    expect(await world.call('POST', '/config/instances', newInstance(changes))).toMatchObject({
      status,
      json: { code },
    });
    expect(world.commands.length).toBe(before);
  });

  it('filters lists and single reads', async () => {
    const id = await createInstance(world, { owner_id: 'acme:vip', name: 'Only one' });
    const ids = async (query: string) =>
      (await world.call('GET', `/config/instances?${query}`)).json.map((item: { id: string }) => item.id);
    expect(await ids(`ids=${id}`)).toEqual([id]);
    const unknown = await world.call('GET', `/config/instances?ids=${id},none`);
    expect(unknown).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
    expect(await ids('owner_id=acme:vip')).toEqual([id]);
    expect(await ids('name=only')).toEqual([id]);
    expect(await ids('owner_id=rival')).toEqual([]);
    expect((await world.call('GET', '/config/instances?owner_id=nobody')).json.code).toBe(
      'operator_not_found',
    );
    expect(await ids(`ids=${id}&status=Active`)).toEqual([]);
    expect((await world.call('GET', `/config/instances/${id}?owner_id=acme:vip&status=Pending`)).status).toBe(
      200,
    );
    expect((await world.call('GET', `/config/instances/${id}?owner_id=acme`)).json.code).toBe(
      'instance_not_found',
    );
    expect((await world.call('GET', `/config/instances/${id}?status=Active`)).json.code).toBe(
      'instance_not_found',
    );
    expect((await world.call('GET', '/config/instances?ids=a b')).json.code).toBe('invalid_identifier');
    expect((await world.call('GET', '/config/instances?status=nothing')).json.code).toBe('invalid_parameter');
    const token = await world.token(['viewer'], ['rival']);
    const foreign = await world.call('GET', `/config/instances/${id}`, undefined, { token });
    expect(foreign.text).toBe((await world.call('GET', '/config/instances/none', undefined, { token })).text);
  });
});
