import { expect, test, vi } from 'vitest';
import { reportSlowStart } from '../../../src/cli/up/slow-start.ts';
import { startOperationsServer } from '../../../src/runtime/operations-server.ts';

test('a role that a start waits for is told with its reason, once for each', async () => {
  let reason: string | null = 'lane_0_catching_up';
  const operations = await startOperationsServer(
    { readyz: () => reason, metrics: () => '' },
    { host: '127.0.0.1', port: 0 },
  );
  const child = { name: 'actors', ready: false, restarts: 0, operationsPort: operations.port };
  const ready = { name: 'nats-server', ready: true, restarts: 0, operationsPort: null };
  const lines: string[] = [];
  let looks = 0;
  const status = () => {
    looks += 1;
    return [ready, child];
  };
  const reporting = reportSlowStart(
    { status },
    (name) => `logs/${name}.log`,
    (line) => lines.push(line),
    1,
  );
  const severalLooks = async () => {
    const before = looks;
    await vi.waitUntil(() => looks > before + 2, { timeout: 60_000 });
  };
  try {
    await severalLooks();
    reason = 'lane_0_hole';
    await severalLooks();
  } finally {
    reporting.stop();
    await operations.stop();
  }
  expect(lines).toEqual([
    'actors is not ready yet: lane_0_catching_up. Log: logs/actors.log',
    'actors is not ready yet: lane_0_hole. Log: logs/actors.log',
  ]);
});
