import type { BrandWallets } from '../../access/keys/brand-wallets.ts';
import { BrandClient, type BrandClientPorts } from './brand-client.ts';
import { type MoneyPurpose, moneyPurposes } from './policies.ts';

/** The clients of all wallets, one for each brand, replaced when the settings of the brand change. */
export class BrandClients {
  readonly #wallets: Pick<BrandWallets, 'find'>;
  readonly #ports: BrandClientPorts;
  readonly #clients = new Map<string, BrandClient>();
  #recovered: (brand: string, purpose: MoneyPurpose) => void = () => {};

  constructor(wallets: Pick<BrandWallets, 'find'>, ports: BrandClientPorts) {
    this.#wallets = wallets;
    this.#ports = ports;
  }

  /** Called whenever a wallet answers again. */
  onRecovery(recovered: (brand: string, purpose: MoneyPurpose) => void): void {
    this.#recovered = recovered;
  }

  /** undefined: this host knows no wallet of the brand. */
  of(brand: string): BrandClient | undefined {
    const settings = this.#wallets.find(brand);
    const client = this.#clients.get(brand);
    if (client?.settings === settings) return client;
    if (client !== undefined) {
      this.#clients.delete(brand);
      // Its connections end either way; what it was asked has answers of its own.
      client.close().catch(() => {});
    }
    if (settings === undefined) return undefined;
    const made = new BrandClient(settings, this.#ports);
    for (const purpose of moneyPurposes) made.onRecovery(purpose, () => this.#recovered(brand, purpose));
    this.#clients.set(brand, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
  }
}
