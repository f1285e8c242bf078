import { beforeEach, describe, expect, test } from 'vitest';
import { foreignEventLimits as limits } from '../../../src/fanout/base/limits.ts';
import { Connection } from '../../../src/fanout/connections/connection.ts';
import { type ForeignFeedEvent, foreignFeedEvent } from '../../../src/fanout/events/foreign-event.ts';
import { ForeignEvents } from '../../../src/fanout/publish/foreign-events.ts';

/** Turns of an event loop that does nothing else, on a clock that moves with its pauses only. */
class Loop {
  nowMs = 0;
  turns = 0;
  #next: { task: () => void; delayMs: number } | null = null;

  later(task: () => void, delayMs: number): void {
    if (this.#next !== null) throw new Error('two turns wait');
    this.#next = { task, delayMs };
  }

  turn(): boolean {
    const next = this.#next;
    if (next === null) return false;
    this.#next = null;
    this.nowMs += next.delayMs;
    this.turns += 1;
    next.task();
    return true;
  }

  runFor(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs && this.turn(); );
  }
}

let loop: Loop;
let delivered: string[];
let droppedCount: number;
let events: ForeignEvents;
let rooms: Map<string, Connection[]>;

beforeEach(() => {
  loop = new Loop();
  delivered = [];
  droppedCount = 0;
  rooms = new Map();
  events = new ForeignEvents({
    recipientsOf: ({ brand }) => rooms.get(brand) ?? [],
    deliver: (connection, event) => void delivered.push(`${event.brand} ${event.type} ${connection.address}`),
    dropped: () => {
      droppedCount += 1;
    },
    elapsedMs: () => loop.nowMs,
    later: (task, delayMs) => loop.later(task, delayMs),
  });
});

function brandWith(brand: string, sockets: number): void {
  const all = Array.from({ length: sockets }, (_, index) => new Connection('events', String(index), 0));
  rooms.set(brand, all);
}

function eventOf(brand: string, type: string, dataBytes = 10): ForeignFeedEvent {
  const data = 'x'.repeat(dataBytes);
  return foreignFeedEvent({ source: 'drop', event_type: type, brand, player: null, timestamp: 1, data });
}

const take = (brand: string, type: string, dataBytes?: number) =>
  events.take(brand.split(':')[0]!, eventOf(brand, type, dataBytes));

describe("other platforms' events", () => {
  test('reach every socket once, in the order in which they came', () => {
    brandWith('acme:main', 600);
    take('acme:main', 'one');
    take('acme:main', 'two');
    expect(delivered).toEqual([]);
    while (loop.turn());
    const expected = ['one', 'two'].flatMap((type) =>
      Array.from({ length: 600 }, (_, index) => `acme:main ${type} ${index}`),
    );
    expect(delivered).toEqual(expected);
    expect(droppedCount).toBe(0);
  });

  test('leave the loop to others after a bounded number of deliveries', () => {
    brandWith('acme:main', 10_000);
    take('acme:main', 'one');
    let before = 0;
    while (loop.turn()) {
      expect(delivered.length - before).toBeLessThanOrEqual(limits.deliveriesOfTurn);
      before = delivered.length;
    }
    expect(delivered).toHaveLength(10_000);
  });

  test('of one operator do not wait for the flood of another', () => {
    brandWith('flood:main', 18_000);
    brandWith('acme:main', 10);
    for (let index = 0; index < limits.waitingOfOperator; index += 1) take('flood:main', 'flood', 8_000);
    loop.runFor(5);
    const before = loop.turns;
    take('acme:main', 'quiet');
    while (!delivered.includes('acme:main quiet 9')) expect(loop.turn()).toBe(true);
    expect(loop.turns - before).toBeLessThanOrEqual(3 + Math.ceil(1_000 / limits.pauseMs));
    // All that had come before was the flood's share of what is handed out a second.
    const bytes = delivered.filter((line) => line.startsWith('flood')).length * 8_000;
    expect(bytes).toBeLessThan(2 * limits.bytesPerSecondOfOperator);
  });

  test('take a bounded number of bytes a second, of an operator and of all', () => {
    const operators = ['a', 'b', 'c', 'd'];
    for (const name of operators) {
      brandWith(`${name}:main`, 18_000);
      for (let index = 0; index < 100; index += 1) take(`${name}:main`, 'flood', 1_000);
    }
    const seconds = 5;
    loop.runFor(seconds * 1_000);
    const shares = operators.map((name) => delivered.filter((line) => line.startsWith(`${name}:`)).length);
    const bytes = shares.reduce((sum, count) => sum + count * (1_000 + limits.bytesOfDelivery), 0);
    expect(bytes).toBeLessThan(limits.bytesPerSecond * (seconds + 1.1));
    expect(Math.max(...shares)).toBeLessThan(Math.min(...shares) * 1.2);
    expect(droppedCount).toBe(0);
  });

  test('beyond what may wait are dropped and counted, of the operator that sends too many', () => {
    brandWith('flood:main', 1);
    brandWith('acme:main', 1);
    for (let index = 0; index < limits.waitingOfOperator + 100; index += 1) take('flood:main', String(index));
    expect(droppedCount).toBe(100);
    take('acme:main', 'quiet');
    while (loop.turn());
    expect(droppedCount).toBe(100);
    expect(delivered).toHaveLength(limits.waitingOfOperator + 1);
  });

  test('to nobody cost turns only, and leave nothing behind', () => {
    for (let index = 0; index < 200; index += 1) take(`o${index}:main`, 'one');
    while (loop.turn());
    expect(delivered).toEqual([]);
    loop.nowMs += 60_000;
    take('acme:main', 'last');
    expect(loop.turn()).toBe(true);
    expect(loop.turn()).toBe(false);
  });
});
