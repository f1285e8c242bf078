import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, template, type World } from '../../support/administration.ts';

let world: World;
let instance = '';
let raffle = '';
let service = '';

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world);
  const rules = {
    cost_per_ticket: '1',
    cost_source: 'BaseWager',
    allocation_mode: 'Instant',
    duration: { Days: 1 },
    prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 1 }],
  };
  const pots = [{ id: 'main', contribution: { Percentage: 0.5 } }];
  const raffles = template('raffle', { jackpot_type: 'Raffle', raffle_rules: rules, pots });
  await world.call('POST', '/config/templates', raffles);
  raffle = await createInstance(world, { template_id: 'raffle' });
  await world.call('POST', `/config/instances/${raffle}/status`, { status: 'Active', reason: 'go' });
  service = await world.serviceToken('acme');
  const bet = {
    token: 't',
    brand_id: 'acme:main',
    player_id: 'p1',
    player_country: 'DE',
    base_wager: 5,
    currency: 'EUR',
  };
  await world.call('POST', `/v1/jackpot/instances/${raffle}/contributions`, bet, { token: service });
  const optIn = { player_id: 'p1', brand_id: 'acme:main', player_country: 'DE', opt_in: true };
  await world.call('POST', `/config/instances/${instance}/opt-in`, optIn);
});
afterAll(() => world.stop());

/** An integer of the documents has 32 bits, but for A33's, which has 64. */
describe('a page far behind the last one', () => {
  it.each<[name: string, path: () => string, isService: boolean]>([
    ['A1', () => '/config/currencies', false],
    ['A2', () => '/config/operators', false],
    ['A7', () => '/config/segments', false],
    ['A13', () => '/config/sources', false],
    ['A19', () => '/config/instances', false],
    ['A19 of ids', () => `/config/instances?ids=${instance}`, false],
    ['A33', () => `/config/instances/${instance}/opt-ins`, false],
    ['templates', () => '/config/templates', false],
    ['service users', () => '/config/service-users', false],
    ['administrators', () => '/config/users', false],
    ['approvals', () => '/config/approvals', false],
    ['the audit trail', () => '/config/audit', false],
    ['webhook origins', () => '/config/webhook-origins', false],
    ['epochs', () => `/v1/fairness/instances/${instance}/epochs`, false],
    ['O5', () => `/v1/raffles/${raffle}/tickets`, true],
    ['O15', () => '/v1/jackpot/sources?owner_id=acme', true],
  ])('is empty: %s', async (name, path, isService) => {
    const at = path();
    const page = name === 'A33' ? 2 ** 53 - 1 : 2 ** 31 - 1;
    const query = `page=${page}&limit=500&sort_direction=-1`;
    const inputs = at.endsWith('/opt-ins') ? query.replace('&sort_direction=-1', '') : query;
    const token = isService ? { token: service } : {};
    const answer = await world.call('GET', `${at}${at.includes('?') ? '&' : '?'}${inputs}`, undefined, token);
    expect([answer.status, answer.json]).toEqual([200, []]);
  });
});

it.each([
  ['/config/operators', '2147483648'],
  ['/config/operators', '99999999999999999999'],
  ['/config/instances', '2147483648'],
  ['opt-ins', '9007199254740992'],
])('%s has no page %s', async (path, page) => {
  const at = path === 'opt-ins' ? `/config/instances/${instance}/opt-ins` : path;
  expect((await world.call('GET', `${at}?page=${page}`)).json.code).toBe('invalid_parameter');
});
