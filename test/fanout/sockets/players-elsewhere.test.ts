import { afterEach, expect, it, vi } from 'vitest';
import { announceEveryMs, PlayersElsewhere } from '../../../src/fanout/sockets/players-elsewhere.ts';
import { Counts } from '../../../src/lib/counts.ts';
import type { BusMessage } from '../../../src/ports.ts';

/** Core NATS between processes, which can lose messages. */
class Wire {
  loses = false;
  readonly #handlers = new Map<string, (message: BusMessage) => void>();

  bus(process: string) {
    return {
      publish: (subject: string, bytes: Uint8Array) => {
        if (this.loses) return;
        const message = { subject, bytes, respond() {} };
        for (const handler of [...this.#handlers.values()]) handler(message);
      },
      subscribe: (_subject: string, handler: (message: BusMessage) => void) => {
        this.#handlers.set(process, handler);
        return { stop: () => void this.#handlers.delete(process) };
      },
    } as never;
  }
}

const open: PlayersElsewhere[] = [];

function fanout(wire: Wire, process: string) {
  const here = new Counts();
  const elsewhere = new PlayersElsewhere({
    bus: wire.bus(process),
    subject: 'feeds.players',
    process,
    here,
    elapsedMs: () => Date.now(),
  });
  open.push(elsewhere);
  const change = (player: string, how: 'add' | 'remove') => {
    here[how](player);
    elsewhere.changed(player);
  };
  return { elsewhere, change, here };
}

afterEach(() => {
  for (const each of open.splice(0)) each.stop();
  vi.useRealTimers();
});

it('knows what a player has at the others, before and after they met', () => {
  vi.useFakeTimers();
  const wire = new Wire();
  const first = fanout(wire, 'first');
  for (let n = 0; n < 1_201; n += 1) first.change(`acme:main p${n}`, 'add');
  vi.advanceTimersByTime(3_000);
  const second = fanout(wire, 'second');
  vi.advanceTimersByTime(2_500);
  expect([second.elsewhere.of('acme:main p0'), second.elsewhere.of('acme:main p1200')]).toEqual([1, 1]);
  first.change('acme:main p0', 'add');
  first.change('acme:main p1', 'remove');
  vi.advanceTimersByTime(announceEveryMs);
  expect([second.elsewhere.of('acme:main p0'), second.elsewhere.of('acme:main p1')]).toEqual([2, 0]);
  expect(first.elsewhere.of('acme:main p0')).toBe(0);
});

it('mends within half a minute what a lost message left', () => {
  vi.useFakeTimers();
  const wire = new Wire();
  const [first, second] = [fanout(wire, 'first'), fanout(wire, 'second')];
  vi.advanceTimersByTime(2_000);
  first.change('acme:main ada', 'add');
  vi.advanceTimersByTime(announceEveryMs);
  wire.loses = true;
  first.change('acme:main ada', 'remove');
  vi.advanceTimersByTime(announceEveryMs);
  wire.loses = false;
  expect(second.elsewhere.of('acme:main ada')).toBe(1);
  vi.advanceTimersByTime(30_500);
  expect(second.elsewhere.of('acme:main ada')).toBe(0);
});

it('forgets one that is not heard any more', () => {
  vi.useFakeTimers();
  const wire = new Wire();
  const [first, second] = [fanout(wire, 'first'), fanout(wire, 'second')];
  vi.advanceTimersByTime(2_000);
  first.change('acme:main ada', 'add');
  vi.advanceTimersByTime(announceEveryMs);
  expect(second.elsewhere.of('acme:main ada')).toBe(1);
  first.elsewhere.stop();
  vi.advanceTimersByTime(6_000);
  expect(second.elsewhere.of('acme:main ada')).toBe(0);
});
