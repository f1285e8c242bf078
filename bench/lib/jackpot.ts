import { type AdministeredSystem, administratorOf, type Call, callerOf } from './http.ts';

/** What the load generator needs of the jackpot that rows measure. */
export interface BenchJackpot {
  readonly brand: string;
  readonly instance: string;
  readonly source: string;
  /** A service user's token. */
  readonly token: string;
}

export interface JackpotRules {
  /** The part of a contribution that the operator pays. */
  readonly operatorPart: string;
  /** The small pot is won once in this many contributions of 1 EUR. */
  readonly smallOdds: number;
}

const owner = 'bench';
const service = { username: 'bench-service', password: 'a long and good one' };
const source = 'bench-slot';

/**
 * An instance of the bench's own operator, so that changes of the demo move no figure: three pots, each won
 * about as seldom as at a real operator (the small one once in 20,000 contributions of 1 EUR), funded by the
 * operator, of a brand without a wallet.
 */
export async function makeJackpot(
  system: AdministeredSystem,
  rules: JackpotRules = { operatorPart: '1', smallOdds: 20_000 },
): Promise<BenchJackpot> {
  const call = callerOf(system);
  const admin = await administratorOf(system);
  await call('POST', '/config/operators', [{ id: owner, name: 'Bench' }], admin);
  await call('POST', `/config/operators/${owner}/brands`, [{ id: 'main', name: 'Main' }], admin);
  await call('POST', '/config/service-users', { ...service, operator_id: owner }, admin);
  await call(
    'POST',
    '/config/templates',
    {
      owner_id: owner,
      id: 'three-pots',
      name: 'Three pots',
      description: '',
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      contribution_rules: {
        contribution_type: { Percentage: '0.01' },
        opt_in_required: false,
        operator_contribution_percentage: rules.operatorPart,
      },
      house_pot: { contribution_type: { Percentage: '0.05' } },
      pots: [
        pot('mini', '0.3', rules.smallOdds, rules.smallOdds / 2_000),
        pot('major', '0.3', 500_000, 250),
        pot('grand', '0.35', 20_000_000, 10_000),
      ],
    },
    admin,
  );
  const made = { template_owner_id: owner, template_id: 'three-pots', owner_id: owner, name: 'Bench' };
  const { id } = (await call('POST', '/config/instances', made, admin)) as { id: string };
  await call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'bench' }, admin);
  const slot = { owner_id: owner, source_id: source, source_name: 'Bench slot', jackpots: [] };
  await call('POST', '/config/sources', [slot], admin);
  const binding = { owner_id: owner, source_id: [source], instance_id: id };
  await call('POST', '/config/sources/assign', binding, admin);
  const { token } = (await call('POST', '/v1/auth/service', service)) as { token: string };
  return { brand: `${owner}:main`, instance: id, source, token };
}

const writesAtOnce = 32;
const activeWithinMs = 60_000;

/** Makes `count` more instances of that jackpot's operator, in turn of these groups, Active; their ids. */
export async function makeInstances(
  system: AdministeredSystem,
  count: number,
  groups: readonly string[] = [owner],
): Promise<string[]> {
  const call = callerOf(system);
  const admin = await administratorOf(system);
  const ids: string[] = [];
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < count) {
      const group = groups[next % groups.length];
      next += 1;
      const made = {
        template_owner_id: owner,
        template_id: 'three-pots',
        owner_id: owner,
        name: 'Bench',
        group,
      };
      const { id } = (await call('POST', '/config/instances', made, admin)) as { id: string };
      await activate(call, admin, id);
      ids.push(id);
    }
  };
  await Promise.all(Array.from({ length: Math.min(writesAtOnce, count) }, writer));
  return ids;
}

/** The instance may become Active once its owner has committed to its first draws. */
async function activate(call: Call, admin: string, id: string): Promise<void> {
  const deadline = performance.now() + activeWithinMs;
  for (;;) {
    const change = { status: 'Active', reason: 'bench' };
    const answer = await call('POST', `/config/instances/${id}/status`, change, admin).catch(
      (error) => error,
    );
    if (!(answer instanceof Error)) return;
    if (performance.now() > deadline) throw answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function pot(id: string, share: string, odds: number, seed: number): object {
  return {
    id,
    contribution: { Percentage: share },
    seed_contribution: { Percentage: '0.4' },
    seed_strategy: { initial_seed_value: seed, min_reseed_value: seed, fund_strategy: 'CollectAll' },
    pot_types: [{ HitRate: { max_magic_number: odds, cost_per_attempt: '0.01' } }],
  };
}
