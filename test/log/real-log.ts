import { setTimeout as delay } from 'node:timers/promises';
import { connectBus, connectLog } from '../../src/log/jetstream/connect.ts';
import type { LogUnderTest } from './contract.ts';

export interface RealServers {
  readonly urls: readonly string[];
  readonly user: string;
  readonly password: string;
  /** Of several servers: waits until all have stored the same. */
  agree?(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<unknown>;
  stop(): Promise<void>;
}

/** The adapter of JetStream on real servers, as the contract wants it. */
export async function openRealLog(
  servers: RealServers,
  { replicas, patienceMs }: { readonly replicas: number; readonly patienceMs: number },
): Promise<LogUnderTest> {
  const settings = {
    servers: servers.urls,
    user: servers.user,
    password: servers.password,
    replicas,
    maxStreamBytes: 64 * 1024 * 1024,
  };
  const [log, bus] = [await connectLog(settings), await connectBus(settings)];
  return {
    log,
    bus,
    run: (work) => work,
    until: async (done, what) => {
      const deadlineMs = performance.now() + patienceMs;
      while (!done()) {
        if (performance.now() > deadlineMs) throw new Error(`${what}: did not happen`);
        await delay(5);
      }
    },
    settled: async () => servers.agree?.(),
    kill: () => servers.kill(),
    restart: async () => void (await servers.restart()),
    close: async () => {
      await Promise.all([log.close(), bus.close()]);
      await servers.stop();
    },
  };
}
