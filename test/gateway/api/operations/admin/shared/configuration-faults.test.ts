import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  goldPot,
  newInstance,
  startWorld,
  type World,
} from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const create = (overrides: unknown) => world.call('POST', '/config/instances', newInstance({ overrides }));

it('all misshapen fields are told at once, with their places', async () => {
  const { status, json } = await create({
    win_selector_strategy: 'Best',
    house_pot: { contribution_type: { Percentage: true } },
    pots: [
      {
        id: 'gold',
        pot_types: [{ External: {} }, { HitRate: { max_magic_number: '9', cost_per_attempt: 1 } }],
      },
    ],
  });
  expect(status).toBe(400);
  expect(json.code).toBe('invalid_request');
  expect(json.message).toContain('The field win_selector_strategy is missing or not valid.');
  expect(json.message).toContain('house_pot.contribution_type.Percentage');
  expect(json.message).toContain('pots[0].pot_types[1].HitRate.max_magic_number');
});

it('refused values are told at once, with their places and what is wrong', async () => {
  const { status, json } = await create({
    contribution_rules: {
      wager_criteria: { min_base_wager: -1 },
      country_filters: { black_list: ['DE', 'de'] },
    },
    pots: [{ id: 'gold', contribution: { Percentage: '0.1234567891' } }],
  });
  expect(status).toBe(422);
  expect(json.code).toBe('amount_negative');
  expect(json.message).toContain('contribution_rules.wager_criteria.min_base_wager: The amount is negative.');
  expect(json.message).toContain('contribution_rules.country_filters.black_list[1]: The country');
  expect(json.message).toContain('pots[0].contribution.Percentage must have at most 9 decimals.');
});

it.each([
  ['9007199254740991', '"0.00000001"', 201, undefined],
  ['9007199254740993', '"0.00000001"', 400, 'invalid_request'],
  ['1000', '1234567890123456', 422, 'amount_out_of_range'],
  ['1000', '"0.000000009"', 422, 'amount_precision'],
  ['1000', '-1e-9', 422, 'amount_negative'],
  ['1000', '0.30000000000000004', 201, undefined],
])('a limit of %s and an amount of %s', async (magic, cost, status, code) => {
  const hitRate = `{"HitRate":{"max_magic_number":${magic},"cost_per_attempt":${cost}}}`;
  const body = JSON.stringify(newInstance({ overrides: { pots: [{ id: 'gold', pot_types: ['odds'] }] } }));
  const answer = await world.call('POST', '/config/instances', body.replace('"odds"', hitRate));
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});

it('unknown members are named with their places, every one of them', async () => {
  const { status, json } = await create({ pots: [{ id: 'gold', criteria: { min_wager: 1, max_wager: 2 } }] });
  expect(status).toBe(400);
  expect(json.message).toBe(
    'Unknown field: pots[0].criteria.min_wager. Unknown field: pots[0].criteria.max_wager.',
  );
});

it('what is no amount at all comes before one that is refused', async () => {
  const { status, json } = await create({
    contribution_rules: { wager_criteria: { min_base_wager: -1, min_contribution: 'much' } },
  });
  expect(status).toBe(400);
  expect(json).toMatchObject({
    code: 'invalid_request',
    message:
      'The field contribution_rules.wager_criteria.min_contribution is missing or not valid. ' +
      'contribution_rules.wager_criteria.min_base_wager: The amount is negative.',
  });
});

it('keys that a caller chooses freely are not echoed', async () => {
  const multipliers = { EUR: 1, 'a-key': '1' };
  const { json } = await world.call('PUT', '/config/currencies', { base_currency: 'EUR', multipliers });
  expect(json.code).toBe('invalid_request');
  expect(json.message).not.toContain('a-key');
});

it('two overrides of one pot are a mistake, not the last one', async () => {
  const { status, json } = await create({
    pots: [
      { id: 'gold', enabled: false },
      { id: 'gold', enabled: true },
    ],
  });
  expect(status).toBe(422);
  expect(json).toMatchObject({ code: 'config_invalid', message: expect.stringContaining('different ids') });
});

it('a pot that the instance does not have is told as such when parameters change', async () => {
  const id = await createInstance(world);
  for (const pot of [
    { id: 'golf', enabled: false },
    { ...goldPot, id: 'golf' },
  ]) {
    const change = { overrides: { pots: [pot] }, reason: 'a slip of the pen' };
    const { status, json } = await world.call('PUT', `/config/instances/${id}/parameters`, change);
    expect(status).toBe(422);
    expect(json).toMatchObject({ code: 'config_invalid', message: expect.stringContaining('does not have') });
  }
});
