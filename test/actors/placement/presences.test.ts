import { expect, it } from 'vitest';
import { Presences } from '../../../src/actors/placement/presences.ts';
import { presenceSubject } from '../../../src/log/names.ts';
import { memoryBus } from '../../wallet/support.ts';

const pollMs = 50;
const other = 'b.life';

/** This process and another one on a bus. */
function world() {
  const bus = memoryBus();
  const presences = new Presences(bus, 'a.life', pollMs);
  const connect = (process = other) => bus.subscribe(presenceSubject(process), () => {});
  return { presences, connect };
}

/** Until what was asked is answered. */
const answered = () => new Promise((resolve) => setImmediate(resolve));

it('a process that was connected and is not any more is gone', async () => {
  const { presences, connect } = world();
  const connection = connect();
  presences.observe(other);
  await answered();
  expect(await presences.isGone(other)).toBe(false);
  connection.stop();
  expect(await presences.isGone(other)).toBe(true);
});

it('nothing is known of a process that was never seen to be connected, as of an earlier release', async () => {
  const { presences } = world();
  expect(await presences.isGone(other)).toBe(false);
  presences.observe(other);
  await answered();
  expect(await presences.isGone(other)).toBe(false);
});

it('a process whose subscription comes late is asked for again a second later', async () => {
  const { presences, connect } = world();
  presences.observe(other);
  await answered();
  const connection = connect();
  presences.observe(other);
  await answered();
  for (let ms = 0; ms <= 1_000; ms += pollMs) presences.polled();
  presences.observe(other);
  await answered();
  connection.stop();
  expect(await presences.isGone(other)).toBe(true);
});

it('after an interruption a process must be heard again: it may have lost its connection for the same reason', async () => {
  const { presences, connect } = world();
  const connection = connect();
  presences.observe(other);
  await answered();
  connection.stop();
  presences.interrupted();
  expect(await presences.isGone(other)).toBe(false);
  const again = connect();
  presences.observe(other);
  await answered();
  again.stop();
  expect(await presences.isGone(other)).toBe(true);
});

it('the next life of a process is another one', async () => {
  const { presences, connect } = world();
  const connection = connect();
  presences.observe(other);
  await answered();
  connection.stop();
  connect('b.next');
  expect(await presences.isGone(other)).toBe(true);
});
