import { readExactJson } from '../../../src/lib/exact-json.ts';
import { parseAmount } from '../../../src/lib/money.ts';
import { AdministratorClient } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** A jackpot without seeds: its operator pays contributions, and nothing else. They are 5 % of each wager. */
export const seedless = {
  owner_id: 'demo',
  id: 'seedless',
  name: 'Without seeds',
  description: 'Everything in it comes from contributions.',
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  contribution_rules: {
    opt_in_required: false,
    contribution_type: { Percentage: 0.05 },
    operator_contribution_percentage: '1',
  },
  house_pot: { contribution_type: { Percentage: 0.1 } },
  pots: [
    {
      id: 'only',
      contribution: { Percentage: 0.9 },
      seed_contribution: { Percentage: 0.5 },
      seed_strategy: { initial_seed_value: 0, min_reseed_value: 0, fund_strategy: 'CollectAll' },
      pot_types: [{ HitRate: { max_magic_number: 20_000, cost_per_attempt: 0.01 } }],
    },
  ],
};

const atomsPerCent = 50_000n;
const differentWagers = 997;

export const header =
  'target.type,target.id,source.type,source.id,operator_id,player.id,player.token,player.country,player.brand_id,' +
  'base_wager.currency,base_wager.value';

export function wagerCents(number: number): number {
  return (number % differentWagers) + 1;
}

/** Atoms that a wager contributes. */
export function contributedAtoms(cents: number): bigint {
  return BigInt(cents) * atomsPerCent;
}

/** A row of CSV. */
export function rowOf(instance: string, number: number, players = 50): string {
  const wager = (wagerCents(number) / 100).toFixed(2);
  return `instance,${instance},gameround,row-${number},demo,sent-${number % players},session,DE,direct,EUR,${wager}`;
}

export function atomsOf(decimal: string | number): bigint {
  const parsed = parseAmount(decimal);
  if (!parsed.ok) throw new Error(String(decimal));
  return parsed.atoms;
}

/** What the instance has of contributions. */
export interface Standing {
  readonly contributions: number;
  /** Account `operator_capital`, in atoms: below 0, because it came from outside. */
  readonly paid: bigint;
  /** Of all accounts. */
  readonly sum: bigint;
}

export class Books {
  readonly #system: RunningSystem;
  readonly #instance: string;
  #administrator: AdministratorClient | null = null;

  constructor(system: RunningSystem, instance: string) {
    this.#system = system;
    this.#instance = instance;
  }

  async now(): Promise<Standing> {
    const { baseUrl, credentials } = this.#system;
    this.#administrator ??= await AdministratorClient.login(baseUrl, credentials.admin);
    const { body } = await this.#administrator.call('GET', `/config/instances/${this.#instance}`);
    const answer = await fetch(`${baseUrl}/v1/fairness/instances/${this.#instance}/conservation`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    const { accounts, sum } = readExactJson(text) as {
      accounts: Record<string, string | number>;
      sum: string | number;
    };
    return {
      contributions: (body as { total_contributions: number }).total_contributions,
      paid: atomsOf(accounts.operator_capital ?? 0),
      sum: atomsOf(sum),
    };
  }
}
