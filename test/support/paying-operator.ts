import { serverAuthorization } from '../../src/wallet/client/signature.ts';
import { readKeys } from '../../tools/reference-wallet/keys.ts';
import { AdministratorClient, OperatorClient } from './operator-client.ts';
import type { RunningSystem, SystemCredentials } from './system.ts';

/** The system that an operator joins. */
export type PayableSystem = Pick<RunningSystem, 'baseUrl' | 'dataDirectory'> & {
  readonly credentials: Pick<SystemCredentials, 'admin' | 'wallet_url' | 'ops_url'>;
};

export const payingOwner = 'payers';
export const payingBrand = `${payingOwner}:main`;
const service = { username: 'payers-service', password: 'a long and good one' };

/** The reference wallet's totals of one currency. */
export interface WalletBooks {
  readonly debits: number;
  readonly credits: number;
  readonly difference: number;
}

export interface Statement {
  readonly transaction_id: string;
  readonly transaction_type: 'Debit' | 'Credit';
  readonly brand_id: string;
  readonly amount: number;
  readonly state: 'done' | 'cancelled';
}

/**
 * An operator of a running system whose players pay 1 EUR of every contribution through the reference wallet. The whole
 * stake goes to one pot, which every tenth contribution wins.
 */
export class PayingOperator {
  readonly client: OperatorClient;
  readonly administrator: AdministratorClient;
  readonly instance: string;
  readonly #system: PayableSystem;

  private constructor(
    system: PayableSystem,
    client: OperatorClient,
    administrator: AdministratorClient,
    instance: string,
  ) {
    this.#system = system;
    this.client = client;
    this.administrator = administrator;
    this.instance = instance;
  }

  /** `others`: more brands, without wallets as yet. Players are p0 to p9, and their tokens are theirs with `token-` before. */
  static async open(system: PayableSystem, others: readonly string[] = []): Promise<PayingOperator> {
    const administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
    const call = async (method: string, path: string, body: unknown): Promise<unknown> => {
      const answer = await administrator.call(method, path, body);
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    await call('POST', '/config/operators', [{ id: payingOwner, name: 'Payers' }]);
    const brands = ['main', ...others].map((id) => ({ id, name: id }));
    await call('POST', `/config/operators/${payingOwner}/brands`, brands);
    await call('POST', '/config/service-users', { ...service, operator_id: payingOwner });
    await call('POST', '/config/templates', template);
    const made = {
      template_owner_id: payingOwner,
      template_id: 'payers',
      owner_id: payingOwner,
      name: 'Payers',
    };
    const { id } = (await call('POST', '/config/instances', made)) as { id: string };
    await call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'test' });
    await call('POST', '/config/sources', [
      { owner_id: payingOwner, source_id: 'table', source_name: 'Table', jackpots: [] },
    ]);
    const binding = { owner_id: payingOwner, source_id: ['table'], instance_id: id };
    await call('POST', '/config/sources/assign', binding);
    const client = await OperatorClient.login(system.baseUrl, service);
    const operator = new PayingOperator(system, client, administrator, id);
    await operator.#openAccounts();
    await operator.setWallet(payingBrand, `${system.credentials.wallet_url}/brands/${payingBrand}`);
    return operator;
  }

  async setWallet(brand: string, baseUrl: string): Promise<void> {
    const [owner, id] = brand.split(':');
    const body = { base_url: baseUrl, ...this.#keys(), provider_id: 'potstream', close_rounds: false };
    const path = `/config/operators/${owner}/brands/${id}/wallet`;
    const { status } = await this.administrator.call('PUT', path, body);
    if (status !== 200) throw new Error(`${path}: ${status}`);
  }

  contribution(player: number, key: string, brand = payingBrand): Record<string, unknown> {
    return {
      token: `token-p${player}`,
      brand_id: brand,
      player_id: `p${player}`,
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
      idempotency_key: key,
    };
  }

  /** A request to the reference wallet, signed. */
  async wallet(method: string, path: string, body?: unknown): Promise<unknown> {
    const { bearer_key, hmac_secret } = this.#keys();
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = await fetch(`${this.#system.credentials.wallet_url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${bearer_key}`,
        'x-server-authorization': serverAuthorization(hmac_secret, Buffer.from(text)),
      },
      ...(text === '' ? {} : { body: text }),
    });
    const read = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${read}`);
    return read === '' ? null : JSON.parse(read);
  }

  /** Everything that moved in the brand's wallet until now, oldest first. */
  async statements(): Promise<readonly Statement[]> {
    const all: Statement[] = [];
    for (let cursor = ''; ; ) {
      const query = `from=0&to=${Date.now() + 1}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = (await this.wallet('GET', `/brands/${payingBrand}/statements?${query}`)) as {
        transactions: Statement[];
        next: string | null;
      };
      all.push(...page.transactions);
      if (page.next === null) return all;
      cursor = page.next;
    }
  }

  /** What all wallet processes of `up` have open. */
  async openWork(): Promise<number> {
    const text = await (await fetch(`${this.#system.credentials.ops_url}/metrics`)).text();
    const counts = [...text.matchAll(/^potstream_wallet_open\{[^}]*\} (\d+)$/gm)].map(([, count]) =>
      Number(count),
    );
    if (counts.length === 0) throw new Error('the wallet role has no metrics');
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Accounts of the instance, or of another one; they sum to zero. */
  async conservation(instance = this.instance): Promise<{
    readonly sum: string;
    readonly accounts: Readonly<Record<string, string>>;
  }> {
    const path = `/v1/fairness/instances/${instance}/conservation`;
    const answer = await (await fetch(`${this.#system.baseUrl}${path}`)).json();
    return answer as never;
  }

  async #openAccounts(): Promise<void> {
    const ids = Array.from({ length: 10 }, (_, index) => `p${index}`);
    const brand_id = payingBrand;
    const players = ids.map((player_id) => ({ brand_id, player_id, currency: 'EUR', balance: '1000000' }));
    await this.wallet('PUT', '/control/players', players);
    const tokens = ids.map((player_id) => ({ brand_id, player_id, token: `token-${player_id}` }));
    await this.wallet('POST', '/control/tokens', tokens);
  }

  #keys() {
    const keys = readKeys(this.#system.dataDirectory);
    if (keys === null) throw new Error('the reference wallet has no keys');
    return { bearer_key: keys.bearerKey, hmac_secret: keys.hmacSecret };
  }
}

const template = {
  owner_id: payingOwner,
  id: 'payers',
  name: 'Payers',
  description: '',
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  contribution_rules: {
    contribution_type: { Fixed: '1' },
    opt_in_required: false,
    operator_contribution_percentage: '0',
  },
  house_pot: { contribution_type: { Percentage: '0' } },
  pots: [
    {
      id: 'main',
      contribution: { Percentage: '1' },
      seed_contribution: { Percentage: '0' },
      seed_strategy: { initial_seed_value: 1, min_reseed_value: 0, fund_strategy: 'CollectAll' },
      pot_types: [{ HitRate: { max_magic_number: 10, cost_per_attempt: '1' } }],
    },
  ],
};
