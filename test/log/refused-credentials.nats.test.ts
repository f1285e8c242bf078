import { afterEach, expect, it } from 'vitest';
import { refusedConnections } from '../../src/lib/refused-connections.ts';
import { connectBus } from '../../src/log/connect.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

let server: TestNatsServer | null = null;
afterEach(async () => {
  await server?.stop();
});

it('credentials that nats-server refuses from now on show in log and probes until they are right again', async () => {
  server = await startNatsServer();
  const warnings: { readonly code?: string; readonly message: string }[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
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
  await expect.poll(refusedConnections, { timeout: 30_000 }).toBe(1);
  expect(bus.connected()).toBe(false);
  await expect.poll(() => warnings.length).toBe(1);
  expect(warnings).toMatchObject([
    {
      code: 'POTSTREAM_NATS_CREDENTIALS_REFUSED',
      message: expect.stringContaining('nats-server refuses the credentials of gateway'),
    },
  ]);
  await server.reconfigure(wrong as string, right as string);
  await expect.poll(() => bus.connected(), { timeout: 30_000 }).toBe(true);
  expect(refusedConnections()).toBe(0);
  process.off('warning', warned);
  await bus.close();
});
