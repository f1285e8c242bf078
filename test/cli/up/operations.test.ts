import { afterAll, expect, it } from 'vitest';
import { startTreeOperations } from '../../../src/cli/up/operations.ts';
import { type OperationsServer, startOperationsServer } from '../../../src/runtime/operations-server.ts';
import type { ChildStatus, ProcessTree } from '../../../src/supervisor/process-tree.ts';

const loopback = { host: '127.0.0.1', port: 0 };
const servers: OperationsServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function roleThatIs(reason: string | null): Promise<number> {
  const probes = { readyz: () => reason, metrics: () => `role_metric 1\n` };
  const server = await startOperationsServer(probes, loopback);
  servers.push(server);
  return server.port;
}

function child(name: string, operationsPort: number | null, more: Partial<ChildStatus> = {}): ChildStatus {
  const well = { ready: true, silent: false, silentMs: 0, hangs: 0, restarts: 0, givenUp: false };
  return { name, operationsPort, ...well, ...more };
}

it('the metrics of up show each child that does not work now, and a nats-server that cannot write', async () => {
  const children = [
    child('nats-server', null),
    child('gateway', await roleThatIs(null)),
    child('actors', await roleThatIs('nats_credentials_refused')),
    child('wallet', null, { ready: false }),
    child('demo', null, { ready: false, givenUp: true, restarts: 10 }),
  ];
  const tree = { status: () => children } as unknown as ProcessTree;
  const probes = {
    started: () => false,
    storeFault: async () => 'write error',
    details: ['a detail'],
    storageMetrics: async () => '',
  };
  const operations = await startTreeOperations(tree, probes, loopback);
  servers.push(operations);
  const text = await (await fetch(`http://127.0.0.1:${operations.port}/metrics`)).text();
  const ready = [...text.matchAll(/^potstream_child_ready\{role="up",child="([a-z-]+)"\} ([01])$/gm)];
  expect(ready.map(([, name, value]) => [name, value])).toEqual([
    ['nats-server', '1'],
    ['gateway', '1'],
    ['actors', '0'],
    ['wallet', '0'],
    ['demo', '0'],
  ]);
  expect(text).toContain('potstream_nats_server_cannot_write{role="up"} 1');
  expect(text).toContain('role_metric{role="gateway"} 1');
  // A start that does not come to its end says what it waits for.
  const readyz = await (await fetch(`http://127.0.0.1:${operations.port}/readyz`)).json();
  expect(readyz).toMatchObject({
    reason: 'nats-server: write error; actors: nats_credentials_refused; waiting for wallet',
    details: expect.arrayContaining(['a detail']),
  });
});
