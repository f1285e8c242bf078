import { administratorOf, callerOf } from '../lib/http.ts';
import type { RunningSystem } from '../lib/system.ts';
import type { AttackPlan } from './attacker.ts';

/** The tenant that is watched, as the load generator and the log-ins need it. */
export interface QuietTenant {
  readonly instance: string;
  readonly user: { readonly username: string; readonly password: string };
  readonly token: string;
}

/** What an operator of the system would set for a tenant of this size. */
export const hostileQuota = { contributions_per_second: 200, bytes_per_second: 500_000 };
/** Connections of an attack that read no answer. */
export const deafConnections = 20;
const hostileBrands = Array.from({ length: 20 }, (_, number) => `b${number}`);

/**
 * Makes two operators with instances of their own; gives the quiet one and what the hostile one needs for its
 * attacks.
 */
export async function makeTenants(system: RunningSystem): Promise<{
  readonly quiet: QuietTenant;
  readonly attack: AttackPlan;
  administratorToken(): Promise<string>;
}> {
  const call = callerOf(system);
  const tokenOf = async (path: string, credentials: unknown): Promise<string> =>
    ((await call('POST', path, credentials)) as { token: string }).token;
  const admin = await administratorOf(system);
  const user = (operator: string) => ({ username: `${operator}-service`, password: 'a long and good one' });

  await call(
    'POST',
    '/config/operators',
    [
      { id: 'quiet', name: 'Quiet' },
      { id: 'hostile', name: 'Hostile' },
    ],
    admin,
  );
  await call('POST', '/config/operators/quiet/brands', [{ id: 'main', name: 'Main' }], admin);
  const brands = hostileBrands.map((id) => ({ id, name: id }));
  await call('POST', '/config/operators/hostile/brands', brands, admin);
  await call('PATCH', '/config/operators/hostile', { quota: hostileQuota }, admin);
  for (const operator of ['quiet', 'hostile'])
    await call('POST', '/config/service-users', { ...user(operator), operator_id: operator }, admin);

  const instanceOf = async (owner: string, id: string, pot: object): Promise<string> => {
    const template = {
      owner_id: owner,
      id,
      name: id,
      description: '',
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      contribution_rules: { contribution_type: { Fixed: 1 }, opt_in_required: false },
      house_pot: { contribution_type: { Percentage: '0.05' } },
      pots: [{ ...plainPot, ...pot }],
    };
    await call('POST', '/config/templates', template, admin);
    const made = { template_owner_id: owner, template_id: id, owner_id: owner, name: id };
    const instance = ((await call('POST', '/config/instances', made, admin)) as { id: string }).id;
    const status = { status: 'Active', reason: 'bench' };
    await call('POST', `/config/instances/${instance}/status`, status, admin);
    return instance;
  };
  const quietInstance = await instanceOf('quiet', 'plain', {});
  const plainInstance = await instanceOf('hostile', 'plain', {});
  const heavyInstance = await instanceOf('hostile', 'heavy', heavyPot);
  const slot = '/v1/jackpot/instances/source/slot-1/brand/demo:main';
  const { id: walletInstance } = (await call('GET', slot, undefined)) as { id: string };
  return {
    quiet: {
      instance: quietInstance,
      user: user('quiet'),
      token: await tokenOf('/v1/auth/service', user('quiet')),
    },
    administratorToken: () => administratorOf(system),
    attack: {
      host: system.host,
      port: system.port,
      serviceToken: await tokenOf('/v1/auth/service', user('hostile')),
      administratorToken: admin,
      operator: 'hostile',
      paces: {},
      deafConnections,
      only: (process.env.POTSTREAM_NEIGHBOUR_ATTACKS ?? '').split(',').filter((name) => name !== ''),
      brands: hostileBrands.map((id) => `hostile:${id}`),
      heavyInstance,
      plainInstance,
      victim: user('quiet').username,
      walletBrand: 'demo:main',
      walletInstance,
    },
  };
}

const plainPot = {
  id: 'pot',
  contribution: { Percentage: '0.9' },
  seed_contribution: { Percentage: '0.1' },
  seed_strategy: { initial_seed_value: 1000, min_reseed_value: 1000 },
  pot_types: [{ HitRate: { max_magic_number: 1_000_000, cost_per_attempt: '1' } }],
};

const shares = { max_number_of_payouts: 400 };
const heavyPot = {
  pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.01' } }],
  payout_ruleset: {
    main_winner_percentage: '0.4',
    payout_rules: [
      { payout_percentage: '0.2', rule: { ActivePlayers: { period_before_win: 3_600_000, ...shares } } },
      { payout_percentage: '0.2', rule: { HighestContributors: shares } },
    ],
  },
};
