import { expect, it } from 'vitest';
import { Presences } from '../../../src/actors/placement/presences.ts';
import { presenceSubject } from '../../../src/log/base/names.ts';
import { memoryBus } from '../../wallet/support.ts';

const pollMs = 50;
const other = 'b.life';

/** This process and another one on a bus. */
function world() {
  const bus = memoryBus();
  const presences = new Presences(bus, 'a.life', pollMs);
  const connect = (process = other) => bus.subscribe(presenceSubject(process), () => {});
  /** The other process gives a sign of life; what is asked then is answered. */
  const hear = async (): Promise<void> => {
    presences.observe(other);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { presences, connect, hear };
}

it('a process that was connected and is not any more is gone', async () => {
  const { presences, connect, hear } = world();
  const connection = connect();
  await hear();
  expect(await presences.isGone(other)).toBe(false);
  connection.stop();
  expect(await presences.isGone(other)).toBe(true);
});

it('nothing is known of a process that was never seen to be connected, as of an earlier release', async () => {
  const { presences, hear } = world();
  expect(await presences.isGone(other)).toBe(false);
  await hear();
  expect(await presences.isGone(other)).toBe(false);
});

it('a process whose subscription comes late is asked for again a second later', async () => {
  const { presences, connect, hear } = world();
  await hear();
  const connection = connect();
  await hear();
  for (let ms = 0; ms <= 1_000; ms += pollMs) presences.polled();
  await hear();
  connection.stop();
  expect(await presences.isGone(other)).toBe(true);
});

it('after an interruption a process must be heard again: it may have lost its connection for the same reason', async () => {
  const { presences, connect, hear } = world();
  const connection = connect();
  await hear();
  connection.stop();
  presences.interrupted();
  expect(await presences.isGone(other)).toBe(false);
  const again = connect();
  await hear();
  again.stop();
  expect(await presences.isGone(other)).toBe(true);
});

it('the next life of a process is another one', async () => {
  const { presences, connect, hear } = world();
  const connection = connect();
  await hear();
  connection.stop();
  connect('b.next');
  expect(await presences.isGone(other)).toBe(true);
});
