import { type Clock, LogError } from '../../ports.ts';
import { executionLimits } from './limits.ts';

/** Work on one transaction: one call to the wallet, and what follows from it. */
export interface WalletJob {
  /** When to run it again, in milliseconds from now; null: never. */
  run(): Promise<number | null>;
}

export interface CallQueuePorts {
  readonly clock: Clock;
  /** A bug of ours. */
  readonly report: (error: unknown) => void;
}

/** Jobs of one brand and purpose: so many at once, the others in the order in which they are due. */
export class CallQueue {
  readonly #ports: CallQueuePorts;
  readonly #atOnce: number;
  readonly #ready = new Set<WalletJob>();
  readonly #delayed = new Map<WalletJob, () => void>();
  #running = 0;

  constructor(atOnce: number, ports: CallQueuePorts) {
    this.#atOnce = atOnce;
    this.#ports = ports;
  }

  /** Jobs that wait for their turn or their time, or run. */
  get size(): number {
    return this.#ready.size + this.#delayed.size + this.#running;
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

  /** The wallet answers again: nobody waits for a time that was meant for a wallet that does not. */
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
