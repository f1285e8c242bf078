import { serverAuthorization } from '../../../src/wallet/client/signature.ts';
import { readKeys } from '../../../tools/reference-wallet/keys.ts';
import { scaled } from '../../jackpot/checks/scale.ts';
import { AdministratorClient, loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

export const owner = 'campaign';
/** `rounds` closes game rounds without a win; `main` makes debits in batches. */
export const brands = [`${owner}:main`, `${owner}:rounds`] as const;
export type CampaignBrand = (typeof brands)[number];
/** Players of each brand by name; the poor ones have nothing to pay with. */
export const players = 40;
export const poorPlayers = 4;
const service = { username: 'campaign-service', password: 'a long and good one' };

export const kinds = ['often', 'half', 'shared', 'raffle'] as const;
export type InstanceKind = (typeof kinds)[number];

/** A round of the raffle. */
export const roundSeconds = scaled(4, 10);

const often = { pot_types: [{ HitRate: { max_magic_number: 7, cost_per_attempt: '1' } }] };
const pot = {
  id: 'main',
  contribution: { Percentage: '1' },
  seed_contribution: { Percentage: '0' },
  seed_strategy: { initial_seed_value: 1, min_reseed_value: 0, fund_strategy: 'CollectAll' },
};
const paid = (share: string) => ({
  contribution_type: { Fixed: '1' },
  opt_in_required: false,
  operator_contribution_percentage: share,
});
const payout_ruleset = {
  main_winner_percentage: '0.6',
  payout_rules: [{ payout_percentage: '0.3', rule: { HighestContributors: { max_number_of_payouts: 6 } } }],
};
const raffle_rules = {
  cost_per_ticket: '1',
  cost_source: 'Contribution',
  allocation_mode: 'Instant',
  duration: { Seconds: roundSeconds },
  prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 5 }],
};

/** Wins are paid alone, shared among players by one batch, or raffled; of `half` the operator pays a part. */
const instances: Readonly<Record<InstanceKind, Readonly<Record<string, unknown>>>> = {
  often: { contribution_rules: paid('0'), pots: [{ ...pot, ...often }] },
  half: { contribution_rules: paid('0.5'), pots: [{ ...pot, ...often }] },
  shared: { contribution_rules: paid('0'), pots: [{ ...pot, ...often, payout_ruleset }] },
  raffle: {
    jackpot_type: 'Raffle',
    raffle_rules,
    contribution_rules: paid('0'),
    pots: [{ id: 'main', contribution: { Percentage: '1' } }],
  },
};

export interface Fault {
  readonly operation: string;
  readonly fault: string;
  readonly when: 'before' | 'after';
  readonly probability: number;
  readonly seed: number;
  readonly ms?: number;
}

/** An operator of a running system whose players pay through the reference wallet, behind `walletUrl`. */
export class Payers {
  readonly instances = {} as Record<InstanceKind, string>;
  readonly baseUrl: string;
  token = '';
  readonly #system: RunningSystem;
  #administrator: AdministratorClient;

  private constructor(system: RunningSystem, administrator: AdministratorClient) {
    this.#system = system;
    this.baseUrl = system.baseUrl;
    this.#administrator = administrator;
  }

