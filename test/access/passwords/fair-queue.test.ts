import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FairQueue,
  type FairQueueLimits,
  type FairTurn,
  QueueFull,
} from '../../../src/access/passwords/fair-queue.ts';

const limits: FairQueueLimits = {
  concurrent: 1,
  concurrentUnproven: 1,
  unprovenRest: true,
  waiting: 20,
  waitingPerAddress: 16,
  waitingPerUser: 8,
};

/** A queue whose works end when they are told to; `order` says which began. */
function queueOf(changes: Partial<FairQueueLimits> = {}) {
  let nowMs = 0;
  const timers: { readonly atMs: number; readonly task: () => void }[] = [];
  const clock = {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    after: (delayMs: number, task: () => void) => {
      timers.push({ atMs: nowMs + delayMs, task });
      return () => {};
    },
  };
  const queue = new FairQueue(clock, { ...limits, ...changes });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const turnedAway: string[] = [];
  const enter = (name: string, turn: Partial<FairTurn> = {}) =>
    queue
      .run({ address: 'a', user: name, proven: false, ...turn }, () => {
        order.push(name);
        return new Promise<void>((end) => ends.push(end));
      })
      .catch((error: unknown) => {
        if (!(error instanceof QueueFull)) throw error;
        turnedAway.push(name);
      });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const rest = async (restMs: number): Promise<void> => {
    nowMs += restMs;
    for (const timer of timers.splice(0)) {
      if (timer.atMs <= nowMs) timer.task();
      else timers.push(timer);
    }
    await settle();
  };
  return {
    order,
    turnedAway,
    enter,
    settle,
    /** Ends the oldest work after it took `tookMs`, and lets so much time go by afterwards. */
    async end(tookMs = 0, restMs = tookMs) {
      nowMs += tookMs;
      ends.shift()!();
      await settle();
      await rest(restMs);
    },
    rest,
    async all(count: number) {
      for (let ended = 0; ended < count; ended += 1) await this.end();
    },
  };
}

describe('a queue', () => {
  it('serves addresses in turn, however many wait at one of them', async () => {
    const queue = queueOf();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void queue.enter(name);
    void queue.enter('b1', { address: 'b' });
    void queue.enter('c1', { address: 'c' });
    await queue.settle();
    await queue.all(5);
    expect(queue.order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('serves users of an address in turn', async () => {
    const queue = queueOf();
    for (const name of ['x1', 'x2', 'x3']) void queue.enter(name, { user: 'x' });
    void queue.enter('y1', { user: 'y' });
    await queue.settle();
    await queue.all(3);
    expect(queue.order).toEqual(['x1', 'x2', 'y1', 'x3']);
  });

  it('serves proven callers first, but one in four turns goes to others', async () => {
    const queue = queueOf();
    void queue.enter('first');
    for (const name of ['u1', 'u2']) void queue.enter(name, { address: 'u' });
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) void queue.enter(name, { address: 'p', proven: true });
    await queue.settle();
    await queue.all(7);
    expect(queue.order).toEqual(['first', 'p1', 'p2', 'p3', 'u1', 'p4', 'p5', 'u2']);
  });

  it('gives an address no more places than it may have, whoever else is there', async () => {
    const queue = queueOf({ concurrent: 4, concurrentUnproven: 4, concurrentPerAddress: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void queue.enter(name);
    void queue.enter('p1', { proven: true });
    void queue.enter('b1', { address: 'b' });
    await queue.settle();
    expect(queue.order).toEqual(['a1', 'a2', 'b1']);
    await queue.all(4);
    expect(queue.order).toEqual(['a1', 'a2', 'b1', 'p1', 'a3', 'a4']);
  });

  it('lets unproven callers have half of the time of their place', async () => {
    const queue = queueOf();
    void queue.enter('u1');
    void queue.enter('u2');
    await queue.settle();
    await queue.end(30, 29);
    expect(queue.order).toEqual(['u1']);
    await queue.rest(1);
    expect(queue.order).toEqual(['u1', 'u2']);
  });

  it('lets those of a crowded address have a quarter of it, until the crowd is served', async () => {
    const queue = queueOf({ waiting: 40, waitingPerAddress: 40 });
    const names = Array.from({ length: 18 }, (_, at) => `u${at}`);
    for (const name of names) void queue.enter(name);
    await queue.settle();
    await queue.end(30, 89);
    expect(queue.order).toEqual(['u0']);
    await queue.rest(1);
    await queue.end(30, 90);
    expect(queue.order).toEqual(['u0', 'u1', 'u2']);
    // Fifteen wait behind it.
    await queue.end(30, 30);
    expect(queue.order).toEqual(['u0', 'u1', 'u2', 'u3']);
  });

  it('of two that share a machine lets unproven callers have half of that', async () => {
    const queue = queueOf({ sharers: 2 });
    void queue.enter('u1');
    void queue.enter('u2');
    await queue.settle();
    await queue.end(30, 89);
    expect(queue.order).toEqual(['u1']);
    await queue.rest(1);
    expect(queue.order).toEqual(['u1', 'u2']);
  });

  it('lets proven callers have all of it', async () => {
    const queue = queueOf();
    void queue.enter('p1', { proven: true });
    void queue.enter('p2', { proven: true });
    await queue.settle();
    await queue.end(30, 0);
    expect(queue.order).toEqual(['p1', 'p2']);
  });

  it('keeps a place for proven callers', async () => {
    const queue = queueOf({ concurrent: 2 });
    void queue.enter('u1');
    void queue.enter('u2', { address: 'b' });
    void queue.enter('p1', { address: 'c', proven: true });
    await queue.settle();
    expect(queue.order).toEqual(['u1', 'p1']);
  });

  it('turns away the crowd of an address, not whoever comes from another one', async () => {
    const queue = queueOf({ waiting: 6 });
    for (let count = 0; count < 9; count += 1) void queue.enter(`a${count}`);
    await queue.settle();
    void queue.enter('b', { address: 'b' });
    await queue.settle();
    expect(queue.turnedAway).toEqual(['a7', 'a8', 'a6']);
    await queue.all(2);
    expect(queue.order).toContain('b');
  });

  it('bounds those that wait by address and by user', async () => {
    const queue = queueOf({ waiting: 100 });
    for (let count = 0; count < 12; count += 1) void queue.enter(`u${count}`, { user: 'u' });
    await queue.settle();
    expect(queue.turnedAway.length).toBe(3);
    for (let count = 0; count < 12; count += 1) void queue.enter(`v${count}`);
    await queue.settle();
    expect(queue.turnedAway.length).toBe(3 + 4);
  });

  it('serves everybody that it does not turn away, in any order of coming and going', async () => {
    const turns = fc.record({
      address: fc.constantFrom('a', 'b', 'c'),
      user: fc.constantFrom('x', 'y'),
      proven: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(turns, fc.constant(null)), { maxLength: 60 }), async (steps) => {
        const queue = queueOf({ concurrent: 2 });
        let entered = 0;
        for (const step of steps) {
          if (step === null) {
            if (queue.order.length > 0 && queue.order.length + queue.turnedAway.length <= entered)
              await queue.end().catch(() => {});
          } else {
            void queue.enter(String(entered), step);
            entered += 1;
          }
          await queue.settle();
        }
        for (
          let ends = 0;
          ends < entered && queue.order.length + queue.turnedAway.length < entered;
          ends += 1
        )
          await queue.end().catch(() => {});
        expect(new Set([...queue.order, ...queue.turnedAway]).size).toBe(entered);
      }),
      { numRuns: 60 },
    );
  });
});
