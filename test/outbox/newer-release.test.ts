import { expect, it } from 'vitest';
import { callbackEventId } from '../../src/contracts/payments/event-id.ts';
import { uuidText } from '../../src/lib/uuid.ts';
import { frameStored, messageFormatVersion, unframeStored } from '../../src/messages/codec/frame.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { SimOutbox } from './support/sim-outbox.ts';

/** An outbox of an older release meets what a newer release wrote (docs/decisions/0304). */

const origin = 'https://receiver.example.com';
const dead = 'https://dead.example.com';
const minuteMs = 60_000;

type Stored = { readonly sequence: number; readonly bytes: Uint8Array };

/** The record with one more event, of a kind that no release has yet. */
function withUnknownEvent({ bytes }: Stored): Uint8Array {
  const raw = unframeStored(bytes) as unknown[];
  return frameStored(raw.with(5, [...(raw[5] as unknown[]), [9_999, ['anything']]]));
}

/** The record with a result in a compact form that no release has yet. */
function withUnknownCompactForm({ bytes }: Stored): Uint8Array {
  const raw = unframeStored(bytes) as unknown[];
  const outcomes = raw[4] as unknown[];
  return frameStored(raw.with(4, outcomes.with(3, Uint8Array.of(250, 1, 2, 3))));
}

function ofNewerFormat({ bytes }: Stored): Uint8Array {
  return Uint8Array.from(bytes).fill(messageFormatVersion + 1, 0, 1);
}

/** The batch with another tag for its commands. */
function withUnknownCommands({ bytes }: Stored): Uint8Array {
  const [id, gateway, commands] = unframeStored(bytes) as [unknown, unknown, unknown[][]];
  return frameStored([id, gateway, commands.map(([, value]) => [9_999, value])]);
}

class History {
  readonly sim = new SimOutbox();
  #count = 0;

  async start(): Promise<void> {
    const { sim } = this;
    await sim.during(sim.lane.open());
    await sim.during(sim.start());
    await sim.world.passes(1_000);
  }

  /** One contribution with a callback: its event, and the sequence of its message. */
  async write(to = origin): Promise<{ readonly id: string; readonly sequence: number }> {
    const command = this.#callback(to);
    const sequence = await this.sim.during(this.sim.lane.write(command));
    return { id: callbackEventId(uuidText(command.contributionId)), sequence };
  }

  #callback(to: string): Contribute {
    this.#count += 1;
    const contributionId = Uint8Array.from({ length: 16 }, (_, index) => (index === 15 ? this.#count : 9));
    return contribution({ contributionId, callback: { webHook: `${to}/hook`, winResultOnly: false } });
  }

  async upgrade(): Promise<void> {
    const { sim } = this;
    sim.seen = { outcome: ({ bytes }) => bytes, command: ({ bytes }) => bytes };
    sim.kill();
    await sim.world.passes(30_000);
  }
}

const newer = [
  ['an event', { outcome: withUnknownEvent, command: null }],
  ['a result', { outcome: withUnknownCompactForm, command: null }],
  ['a format', { outcome: ofNewerFormat, command: null }],
  ['a command', { outcome: null, command: withUnknownCommands }],
  ['a format of commands', { outcome: null, command: ofNewerFormat }],
] as const;

for (const [what, { outcome, command }] of newer) {
  it(`stops before ${what} that it does not know, and goes on after the upgrade`, async () => {
    const history = new History();
    const { sim } = history;
    await history.start();
    const before = await history.write();
    await sim.world.until(() => sim.received.has(before.id), minuteMs, 'the first callback arrives');

    const from = before.sequence + 1;
    const only = (change: ((stored: Stored) => Uint8Array) | null) => (stored: Stored) =>
      change !== null && stored.sequence >= from ? change(stored) : stored.bytes;
    sim.seen = { outcome: only(outcome), command: only(command) };
    const unknown = await history.write();
    const behind = await history.write();
    await sim.world.passes(5 * minuteMs);
    expect([unknown, behind].filter(({ id }) => sim.received.has(id))).toEqual([]);
    expect(sim.lost).toEqual([]);
    expect(sim.unsupported).toBe(unknown.sequence);

    // A restart of the older release changes nothing.
    sim.kill();
    await sim.world.passes(minuteMs);
    expect(sim.unsupported).toBe(unknown.sequence);

    await history.upgrade();
    expect(sim.unsupported).toBeNull();
    for (const { id } of [before, unknown, behind]) expect(sim.received.get(id)).toHaveLength(1);
    expect(sim.lost).toEqual([]);
    await sim.stop();
  });
}

it('what is stored is tried on while the lane is stopped', async () => {
  const history = new History();
  const { sim } = history;
  await history.start();
  sim.failing.set(dead, 'status_503');
  const waiting = await history.write(dead);
  await sim.world.until(() => sim.known().length === 1, minuteMs, 'the callback is stored');
  sim.seen = { ...sim.seen, outcome: withUnknownEvent };
  await history.write();
  await sim.world.passes(minuteMs);
  expect(sim.unsupported).not.toBeNull();
  sim.failing.clear();
  await sim.world.until(() => sim.received.has(waiting.id), 3_600_000, 'the stored callback arrives');
  await sim.stop();
});

it('a replay finds its beginning between damaged records, and waits at one of a newer release', async () => {
  const history = new History();
  const { sim } = history;
  await history.start();
  const written: Awaited<ReturnType<History['write']>>[] = [];
  for (let count = 0; count < 9; count += 1) written.push(await history.write());
  await sim.world.until(() => written.every(({ id }) => sim.received.has(id)), minuteMs, 'all arrive');
  const damaged = written[4]!.sequence;
  const last = written.at(-1)!;
  sim.seen.outcome = (stored) => {
    if (stored.sequence === damaged) return Uint8Array.from(stored.bytes).fill(0, 8);
    return stored.sequence === last.sequence ? withUnknownEvent(stored) : stored.bytes;
  };
  await sim.replayAll('again');
  await sim.world.passes(minuteMs);
  const twice = written.filter(({ id }) => sim.received.get(id)!.length === 2);
  expect(twice).toEqual(written.filter(({ sequence }) => sequence !== damaged && sequence !== last.sequence));
  expect(sim.unsupported).toBe(last.sequence);
  await history.upgrade();
  expect(sim.received.get(last.id)!.length).toBeGreaterThan(1);
  expect(sim.unsupported).toBeNull();
  await sim.stop();
});
