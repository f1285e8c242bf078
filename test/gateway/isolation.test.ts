import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdministratorRole } from '../../src/contracts/accounts/users.ts';
import { createInstance, goldPot, template } from './support/administration.ts';
import { startWalletWorld, type WalletWorld } from './support/wallet-world.ts';

/**
 * Two operators with two brands each, and everybody who may ask: whatever is asked about whatever, nobody sees a byte of
 * another owner's data, and what is foreign answers exactly as what is not there.
 */
const brands = ['acme:main', 'acme:vip', 'rival:main', 'rival:vip'] as const;
type Brand = (typeof brands)[number];
const operators = ['acme', 'rival'] as const;
type Operator = (typeof operators)[number];

const operatorOf = (owner: string) => owner.split(':')[0] as Operator;
/** A player of a brand has the brand's name in the id, so that a leak shows. */
const playerOf = (brand: Brand) => `player-${brand.replace(':', '-')}`;
const sourceOf: Readonly<Record<Operator, string>> = { acme: 'slot-acme', rival: 'slot-rival' };

let world: WalletWorld;
/** Instances by name: each operator's own, and one of acme that rival:main may join. */
const instances: Record<'acme' | 'rival' | 'shared', string> = { acme: '', rival: '', shared: '' };
const certain = { ...goldPot, pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }] };

beforeAll(async () => {
  world = await startWalletWorld();
  await expectCall(200, 'POST', '/config/operators/rival/brands', [{ id: 'vip', name: 'Vip of rival' }]);
  await expectCall(
    200,
    'POST',
    '/config/sources',
    operators.map((operator) => ({
      owner_id: operator,
      source_id: sourceOf[operator],
      source_name: `Source of ${operator}`,
      jackpots: [],
    })),
  );
  await expectCall(201, 'POST', '/config/templates', template('three', { owner_id: 'rival' }));
  const rules = (allowed: readonly Brand[]) => ({
    contribution_rules: { allowed_brands: allowed },
    pots: [certain, { ...certain, id: 'silver' }],
  });
  instances.acme = await create('acme', rules(['acme:main', 'acme:vip']));
  instances.rival = await create('rival', rules(['rival:main', 'rival:vip']));
  instances.shared = await create('acme', rules(['acme:main', 'acme:vip', 'rival:main']));
  for (const operator of operators) {
    const bound = { owner_id: operator, source_id: [sourceOf[operator]], instance_id: instances[operator] };
    await expectCall(204, 'POST', '/config/sources/assign', bound);
  }
  for (const brand of brands) {
    await world.addPlayer(brand, playerOf(brand));
    const service = await world.serviceToken(operatorOf(brand));
    for (const name of ['acme', 'rival', 'shared'] as const) {
      if (!mayJoin(name, brand)) continue;
      const path = `/v1/jackpot/instances/${instances[name]}`;
      const who = { brand_id: brand, player_id: playerOf(brand), player_country: 'DE' };
      await expectCall(204, 'POST', `${path}/opt-in`, { ...who, opt_in: true }, service);
      const contribution = { ...who, token: `token-of-${playerOf(brand)}`, base_wager: 1, currency: 'EUR' };
      await expectCall(200, 'POST', `${path}/contributions`, contribution, service);
    }
  }
});
afterAll(() => world.stop());

const mayJoin = (name: 'acme' | 'rival' | 'shared', brand: Brand) =>
  name === 'shared' ? brand !== 'rival:vip' : operatorOf(brand) === name;

