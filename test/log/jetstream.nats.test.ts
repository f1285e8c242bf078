import { setTimeout as delay } from 'node:timers/promises';
import { connectBus, connectLog } from '../../src/log/connect.ts';
import { startNatsServer } from '../support/nats-server.ts';
import { logContract } from './contract.ts';

const PATIENCE_MS = 30_000;

logContract('JetStream, one replica', async () => {
  const server = await startNatsServer();
  const settings = {
    servers: [server.url],
    user: server.user,
    password: server.password,
    replicas: 1,
    maxStreamBytes: 64 * 1024 * 1024,
  };
  const [log, bus] = [await connectLog(settings), await connectBus(settings)];
  return {
    log,
    bus,
    run: (work) => work,
    until: async (done, what) => {
      const deadlineMs = performance.now() + PATIENCE_MS;
      while (!done()) {
        if (performance.now() > deadlineMs) throw new Error(`${what}: did not happen`);
        await delay(5);
      }
    },
    kill: () => server.kill(),
    restart: () => server.restart(),
    close: async () => {
      await Promise.all([log.close(), bus.close()]);
      await server.stop();
    },
  };
});
