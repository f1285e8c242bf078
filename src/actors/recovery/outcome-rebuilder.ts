import { errorText } from '../../log/base/error-text.ts';
import { type Follower, LogError, type StoredCommand } from '../../ports.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import type { Replica } from '../replica/replica.ts';
import { HeadChecks } from '../witness/head-checks.ts';
import { restoreSeparately } from './snapshots/restored-replica.ts';
import { Throttle } from './throttle.ts';

/** Records that may be wanted at the same time; further requests get nothing. */
const maxWanted = 256;
const maxCachedBytes = 16 * 1024 * 1024;
/** Who repeats one key soon repeats the next: the replay stays where it is for this long. */
const idleAfterMs = 30_000;
/** A failed record is not tried again sooner. */
const retryDelayMs = 60_000;
const maxRemembered = 4096;
/** A caller waits for the answer: the lane has the core for half of the time at least. */
const pausePerSliceMs = 1;

type Waiter = (record: Uint8Array | null) => void;

/**
 * Recomputes outcome records that OUT has lost: they follow from the command log, byte for byte. One paced
 * replay beside the lane serves all requests. Keeps its results for a while, because a long replay takes
 * longer than the first caller waits (docs/decisions/0071).
 */
export class OutcomeRebuilder {
  readonly #lane: number;
  readonly #ports: ActorPorts;
  readonly #wanted = new Map<number, Waiter[]>();
  readonly #cached = new Map<number, Uint8Array>();
  readonly #failedAtMs = new Map<number, number>();
  #cachedBytes = 0;
  #replica: Replica | null = null;
  #running: Promise<void> | null = null;
  #cancelIdle: () => void = () => {};
  #stopped = false;

  constructor(lane: number, ports: ActorPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /** Null: not within that time, or never. Asked again later it may be there. */
  record(sequence: number, timeoutMs: number): Promise<Uint8Array | null> {
    const cached = this.#cached.get(sequence);
    if (cached !== undefined) return Promise.resolve(cached);
    const failedAtMs = this.#failedAtMs.get(sequence) ?? Number.NEGATIVE_INFINITY;
    if (this.#ports.clock.elapsedMs() - failedAtMs < retryDelayMs) return Promise.resolve(null);
    const waiters = this.#wanted.get(sequence) ?? [];
    const isFull = this.#wanted.size >= maxWanted || waiters.length >= maxWanted;
    if (this.#stopped || isFull || !(sequence >= 1)) return Promise.resolve(null);
    this.#wanted.set(sequence, waiters);
    return new Promise((resolve) => {
      const cancel = this.#ports.clock.after(timeoutMs, () => resolve(null));
      waiters.push((record) => {
        cancel();
        resolve(record);
      });
      this.#running ??= this.#run().finally(() => {
        this.#running = null;
      });
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelIdle();
    this.#answerAll();
    this.#replica = null;
  }

  async #run(): Promise<void> {
    this.#cancelIdle();
    while (this.#wanted.size > 0 && !this.#stopped) {
      try {
        await this.#pass();
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#cancelIdle = this.#ports.clock.after(idleAfterMs, () => {
      if (this.#running === null) this.#replica = null;
    });
  }

  #failed(error: unknown): void {
    const { clock, monitor } = this.#ports;
    this.#replica = null;
    if (!(error instanceof LogError && error.retryable)) {
      if (this.#failedAtMs.size > maxRemembered) this.#failedAtMs.clear();
      for (const sequence of this.#wanted.keys()) this.#failedAtMs.set(sequence, clock.elapsedMs());
    }
    this.#answerAll();
    if (this.#stopped) return;
    monitor.alarm(this.#lane, 'outcome_not_rebuilt', `Cannot recompute lost outcomes: ${errorText(error)}`);
  }

  /**
   * Replays from before the first wanted record to the last one; also serves requests that arrive meanwhile
   * for later ones.
   */
  async #pass(): Promise<void> {
    const first = Math.min(...this.#wanted.keys());
    const stopped = (): boolean => this.#stopped;
    const replica =
      this.#ahead(first) ?? (await restoreSeparately(this.#lane, first - 1, this.#ports, stopped));
    this.#replica = null;
    if (this.#stopped) return;
    const to = Math.max(...this.#wanted.keys());
    const heads = await HeadChecks.read(this.#ports.log, this.#lane, replica.appliedSequence, to);
    requireEqual(heads, replica);
    await this.#replay(replica, heads);
    this.#replica = replica;
  }

  #ahead(first: number): Replica | null {
    return this.#replica !== null && this.#replica.appliedSequence < first ? this.#replica : null;
  }

  async #replay(replica: Replica, heads: HeadChecks): Promise<void> {
    const { log } = this.#ports;
    const throttle = new Throttle(this.#ports.clock, () => pausePerSliceMs);
    let follower: Follower | null = null;
    let isOver = false;
    await new Promise<void>((resolve, reject) => {
      const message = async (stored: StoredCommand): Promise<void> => {
        if (isOver || stored.sequence <= replica.appliedSequence) return;
        try {
          if (this.#stopped) throw new LogError('stopped', 'The lane is not here any more.');
          const { batch, record, sequence } = replica.apply(stored);
          requireEqual(heads, replica);
          this.#made(sequence, record);
          await throttle.worked(batch.commands.length);
          isOver = ![...this.#wanted.keys()].some((wanted) => wanted > sequence);
          if (isOver) resolve();
        } catch (error) {
          isOver = true;
          reject(error);
        }
      };
      follower = log.follow(this.#lane, replica.appliedSequence + 1, { message });
      follower.done.catch(reject);
    }).finally(() => follower?.stop());
  }

  #made(sequence: number, record: Uint8Array): void {
    const waiters = this.#wanted.get(sequence);
    if (waiters === undefined) return;
    this.#wanted.delete(sequence);
    this.#cached.set(sequence, record);
    this.#cachedBytes += record.length;
    for (const [oldest, bytes] of this.#cached) {
      if (this.#cachedBytes <= maxCachedBytes) break;
      this.#cached.delete(oldest);
      this.#cachedBytes -= bytes.length;
    }
    for (const waiter of waiters) waiter(record);
  }

  #answerAll(): void {
    const waiting = [...this.#wanted.values()];
    this.#wanted.clear();
    for (const waiters of waiting) for (const waiter of waiters) waiter(null);
  }
}

/** A replay that went astray must not answer. */
function requireEqual(heads: HeadChecks, { appliedSequence, laneHead }: Replica): void {
  if (heads.check(appliedSequence, laneHead) === 'different')
    throw new LogError('corrupt', `The replay has another lane head at ${appliedSequence} than OUT.`);
}
