import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectOwner } from '../../../src/log/jetstream/connect.ts';
import type { Bus, Log } from '../../../src/ports.ts';
import { makeSystem } from '../../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

let server: TestNatsServer;
let log: Log;
let bus: Bus;
const messages = 20;
const workMs = 8;
/** The disk may be busy. */
const timeoutMs = 60_000;

beforeAll(async () => {
  server = await startNatsServer();
  await makeSystem(server, 2);
  const credentials = { kind: 'password', user: 'actors', password: 'actors' } as const;
  ({ log, bus } = await connectOwner({ servers: [server.url], credentials, role: 'actors', replicas: 1 }));
});
afterAll(async () => {
  await Promise.all([log.close(), bus.close()]);
  await server.stop();
});

/** Whatever a message costs. */
function work(): void {
  const until = performance.now() + workMs;
  while (performance.now() < until);
}

test('a lane whose messages are work gives the others of the process their turns', async () => {
  for (let index = 0; index < messages; index += 1)
    await log.append(0, 'control', Buffer.from('heavy'), { messageId: `heavy-${index}`, timeoutMs });
  const order: string[] = [];
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const heavy = log.follow(0, 1, {
    message({ sequence }) {
      // The first one waits until all others are here.
      if (sequence === 1) return released;
      work();
      order.push('heavy');
      setImmediate(() => order.push('turn'));
    },
  });
  await delay(500);
  release();
  while (order.filter((each) => each === 'heavy').length < messages - 1) await delay(20);
  await heavy.stop();
  expect(order.slice(0, 6)).toEqual(['heavy', 'turn', 'heavy', 'turn', 'heavy', 'turn']);
});

test('a reader that is slower than the log gets every message once and in order', async () => {
  const many = 1_800;
  for (let first = 1; first <= many; first += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        log.append(1, 'control', Buffer.from('light'), { messageId: `light-${first + at}`, timeoutMs }),
      ),
    );
  const seen: number[] = [];
  let last = 0;
  const follower = log.follow(1, 1, {
    // Now and then it is away for long enough that more than a queue waits for it.
    message({ sequence }) {
      seen.push(sequence);
      return sequence % 250 === 0 ? delay(40) : undefined;
    },
    caughtUp(sequence) {
      last = sequence;
    },
  });
  while (last < many) await delay(10);
  await follower.stop();
  expect(seen).toEqual(Array.from({ length: many }, (_, at) => at + 1));
});
