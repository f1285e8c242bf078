import { type Clock, LogError } from '../../ports.ts';
import type { BrandClient } from '../client/brand-client.ts';
import { walletLimits } from '../client/limits.ts';
import type { MoneyPurpose } from '../client/policies.ts';
import { executionLimits } from './limits.ts';

/** Work on one transaction: one call to the wallet, and what follows from it. */
export interface WalletJob {
  /** When to run it again, in milliseconds from now; null: never. */
  run(): Promise<number | null>;
}

interface CallQueuePorts {
  readonly clock: Clock;
  /** A bug of ours. */
  readonly report: (error: unknown) => void;
}

/** Jobs of one brand and purpose: some at once, the others in the order in which they are due. */
class CallQueue {
  readonly #ports: CallQueuePorts;
  readonly #atOnce: number;
  readonly #ready = new Set<WalletJob>();
  readonly #delayed = new Map<WalletJob, () => void>();
  #running = 0;

  constructor(atOnce: number, ports: CallQueuePorts) {
    this.#atOnce = atOnce;
    this.#ports = ports;
  }

  add(job: WalletJob): void {
    this.#ready.add(job);
    this.#serve();
  }

  /** A job that waits will not run. False: it does not wait. */
  drop(job: WalletJob): boolean {
    this.#delayed.get(job)?.();
    return this.#delayed.delete(job) || this.#ready.delete(job);
  }

  /** The wallet answers again: pauses that were meant for one that does not end. */
  wake(): void {
    for (const [job, cancel] of this.#delayed) {
      cancel();
      this.#ready.add(job);
    }
    this.#delayed.clear();
    this.#serve();
  }

  #serve(): void {
    for (const job of this.#ready) {
      if (this.#running >= this.#atOnce) return;
      this.#ready.delete(job);
      this.#running += 1;
      this.#run(job);
    }
  }

  #run(job: WalletJob): void {
    job
      .run()
      .then(
        (delayMs) => {
          if (delayMs !== null) this.#delay(job, delayMs);
        },
        (error: unknown) => {
          // The lane does not answer: its jobs wait for it.
          if (!(error instanceof LogError)) this.#ports.report(error);
          this.#delay(job, executionLimits.maxRetryMs);
        },
      )
      .finally(() => {
        this.#running -= 1;
        this.#serve();
      });
  }

  #delay(job: WalletJob, delayMs: number): void {
    const due = (): void => {
      this.#delayed.delete(job);
      this.add(job);
    };
    this.#delayed.set(job, this.#ports.clock.after(delayMs, due));
  }
}

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

/**
 * A queue for each brand and purpose, shared by all lanes: a wallet that is down delays its own calls alone.
 * Only they limit how many calls that move money are under way.
 */
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