  static async open(system: RunningSystem, walletUrl: string, callbackOrigin: string): Promise<Payers> {
    const administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
    const payers = new Payers(system, administrator);
    await payers.#must('POST', '/config/operators', [{ id: owner, name: 'Campaign' }]);
    const bare = brands.map((brand) => brand.slice(owner.length + 1));
    await payers.#must(
      'POST',
      `/config/operators/${owner}/brands`,
      bare.map((id) => ({ id, name: id })),
    );
    await payers.#must('POST', '/config/service-users', { ...service, operator_id: owner });
    await payers.#must('POST', '/config/webhook-origins', { operator_id: owner, origin: callbackOrigin });
    for (const kind of kinds) await payers.#openInstance(kind);
    for (const id of bare) await payers.#openBrand(id, walletUrl);
    await payers.login();
    return payers;
  }

  /** The service's session ends after a while. */
  async login(): Promise<void> {
    this.token = await loggedIn(`${this.baseUrl}/v1/auth/service`, service);
  }

  /** Requests of an administrator; null while nobody answers. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T | null> {
    const answer = await this.#call(method, path, body).catch(() => null);
    return answer === null || answer.status >= 300 ? null : (answer.body as T);
  }

  async setStatus(kind: InstanceKind, status: string): Promise<void> {
    await this.#must('POST', `/config/instances/${this.instances[kind]}/status`, { status, reason: 'test' });
  }

  setFaults(faults: readonly Fault[]): Promise<unknown> {
    return this.wallet('PUT', '/control/faults', faults);
  }

  /** A token that was taken back is the player's again. */
  giveToken(brand: CampaignBrand, player: string): Promise<unknown> {
    return this.wallet('POST', '/control/tokens', [
      { brand_id: brand, player_id: player, token: tokenOf(brand, player) },
    ]);
  }

  /** A request to the reference wallet, signed, past the line that the wallet role uses. */
  async wallet<T>(method: string, path: string, body?: unknown): Promise<T> {
    const keys = readKeys(this.#system.dataDirectory)!;
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = await fetch(`${this.#system.credentials.wallet_url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keys.bearerKey}`,
        'x-server-authorization': serverAuthorization(keys.hmacSecret, Buffer.from(text)),
      },
      ...(text === '' ? {} : { body: text }),
    });
    const read = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${read}`);
    return (read === '' ? null : JSON.parse(read)) as T;
  }

  async #openInstance(kind: InstanceKind): Promise<void> {
    const template = {
      ...{ owner_id: owner, id: kind, name: kind, description: '', currency: 'EUR', jackpot_type: 'Jackpot' },
      house_pot: { contribution_type: { Percentage: '0' } },
      ...instances[kind],
    };
    await this.#must('POST', '/config/templates', template);
    const made = { template_owner_id: owner, template_id: kind, owner_id: owner, name: kind };
    const { id } = (await this.#must('POST', '/config/instances', made)) as { id: string };
    this.instances[kind] = id;
    await this.setStatus(kind, 'Active');
  }

  async #openBrand(id: string, walletUrl: string): Promise<void> {
    const brand_id = `${owner}:${id}`;
    const { bearerKey: bearer_key, hmacSecret: hmac_secret } = readKeys(this.#system.dataDirectory)!;
    const base_url = `${walletUrl}/brands/${brand_id}`;
    const ways = { close_rounds: id === 'rounds', batch_debits: id === 'main' };
    const wallet = { bearer_key, hmac_secret, provider_id: 'potstream', ...ways };
    await this.#must('PUT', `/config/operators/${owner}/brands/${id}/wallet`, { base_url, ...wallet });
    const names = Array.from({ length: players + poorPlayers }, (_, index) => playerName(index));
    const funds = (name: string) =>
      name.startsWith('poor')
        ? { balance: '0', bonus_balance: '0' }
        : { balance: '1000000', bonus_balance: '1000000' };
    const accounts = names.map((player_id) => ({
      brand_id,
      player_id,
      currency: 'EUR',
      ...funds(player_id),
    }));
    await this.wallet('PUT', '/control/players', accounts);
    const tokens = names.map((player_id) => ({ brand_id, player_id, token: tokenOf(brand_id, player_id) }));
    await this.wallet('POST', '/control/tokens', tokens);
  }

  async #call(method: string, path: string, body?: unknown) {
    const answer = await this.#administrator.call(method, path, body);
    if (answer.status !== 401) return answer;
    const { baseUrl, credentials } = this.#system;
    this.#administrator = await AdministratorClient.login(baseUrl, credentials.admin);
    return this.#administrator.call(method, path, body);
  }

  async #must(method: string, path: string, body: unknown): Promise<unknown> {
    const answer = await this.#call(method, path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** Those behind the others are poor. */
export function playerName(index: number): string {
  return index < players ? `p${index}` : `poor${index - players}`;
}

export function tokenOf(brand: string, player: string): string {
  return `token-${brand}-${player}`;
}
