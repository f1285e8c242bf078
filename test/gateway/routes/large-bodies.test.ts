import { beforeEach, expect, test } from 'vitest';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { isLargeBody, LargeBodies, rateTableRate } from '../../../src/gateway/routes/large-bodies.ts';
import type { Clock } from '../../../src/ports.ts';

const { largeBodyBurstBytes, largeBodyBytesPerSecond, largeBodyBytesPerBusySecond } = httpLimits;

let nowMs: number;
let utilization: number;
let timers: { readonly atMs: number; readonly task: () => void }[];
let clock: Clock;
let bodies: LargeBodies;
let admitted: string[];

beforeEach(() => {
  nowMs = 0;
  utilization = 0;
  timers = [];
  admitted = [];
  const after = (delayMs: number, task: () => void) => {
    timers.push({ atMs: nowMs + delayMs, task });
    return () => {};
  };
  clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after };
  bodies = new LargeBodies(clock, undefined, () => utilization);
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
async function pass(ms: number): Promise<void> {
  const untilMs = nowMs + ms;
  for (;;) {
    await settle();
    timers.sort((a, b) => a.atMs - b.atMs);
    if (timers.length === 0 || timers[0]!.atMs > untilMs) break;
    const { atMs, task } = timers.shift()!;
    nowMs = atMs;
    task();
  }
  nowMs = untilMs;
}
function send(administrator: string, bytes: number, owner = '*'): Promise<unknown> {
  return bodies.admit({ subject: administrator, owners: new Set([owner]) }, bytes).then(
    () => admitted.push(administrator),
    (error) => error,
  );
}
const admittedWithin = async (ms: number): Promise<number> => {
  const before = admitted.length;
  await pass(ms);
  return admitted.length - before;
};
const body = 32 * 1024;
const burst = largeBodyBurstBytes / body;

test('a quarter of a MiB is handled at once, then as much a second as the gateway has time for', async () => {
  for (let index = 0; index < burst; index += 1) await send('a', body);
  expect(admitted).toHaveLength(burst);
  for (let index = 0; index < 8; index += 1) void send('a', body);
  expect(await admittedWithin(1_000)).toBe(Math.min(8, largeBodyBytesPerSecond / body));
});

test('a busy gateway handles fewer', async () => {
  utilization = 0.9;
  await pass(600);
  for (let index = 0; index < burst + 1; index += 1) void send(`${index}`, body);
  await pass(600);
  expect(admitted.length).toBeGreaterThanOrEqual(burst);
  const before = admitted.length;
  for (let index = 0; index < 8; index += 1) void send('a', body);
  await pass(2_000);
  const expected = (2 * largeBodyBytesPerBusySecond) / body;
  expect(admitted.length - before).toBeGreaterThan(0);
  expect(admitted.length - before).toBeLessThanOrEqual(expected + 1);
});

test('of rate tables fewer are handled, on an idle gateway too', async () => {
  bodies = new LargeBodies(clock, rateTableRate, () => utilization);
  for (let index = 0; index < burst; index += 1) await send('a', body);
  expect(admitted).toHaveLength(burst);
  for (let index = 0; index < 8; index += 1) void send('a', body);
  // The first may go into debt, and so may the last.
  const most = (rate: number, seconds: number): number => Math.ceil((rate * seconds) / body) + 1;
  const idle = await admittedWithin(3_000);
  expect(idle).toBeGreaterThan(0);
  expect(idle).toBeLessThanOrEqual(most(rateTableRate.bytesPerSecond, 3));
  utilization = 0.9;
  await pass(600);
  const busy = await admittedWithin(4_000);
  expect(busy).toBeGreaterThan(0);
  expect(busy).toBeLessThanOrEqual(most(rateTableRate.bytesPerBusySecond, 4));
  expect(most(rateTableRate.bytesPerSecond, 3)).toBeLessThan(8);
});

test('administrators are served in turn: one flood costs another a single body', async () => {
  utilization = 0.9;
  await pass(600);
  for (let index = 0; index < burst; index += 1) await send('flood', body);
  for (let index = 0; index < 8; index += 1) void send('flood', body);
  await settle();
  void send('other', body);
  while (!admitted.includes('other')) await pass(100);
  expect(admitted.filter((name) => name === 'flood').length).toBeLessThanOrEqual(burst + 2);
});

test('the administrators of an operator have one turn together', async () => {
  utilization = 0.9;
  await pass(600);
  for (let index = 0; index < burst; index += 1) await send('flood-0', body, 'acme');
  const before = admitted.length;
  for (let index = 0; index < 12; index += 1)
    void send(`flood-${index % 6}`, body, index % 2 ? 'acme' : 'acme:main');
  await settle();
  for (let index = 0; index < 3; index += 1) void send('other', body, 'rival');
  await settle();
  while (admitted.filter((name) => name === 'other').length < 3) await pass(100);
  const floods = admitted.slice(before).filter((name) => name.startsWith('flood')).length;
  expect(floods).toBeLessThanOrEqual(5);
});

test('a body larger than all of it waits no longer than one as large', async () => {
  await send('a', 1024 * 1024);
  void send('a', body);
  expect(await admittedWithin(200)).toBe(1);
});

test('who lets more wait than may wait is refused', async () => {
  utilization = 0.9;
  await pass(600);
  for (let index = 0; index < burst; index += 1) await send('a', body);
  const waiting = httpLimits.largeBodiesWaitingOfAdministrator + 1;
  for (let index = 0; index < waiting; index += 1) void send('a', body);
  await settle();
  const refused = await send('a', body);
  expect(refused).toBeInstanceOf(PublicError);
  expect((refused as PublicError).code).toBe('rate_limited');
});

test('bodies of a usual size do not wait', () => {
  expect(isLargeBody(httpLimits.largeBodyBytes)).toBe(false);
  expect(isLargeBody(httpLimits.largeBodyBytes + 1)).toBe(true);
});
