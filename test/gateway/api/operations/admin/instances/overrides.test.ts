import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  furnish,
  goldPot,
  newInstance,
  registerOrigin,
  startWorld,
  template,
  type World,
} from '../../../../support/administration.ts';

let world: World;
const diversion = {
  target: { External: { endpoint: 'https://bank.example/flush', account_id: 'a-1' } },
  diversion_percentage: '0.5',
};

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  await registerOrigin(world, 'https://bank.example');
  const whole = template('whole', {
    max_instantiation_count: 3,
    house_pot: { contribution_type: { Percentage: 0.3 }, diversion_rules: diversion },
    pots: [{ ...goldPot, maximum_pot_value: '500' }],
  });
  expect((await world.call('POST', '/config/templates', whole)).status).toBe(201);
});
afterAll(() => world.stop());

const create = (overrides: unknown) =>
  world.call('POST', '/config/instances', newInstance({ template_id: 'whole', overrides }));

describe('null in overrides', () => {
  it('removes what may be absent, at creation', async () => {
    const { json } = await create({
      max_instantiation_count: null,
      house_pot: { diversion_rules: null },
      pots: [{ id: 'gold', maximum_pot_value: null }],
    });
    expect(json).toMatchObject({
      house_pot: { contribution_type: { Percentage: 0.3 }, diversion_rules: null },
      pots: [{ id: 'gold', maximum_pot_value: null, contribution: { Percentage: 0.25 } }],
    });
    const id = json.id as string;
    const rules = world.readModel.known(id)!.description.configuration as Record<string, unknown>;
    expect(rules).not.toHaveProperty('max_instantiation_count');
  });

  it('removes it from an instance, too', async () => {
    const { json } = await create({});
    expect(json.house_pot.diversion_rules).not.toBeNull();
    const path = `/config/instances/${json.id}/parameters`;
    const changed = await world.call('PUT', path, {
      overrides: { house_pot: { diversion_rules: null } },
      reason: 'the account is closed',
    });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.json.house_pot.diversion_rules).toBeNull();
  });

  it.each(['currency', 'pots', 'contribution_rules', 'jackpot_type'])(
    'of %s, which must be there, is refused',
    async (name) => {
      const answer = await create({ [name]: null });
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('null in overrides for a member that configurations do not have', () => {
  it.each([
    ['max_instantiations', { max_instantiations: null }],
    ['house_pot.diversion_rule', { house_pot: { diversion_rule: null } }],
    [
      'contribution_rules.contribution_type.Fix',
      { contribution_rules: { contribution_type: { Fix: null } } },
    ],
    ['pots[0].maximum_pot_vaule', { pots: [{ id: 'gold', maximum_pot_vaule: null }] }],
    ['pots[0].seed_strategy.seed', { pots: [{ id: 'gold', seed_strategy: { seed: null } }] }],
  ])('names %s as unknown, at creation and for an instance', async (name, overrides) => {
    const refused = {
      status: 400,
      json: { code: 'invalid_request', message: expect.stringContaining(`Unknown field: ${name}.`) },
    };
    expect(await create(overrides)).toMatchObject(refused);
    const { json } = await create({});
    const path = `/config/instances/${json.id}/parameters`;
    expect(await world.call('PUT', path, { overrides, reason: 'misspelt' })).toMatchObject(refused);
    expect((await world.call('GET', `/config/instances/${json.id}`)).json.version).toBe(json.version);
  });
});

describe('a raffle', () => {
  const raffle = (pot: object, changes: object = {}) =>
    template(
      `raffle-${Object.keys({ ...pot, ...changes })
        .join('-')
        .replaceAll('_', '-')}`,
      {
        jackpot_type: 'Raffle',
        raffle_rules: {
          cost_per_ticket: '1',
          cost_source: 'Contribution',
          allocation_mode: 'Instant',
          duration: { Days: 1 },
          prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 1 }],
        },
        pots: [{ id: 'main', contribution: { Percentage: 0.5 }, ...pot }],
        ...changes,
      },
    );
  const warnings = async (pot: object, changes: object = {}) => {
    const answer = await world.call('POST', '/config/templates', raffle(pot, changes));
    expect(answer.status, answer.text).toBe(201);
    return { view: answer.json, texts: answer.headers.get('x-configuration-warnings') ?? '' };
  };

  it('does not claim to support an external trigger', async () => {
    const { view, texts } = await warnings({ pot_types: [{ External: {} }] });
    expect(view.pots[0].supports_external_trigger).toBe(false);
    expect(texts).toContain('pots[0].pot_types are never drawn');
    const made = await world.call('POST', '/config/instances', newInstance({ template_id: view.id }));
    expect(made.json.pots[0].supports_external_trigger).toBe(false);
  });

  it.each([
    ['pots[0].win_constraints', { win_constraints: [{ MinPotValue: '5' }] }, {}],
    ['pots[0].payout_ruleset', { payout_ruleset: { main_winner_percentage: 1 } }, {}],
    ['win_selector_strategy', {}, { win_selector_strategy: 'Highest' }],
  ])('warns of %s, which it does not use', async (name, pot, changes) => {
    expect((await warnings(pot, changes)).texts).toContain(`${name} `);
  });

  it('warns of nothing else', async () => {
    expect((await warnings({})).texts).toBe('');
  });
});
