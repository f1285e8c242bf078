import type { Clock } from '../../ports.ts';

/** A caller in the queue. Addresses are served in turn, and the users of an address in turn. */
export interface FairTurn {
  readonly address: string;
  readonly user: string;
  /** The user proved their identity from this address lately: they go before callers who did not. */
  readonly proven: boolean;
}

export interface FairQueueLimits {
  /** Callers served at the same time. */
  readonly concurrent: number;
  /** Callers of one address among them; default: all. */
  readonly concurrentPerAddress?: number;
  /** Unproven callers among them. */
  readonly concurrentUnproven: number;
  /** After an unproven caller its place stays idle as long as the work took: for work of the processor. */
  readonly unprovenRest: boolean;
  /** Queues of this machine whose resting places use together what one would use; default 1. */
  readonly sharers?: number;
  readonly waiting: number;
  readonly waitingPerAddress: number;
  readonly waitingPerUser: number;
}

/** Too many callers wait: this one is rejected, or the last one of the busiest address. */
export class QueueFull extends Error {
  readonly code = 'queue_full';
  readonly retryable = true;
}

/** One for all, because a flood must not cost stack traces. */
const full = new QueueFull('Too many wait for their turn.');

/** One turn in this many goes to an unproven caller, however many proven ones wait. */
const turnsPerUnproven = 4;
/** With this many waiting unproven callers of an address, their place stays idle longer after each. */
const crowd = 16;
/** How long, in times of their work. */
const restsPerTurnOfCrowd = 3;

interface Waiter {
  readonly enter: () => void;
  readonly turnAway: (error: QueueFull) => void;
}

/**
 * Serves addresses in turn: one caller's flood costs another caller a single turn. With resting places,
 * unproven callers use at most half of their places' time, those of a crowded address a quarter, and leave
 * the processor to others.
 */
export class FairQueue {
  readonly #clock: Clock;
  readonly #limits: FairQueueLimits;
  readonly #proven = new WaitingByAddress();
  readonly #unproven = new WaitingByAddress();
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #runningUnproven = 0;
  #provenInARow = 0;

  constructor(clock: Clock, limits: FairQueueLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Runs `work` when its turn comes. @throws QueueFull if too many wait */
  async run<T>(turn: FairTurn, work: () => Promise<T>): Promise<T> {
    await this.#wait(turn);
    const beganMs = this.#clock.elapsedMs();
    try {
      return await work();
    } finally {
      const tookMs = this.#clock.elapsedMs() - beganMs;
      if (turn.proven || !this.#limits.unprovenRest || tookMs <= 0) this.#leave(turn);
      else this.#clock.after(tookMs * this.#restsAfter(turn), () => this.#leave(turn));
    }
  }

  #restsAfter({ address }: FairTurn): number {
    const rests = this.#unproven.ofAddress(address) >= crowd ? restsPerTurnOfCrowd : 1;
    return (rests + 1) * (this.#limits.sharers ?? 1) - 1;
  }

  #leave({ address, proven }: FairTurn): void {
    this.#running -= 1;
    if (!proven) this.#runningUnproven -= 1;
    this.#count(address, -1);
    this.#serve();
  }

  #count(address: string, by: number): void {
    const running = (this.#runningOf.get(address) ?? 0) + by;
    if (running === 0) this.#runningOf.delete(address);
    else this.#runningOf.set(address, running);
  }

  #mayEnter(address: string): boolean {
    const { concurrentPerAddress = Number.POSITIVE_INFINITY } = this.#limits;
    return (this.#runningOf.get(address) ?? 0) < concurrentPerAddress;
  }

  #serve(): void {
    const mayEnter = (address: string) => this.#mayEnter(address);
    while (this.#running < this.#limits.concurrent) {
      const mayServeUnproven = this.#runningUnproven < this.#limits.concurrentUnproven;
      const unprovenIsDue = this.#provenInARow >= turnsPerUnproven - 1 && this.#unproven.size > 0;
      const next = unprovenIsDue && mayServeUnproven ? undefined : this.#proven.next(mayEnter);
      if (next !== undefined) {
        this.#provenInARow += 1;
        this.#running += 1;
        next.enter();
        continue;
      }
      const other = mayServeUnproven ? this.#unproven.next(mayEnter) : undefined;
      if (other === undefined) return;
      this.#provenInARow = 0;
      this.#running += 1;
      this.#runningUnproven += 1;
      other.enter();
    }
  }

