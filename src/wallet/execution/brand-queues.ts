import type { BrandClient } from '../client/brand-client.ts';
import { walletLimits } from '../client/limits.ts';
import type { MoneyPurpose } from '../client/policies.ts';
import { CallQueue, type CallQueuePorts } from './call-queue.ts';

const atOnce: Readonly<Record<MoneyPurpose, number>> = {
  debit: walletLimits.debitsAtOnce,
  cancel: walletLimits.cancelsAtOnce,
  credit: walletLimits.creditsAtOnce,
};

/** Where the execution gets the wallet of a brand from: `BrandClients`, or a simulation. */
export interface MoneyClients {
  /** undefined: this host knows no wallet of the brand. */
  of(brand: string): MoneyClient | undefined;
  /** Called whenever a wallet answers again. */
  onRecovery(recovered: (brand: string, purpose: MoneyPurpose) => void): void;
}

export type MoneyClient = Pick<BrandClient, 'attempt' | 'mayAttempt'>;

/** A queue for each brand and purpose, shared by all lanes: a wallet that is down delays its own calls alone. */
export class BrandQueues {
  readonly #clients: MoneyClients;
  readonly #ports: CallQueuePorts;
  readonly #queues = new Map<string, CallQueue>();

  constructor(clients: MoneyClients, ports: CallQueuePorts) {
    this.#clients = clients;
    this.#ports = ports;
    clients.onRecovery((brand, purpose) => this.#queues.get(`${purpose} ${brand}`)?.wake());
  }

  of(brand: string, purpose: MoneyPurpose): CallQueue {
    const key = `${purpose} ${brand}`;
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const made = new CallQueue(atOnce[purpose], this.#ports);
    this.#queues.set(key, made);
    return made;
  }

  /** null: this host does not know how to reach the brand's wallet. */
  clientOf(brand: string): MoneyClient | null {
    try {
      return this.#clients.of(brand) ?? null;
    } catch (error) {
      // Its settings are sealed with a key that this host does not have.
      this.#ports.report(error);
      return null;
    }
  }
}
