import { LogError, type Table } from '../../ports.ts';

/** Key in KV LEASES: the host that moves a lane. Who has it moves one lane at a time. */
const key = 'actors.move';
/** A lease that was seen unchanged for this long is free: its holder died in the middle of a move. */
const freeAfterMs = 3_000;

/**
 * The lease for planned moves, so that of all lanes one moves at a time. It keeps the load of moves low;
 * nothing else depends on it. Without KV nothing moves, and failover goes on.
 */
export class MoveLease {
  readonly #table: Table;
  readonly #holder: Uint8Array;
  readonly #pollMs: number;
  #revision: number | null = null;
  #seen: { readonly revision: number; polls: number } | null = null;
  #busy = false;

  constructor(table: Table, holder: string, pollMs: number) {
    this.#table = table;
    this.#holder = new TextEncoder().encode(JSON.stringify({ holder }));
    this.#pollMs = pollMs;
  }

  get isOurs(): boolean {
    return this.#revision !== null;
  }

  polled(): void {
    if (this.#seen !== null) this.#seen.polls += 1;
  }

  /** True once the lease is ours; ask again at the next poll. */
  async acquire(): Promise<boolean> {
    if (this.isOurs) return true;
    return (await this.#alone(() => this.#tryToAcquire())) ?? false;
  }

  async release(): Promise<void> {
    const revision = this.#revision;
    this.#revision = null;
    if (revision !== null) await this.#alone(() => this.#table.remove(key, revision));
  }

  async #tryToAcquire(): Promise<boolean> {
    const present = await this.#table.get(key);
    if (present !== null && !this.#isFree(present.revision)) return false;
    this.#revision = await this.#table.put(key, this.#holder, present?.revision ?? 0);
    return this.isOurs;
  }

  #isFree(revision: number): boolean {
    if (this.#seen?.revision !== revision) this.#seen = { revision, polls: 0 };
    return this.#seen.polls * this.#pollMs >= freeAfterMs;
  }

  /** null: an outage, or another call is on its way. */
  async #alone<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#busy) return null;
    this.#busy = true;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return null;
    } finally {
      this.#busy = false;
    }
  }
}