async function create(owner: Operator, overrides: object): Promise<string> {
  const name = `Instance of ${owner}`;
  const id = await createInstance(world, { owner_id: owner, template_owner_id: owner, name, overrides });
  await expectCall(200, 'POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
  return id;
}

async function expectCall(status: number, method: string, path: string, body: unknown, token?: string) {
  const answer = await world.call(method, path, body, token === undefined ? {} : { token });
  expect([path, answer.status, answer.text]).toEqual([path, status, answer.text]);
}

/** Who asks. `brands`: whose players the caller may know by name. */
interface Caller {
  readonly kind: 'service' | 'player' | 'administrator';
  readonly operator: Operator;
  readonly brands: readonly Brand[];
  readonly options: () => Promise<{ token: string; headers?: Record<string, string> }>;
}

/** A password is hashed for every account: equal callers share one. */
const accounts = new Map<string, Promise<string>>();
function once(name: string, make: () => Promise<string>): Promise<string> {
  const made = accounts.get(name) ?? make();
  accounts.set(name, made);
  return made;
}

const someBrands = (operator: Operator) =>
  fc.subarray(
    brands.filter((brand) => operatorOf(brand) === operator),
    { minLength: 1 },
  );

const callers: fc.Arbitrary<Caller> = fc.oneof(
  fc.constantFrom(...operators).chain((operator) =>
    someBrands(operator).map((named) => ({
      kind: 'service' as const,
      operator,
      brands: named,
      options: async () => ({
        token: await once(`${operator} ${named}`, () => world.serviceToken(operator, named)),
      }),
    })),
  ),
  fc.constantFrom<Brand>('acme:main', 'rival:main').map((brand) => ({
    kind: 'player' as const,
    operator: operatorOf(brand),
    // Winners are masked for players, their own name included.
    brands: [brand],
    options: async () => ({ token: '', headers: { 'x-player-token': `token-of-${playerOf(brand)}` } }),
  })),
  fc
    .tuple(
      fc.constantFrom(...operators),
      fc.constantFrom<AdministratorRole>('viewer', 'support', 'config', 'finance'),
    )
    .chain(([operator, role]) =>
      fc.oneof(fc.constant(null), someBrands(operator)).map((named) => ({
        kind: 'administrator' as const,
        operator,
        brands: named ?? brands.filter((brand) => operatorOf(brand) === operator),
        options: async () => ({
          token: await once(`${role} ${named ?? operator}`, () => world.token([role], named ?? [operator])),
        }),
      })),
    ),
);

interface Target {
  readonly instance: keyof typeof instances;
  readonly brand: Brand;
  readonly operator: Operator;
}

const targets: fc.Arbitrary<Target> = fc.record({
  instance: fc.constantFrom('acme', 'rival', 'shared'),
  brand: fc.constantFrom(...brands),
  operator: fc.constantFrom(...operators),
});

interface Route {
  readonly of: readonly Caller['kind'][];
  readonly method: string;
  readonly path: (ids: Ids) => string;
  readonly body?: (ids: Ids) => unknown;
  /** Which of its ids makes it foreign: the answer then equals that for a missing one. */
  readonly by?: 'instance' | 'brand' | 'operator';
}

interface Ids {
  readonly instance: string;
  readonly brand: string;
  readonly operator: string;
  readonly source: string;
  readonly player: string;
}

const criteria = ({ player, brand }: Ids) => ({ id: player, country: 'DE', brand_id: brand });
const routes: readonly Route[] = [
  {
    of: ['service', 'player'],
    method: 'GET',
    by: 'instance',
    path: ({ instance, brand }) => `/v1/jackpot/instances/${instance}/winners?brand_id=${brand}`,
  },
  {
    of: ['service', 'player'],
    method: 'GET',
    by: 'instance',
    path: ({ instance, brand }) => `/v1/jackpot/instances/${instance}/pots/winners?brand_id=${brand}`,
  },
  {
    of: ['service'],
    method: 'GET',
    by: 'instance',
    path: ({ instance }) => `/v1/jackpot/instances/${instance}/winners`,
  },
  {
    of: ['service'],
    method: 'GET',
    by: 'brand',
    path: ({ source, brand, player }) =>
      `/v1/operator/jackpot/instances/source/${source}/brand/${brand}?player_id=${player}&country_code=DE`,
  },
  { of: ['service'], method: 'GET', by: 'brand', path: ({ brand }) => `/v1/currencies/${brand}` },
  {
    of: ['service'],
    method: 'GET',
    by: 'operator',
    path: ({ operator }) => `/v1/jackpot/sources?owner_id=${operator}`,
  },
  {
    of: ['service'],
    method: 'POST',
    by: 'instance',
    path: () => '/v2/jackpot/winners',
    body: (ids) => ({
      operator_id: ids.operator,
      target: { type: 'instance', id: ids.instance },
      player: criteria(ids),
    }),
  },
  {
    of: ['service'],
    method: 'POST',
    by: 'instance',
    path: () => '/v2/jackpot/pots/winners',
    body: (ids) => ({
      operator_id: ids.operator,
      target: { type: 'instance', id: ids.instance },
      player: criteria(ids),
    }),
  },
  {
    of: ['player'],
    method: 'GET',
    path: ({ source, brand }) => `/v1/jackpot/instances/source/${source}/brand/${brand}`,
  },
  { of: ['administrator'], method: 'GET', path: () => '/config/operators?page=0&limit=500' },
  { of: ['administrator'], method: 'GET', path: () => '/config/sources?page=0&limit=500' },
  { of: ['administrator'], method: 'GET', path: () => '/config/instances?page=0&limit=500' },
  { of: ['administrator'], method: 'GET', path: () => '/config/templates?page=0&limit=500' },
  {
    of: ['administrator'],
    method: 'GET',
    by: 'operator',
    path: ({ operator }) => `/config/operators/${operator}`,
  },
  {
    of: ['administrator'],
    method: 'GET',
    by: 'instance',
    path: ({ instance }) => `/config/instances/${instance}`,
  },
  {
    of: ['administrator'],
    method: 'GET',
    by: 'instance',
    path: ({ instance }) => `/config/instances/${instance}/winners`,
  },
  {
    of: ['administrator'],
    method: 'GET',
    by: 'instance',
    path: ({ instance }) => `/config/instances/${instance}/pots/winners`,
  },
  {
    of: ['administrator'],
    method: 'GET',
    by: 'instance',
    path: ({ instance }) => `/config/instances/${instance}/opt-ins`,
  },
  {
    of: ['administrator'],
    method: 'GET',
    path: ({ player, brand }) => `/config/players/${player}/opt-ins?brand_id=${brand}&opted_id=true`,
  },
  {
    of: ['administrator'],
    method: 'GET',
    by: 'brand',
    path: ({ source, brand }) => `/config/jackpot/source/${source}/brand/${brand}`,
  },
];

function idsOf(target: Target): Ids {
  return {
    instance: instances[target.instance],
    brand: target.brand,
    operator: target.operator,
    source: sourceOf[operatorOf(target.brand)],
    player: playerOf(target.brand),
  };
}

const asked = (caller: Caller['kind']) =>
  fc.constantFrom(...routes.filter((route) => route.of.includes(caller)));
const questions = fc
  .tuple(callers, targets)
  .chain(([caller, target]) => asked(caller.kind).map((route) => ({ caller, target, route })));

async function ask(route: Route, ids: Ids, options: Awaited<ReturnType<Caller['options']>>) {
  return world.call(route.method, route.path(ids), route.body?.(ids), options);
}

/** What of other owners must not be in an answer, but for what the question itself said. */
function secretsOf(caller: Caller, ids: Ids): string[] {
  const other = operators.find((operator) => operator !== caller.operator) as Operator;
  const players = brands.filter((brand) => !caller.brands.includes(brand)).map(playerOf);
  const ofOther = [`Instance of ${other}`, `Source of ${other}`, `Vip of ${other}`, sourceOf[other]];
  const named = Object.values(ids);
  return [...players, ...ofOther].filter((secret) => !named.includes(secret));
}

describe('owners beside each other', () => {
  it('see nothing of each other in any answer', async () => {
    const found = { ok: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(questions, async ({ caller, target, route }) => {
        const ids = idsOf(target);
        const answer = await ask(route, ids, await caller.options());
        expect(answer.status).toBeLessThan(500);
        for (const secret of secretsOf(caller, ids)) expect(answer.text).not.toContain(secret);
        // Another operator's instances are there only where they are shared with a brand of the caller's.
        const hidden = caller.operator === 'acme' ? [instances.rival] : [instances.acme];
        for (const instance of hidden) expect(answer.text).not.toContain(instance);
        if (answer.status === 200) found.ok += 1;
        else found.refused += 1;
      }),
      { numRuns: 400 },
    );
    // Both answers and refusals have been looked at.
    expect(found.ok).toBeGreaterThan(50);
    expect(found.refused).toBeGreaterThan(50);
  });

  it('answer about what is foreign exactly as about what is not there', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(questions, async ({ caller, target, route }) => {
        const ids = idsOf(target);
        const foreign = {
          instance: target.instance !== 'shared' && target.instance !== caller.operator,
          brand: operatorOf(target.brand) !== caller.operator,
          operator: target.operator !== caller.operator,
        };
        if (route.by === undefined || !foreign[route.by]) return;
        const missing = {
          instance: { ...ids, instance: 'missing' },
          brand: { ...ids, brand: 'nobody:main' },
          operator: { ...ids, operator: 'nobody' },
        }[route.by];
        const options = await caller.options();
        const [there, gone] = [await ask(route, ids, options), await ask(route, missing, options)];
        expect([route.path(ids), there.status, there.text]).toEqual([
          route.path(ids),
          gone.status,
          gone.text,
        ]);
        compared += 1;
      }),
      { numRuns: 400 },
    );
    expect(compared).toBeGreaterThan(50);
  });

  it('change nothing of each other', async () => {
    const rival = await world.serviceToken('rival');
    const administrator = await world.token(
      ['viewer', 'config', 'finance', 'support', 'security'],
      ['rival'],
    );
    const before = world.commands.length;
    const own = instances.acme;
    const attempts: readonly (readonly [string, string, unknown, string])[] = [
      [
        'POST',
        `/v1/jackpot/instances/${own}/contributions`,
        {
          token: 't',
          brand_id: 'rival:vip',
          player_id: 'p',
          player_country: 'DE',
          base_wager: 1,
          currency: 'EUR',
        },
        rival,
      ],
      [
        'POST',
        `/v1/jackpot/instances/${own}/opt-in`,
        { brand_id: 'rival:vip', player_id: 'p', player_country: 'DE', opt_in: true },
        rival,
      ],
      ['POST', `/config/instances/${own}/status`, { status: 'Paused', reason: 'mine now' }, administrator],
      ['PATCH', `/config/instances/${own}`, { name: 'mine now' }, administrator],
      [
        'PUT',
        `/config/instances/${own}/pots/gold/current-value`,
        { adjustment: '1', reason: 'mine now' },
        administrator,
      ],
      ['PUT', `/config/instances/${own}/brands/rival:vip`, undefined, administrator],
      [
        'POST',
        `/config/instances/${own}/pots/gold/trigger`,
        { brand_id: 'rival:vip', player_id: 'p', source_id: 'slot-rival' },
        administrator,
      ],
      [
        'PUT',
        '/config/operators/acme/brands/main/wallet',
        {
          base_url: 'http://127.0.0.1:1',
          bearer_key: 'k',
          hmac_secret: 'a long enough secret',
          provider_id: 'p',
        },
        administrator,
      ],
      ['PATCH', '/config/operators/acme', { enabled: false }, administrator],
    ];
    for (const [method, path, body, token] of attempts) {
      const answer = await world.call(method, path, body, { token });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect(world.commands).toHaveLength(before);
  });
});
