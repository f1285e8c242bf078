import type { Clock, Random } from '../../src/ports.ts';

interface Event {
  readonly atMs: number;
  readonly order: number;
  task: (() => void) | null;
}

/** Virtual time, seeded dice, and one queue of events: the same seed gives the same history. */
export class SimWorld {
  readonly seed: number;
  nowMs = 1_700_000_000_000;
  private state: number;
  private orders = 0;
  private readonly heap: Event[] = [];
  private readonly settle: () => Promise<void>;

  constructor(seed: number, settleEvent = settle) {
    this.seed = seed;
    this.settle = settleEvent;
    this.state = (seed ^ 0x9e3779b9) >>> 0;
    for (let n = 0; n < 8; n += 1) this.next();
  }

  /** Uniform in [0, 1). mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Integer in [least, most]. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  schedule(delayMs: number, task: () => void): () => void {
    const event: Event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.orders++, task };
    push(this.heap, event);
    return () => {
      event.task = null;
    };
  }

  /** Lets time pass until `done` holds; throws, naming the seed, when `withinMs` of virtual time did not suffice. */
  async until(done: () => boolean, withinMs: number, what: string): Promise<void> {
    const deadline = this.nowMs + withinMs;
    await this.settle();
    while (!done()) {
      if (this.nowMs > deadline || this.heap.length === 0)
        throw new Error(`seed ${this.seed}: ${what} did not happen within ${withinMs} ms of simulated time`);
      await this.step();
    }
  }

  async passes(durationMs: number): Promise<void> {
    const end = this.nowMs + durationMs;
    await this.settle();
    while ((this.heap[0]?.atMs ?? Number.POSITIVE_INFINITY) <= end) await this.step();
    this.nowMs = end;
  }

  random(): Random {
    return { bytes: (count) => Uint8Array.from({ length: count }, () => this.between(0, 255)) };
  }

  /** A clock whose timers stop when its process does. */
  clock(alive: () => boolean): Clock {
    return {
      nowMs: () => this.nowMs,
      elapsedMs: () => this.nowMs,
      after: (delayMs, task) => this.schedule(delayMs, () => alive() && task()),
    };
  }

  private async step(): Promise<void> {
    const event = pop(this.heap);
    if (!event) return;
    this.nowMs = Math.max(this.nowMs, event.atMs);
    if (event.task === null) return;
    event.task();
    await this.settle();
  }
}

/** Lets promises that are already resolved run their course. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * The same without a turn of the event loop, which costs more than most events: for systems in which nothing waits for the
 * loop. Node runs it once the queue of promises is empty.
 */
export function settleInTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function earlier(a: Event, b: Event): boolean {
  return a.atMs !== b.atMs ? a.atMs < b.atMs : a.order < b.order;
}

function push(heap: Event[], event: Event): void {
  heap.push(event);
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!earlier(heap[at]!, heap[parent]!)) return;
    [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
    at = parent;
  }
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  heap[0] = last;
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    let least = at;
    if (left < heap.length && earlier(heap[left]!, heap[least]!)) least = left;
    if (left + 1 < heap.length && earlier(heap[left + 1]!, heap[least]!)) least = left + 1;
    if (least === at) return first;
    [heap[at], heap[least]] = [heap[least]!, heap[at]!];
    at = least;
  }
}
