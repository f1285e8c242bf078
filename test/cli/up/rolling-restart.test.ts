import { afterAll, beforeEach, expect, it } from 'vitest';
import { restartInTurn } from '../../../src/cli/up/rolling-restart.ts';
import { type OperationsServer, startOperationsServer } from '../../../src/runtime/operations-server.ts';
import type { ChildStatus } from '../../../src/supervisor/process-tree.ts';

const names = ['gateway', 'gateway-2', 'gateway-3'];
const servers: OperationsServer[] = [];
let ports: number[];
/** What /readyz of each says. */
let reasons: (string | null)[];
let restarts: number[];
let order: string[];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

beforeEach(async () => {
  reasons = [null, null, null];
  restarts = [0, 0, 0];
  order = [];
  ports = await Promise.all(
    names.map(async (_, index) => {
      const probes = { readyz: () => reasons[index] ?? null, metrics: () => '' };
      const server = await startOperationsServer(probes, { host: '127.0.0.1', port: 0 });
      servers.push(server);
      return server.port;
    }),
  );
});

const tree = {
  status: () =>
    names.map(
      (name, index) =>
        ({ name, ready: true, restarts: restarts[index], operationsPort: ports[index] }) as ChildStatus,
    ),
  async restart(name: string, drain?: string) {
    order.push(`${name} ${drain} ${reasons.filter((reason) => reason === null).length}`);
    const index = names.indexOf(name);
    reasons[index] = 'replica_behind';
    setTimeout(() => {
      restarts[index] = 1;
    }, 20);
    setTimeout(() => {
      if (name !== 'gateway-3') reasons[index] = null;
    }, 150);
  },
};

it('restarts each once all are ready, and ends where one does not come back', async () => {
  const restarted: string[] = [];
  const restart = restartInTurn(tree, names, (name) => restarted.push(name), 5000);
  await expect(restart).rejects.toThrow('gateway-3 is not ready within 5 s.');
  expect(order).toEqual(['gateway hand_over 3', 'gateway-2 hand_over 3', 'gateway-3 hand_over 3']);
  expect(restarted).toEqual(['gateway', 'gateway-2']);
});

it('restarts none while one does not work', async () => {
  reasons[1] = 'log_disconnected';
  await expect(restartInTurn(tree, names, () => {}, 300)).rejects.toThrow('gateway-2 is not ready');
  expect(order).toEqual([]);
});