  async #wait(turn: FairTurn): Promise<void> {
    const waiting = turn.proven ? this.#proven : this.#unproven;
    const { waitingPerAddress, waitingPerUser } = this.#limits;
    if (waiting.of(turn) >= waitingPerUser || waiting.ofAddress(turn.address) >= waitingPerAddress)
      throw full;
    if (this.#proven.size + this.#unproven.size >= this.#limits.waiting) this.#evict(turn);
    const served = new Promise<void>((resolve, turnAway) => {
      const enter = () => {
        this.#count(turn.address, 1);
        resolve();
      };
      waiting.add(turn, { enter, turnAway });
    });
    this.#serve();
    await served;
  }

  /** Rejects the last caller of the busiest unproven address: a flood displaces itself. */
  #evict(turn: FairTurn): void {
    const crowded = this.#unproven.busiestAddress();
    if (crowded === undefined) throw full;
    if (!turn.proven && this.#unproven.ofAddress(turn.address) >= this.#unproven.ofAddress(crowded))
      throw full;
    this.#unproven.removeLast(crowded)?.turnAway(full);
  }
}

/** Waiters by address and user in the order of turns: a served one moves to the end of its map. */
class WaitingByAddress {
  readonly #addresses = new Map<string, { count: number; readonly users: Map<string, Waiter[]> }>();
  size = 0;

  of({ address, user }: FairTurn): number {
    return this.#addresses.get(address)?.users.get(user)?.length ?? 0;
  }

  ofAddress(address: string): number {
    return this.#addresses.get(address)?.count ?? 0;
  }

  add({ address, user }: FairTurn, waiter: Waiter): void {
    let waiting = this.#addresses.get(address);
    if (waiting === undefined) {
      waiting = { count: 0, users: new Map() };
      this.#addresses.set(address, waiting);
    }
    const ofUser = waiting.users.get(user);
    if (ofUser === undefined) waiting.users.set(user, [waiter]);
    else ofUser.push(waiter);
    waiting.count += 1;
    this.size += 1;
  }

  next(mayEnter: (address: string) => boolean): Waiter | undefined {
    for (const [address, waiting] of this.#addresses) {
      if (!mayEnter(address)) continue;
      for (const [user, waiters] of waiting.users) {
        const waiter = waiters.shift();
        waiting.users.delete(user);
        if (waiters.length > 0) waiting.users.set(user, waiters);
        this.#left(address, true);
        return waiter;
      }
    }
    return undefined;
  }

  busiestAddress(): string | undefined {
    let busiest: string | undefined;
    for (const [address, { count }] of this.#addresses)
      if (busiest === undefined || count > this.ofAddress(busiest)) busiest = address;
    return busiest;
  }

  removeLast(address: string): Waiter | undefined {
    const users = this.#addresses.get(address)?.users;
    const last = users === undefined ? undefined : [...users].at(-1);
    if (users === undefined || last === undefined) return undefined;
    const [user, waiters] = last;
    const waiter = waiters.pop();
    if (waiters.length === 0) users.delete(user);
    this.#left(address, false);
    return waiter;
  }

  #left(address: string, served: boolean): void {
    const waiting = this.#addresses.get(address);
    if (waiting === undefined) return;
    waiting.count -= 1;
    this.size -= 1;
    if (waiting.count === 0) this.#addresses.delete(address);
    else if (served) {
      this.#addresses.delete(address);
      this.#addresses.set(address, waiting);
    }
  }
}
