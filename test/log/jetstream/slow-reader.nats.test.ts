import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectOwner, connectSlowReader } from '../../../src/log/jetstream/connect.ts';
import type { Bus, Log } from '../../../src/ports.ts';
import { makeSystem } from '../../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

let server: TestNatsServer;
let log: Log;
let bus: Bus;
let slow: Log;

beforeAll(async () => {
  server = await startNatsServer();
  await makeSystem(server, 1);
  const credentials = { kind: 'password', user: 'actors', password: 'actors' } as const;
  const settings = { servers: [server.url], credentials, role: 'actors', replicas: 1 } as const;
  ({ log, bus } = await connectOwner(settings));
  slow = await connectSlowReader(settings);
});
afterAll(async () => {
  await Promise.all([log.close(), bus.close(), slow.close()]);
  await server.stop();
});

test('reads few messages at once, a large one alone, and leaves none out', async () => {
  const large = 60;
  const sizes = Array.from({ length: 100 }, (_, index) => (index === large ? 250_000 : 3_000));
  for (const [index, size] of sizes.entries())
    await log.append(0, 'control', Buffer.alloc(size, index), {
      messageId: `message-${index}`,
      timeoutMs: 60_000,
    });
  const read: number[] = [];
  const lengths: number[] = [];
  while (read.length < sizes.length) {
    const messages = await slow.readCommands(0, read.length + 1);
    expect(messages.length).toBeGreaterThan(0);
    lengths.push(messages.length);
    for (const { bytes, sequence } of messages) {
      expect(sequence).toBe(read.length + 1);
      expect(bytes[0]).toBe(read.length);
      read.push(bytes.length);
    }
  }
  expect(read).toEqual(sizes);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(16);
});
