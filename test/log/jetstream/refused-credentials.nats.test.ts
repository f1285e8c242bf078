import { afterEach, expect, it } from 'vitest';
import { refusedConnections } from '../../../src/lib/refused-connections.ts';
import { connectBus } from '../../../src/log/jetstream/connect.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const patience = { timeout: 60_000 };
let server: TestNatsServer | null = null;
afterEach(async () => {
  await server?.stop();
});

it('credentials that nats-server refuses from now on show in log and probes until they are right again', async () => {
  server = await startNatsServer();
  const code = 'POTSTREAM_NATS_CREDENTIALS_REFUSED';
  const warnings: Error[] = [];
  const warned = (warning: Error & { readonly code?: string }): void => {
    if (warning.code === code) warnings.push(warning);
  };
  process.on('warning', warned);
  const bus = await connectBus({
    servers: [server.url],
    user: 'gateway',
    password: 'gateway',
    role: 'gateway',
    replicas: 1,
  });
  const [right, wrong] = ['gateway', 'other'].map((password) => `user: "gateway", password: "${password}"`);
  await server.reconfigure(right as string, wrong as string);
  await expect.poll(refusedConnections, patience).toBe(1);
  // The server says that it refuses before it closes the connection.
  await expect.poll(() => bus.connected(), patience).toBe(false);
  await expect.poll(() => warnings.length, patience).toBeGreaterThan(0);
  expect(warnings).toMatchObject([
    {
      code,
      message: expect.stringContaining('nats-server refuses the credentials of gateway'),
    },
  ]);
  await server.reconfigure(wrong as string, right as string);
  await expect.poll(() => bus.connected(), patience).toBe(true);
  expect(refusedConnections()).toBe(0);
  process.off('warning', warned);
  await bus.close();
});
