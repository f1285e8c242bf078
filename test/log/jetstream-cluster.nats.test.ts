import { setTimeout as delay } from 'node:timers/promises';
import { connectBus, connectLog } from '../../src/log/connect.ts';
import { startNatsCluster } from '../support/nats-cluster.ts';
import { logContract } from './contract.ts';

const PATIENCE_MS = 45_000;

logContract('JetStream, three servers, three replicas', async () => {
  const cluster = await startNatsCluster();
  const settings = {
    servers: cluster.urls,
    user: cluster.user,
    password: cluster.password,
    replicas: 3,
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
    kill: () => cluster.kill(),
    restart: () => cluster.restart(),
    close: async () => {
      await Promise.all([log.close(), bus.close()]);
      await cluster.stop();
    },
  };
});
