import { expect, it } from 'vitest';
import { readSettings } from '../../src/config/settings.ts';
import { setRefused } from '../../src/lib/refused-connections.ts';
import { startRole } from '../../src/runtime/role.ts';
import { freePort } from '../support/free-port.ts';

it('a role that drains lives, and is not ready', async () => {
  let drained = (): void => {};
  const settings = { ...readSettings({}), operationsPort: await freePort(), logLevel: 'silent' } as const;
  const role = await startRole('gateway', settings, async () => ({
    port: null,
    probes: { readyz: () => null, metrics: () => 'own 1\n' },
    stop: () =>
      new Promise((resolve) => {
        drained = resolve;
      }),
  }));
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${settings.operationsPort}${path}`);
    return [answer.status, await answer.text()];
  };
  expect((await ask('/readyz'))[0]).toBe(200);
  const connection = {};
  setRefused(connection, true);
  expect(await ask('/readyz')).toEqual([503, expect.stringContaining('"reason":"nats_credentials_refused"')]);
  expect((await ask('/metrics'))[1]).toContain('potstream_nats_refused_connections 1');
  setRefused(connection, false);
  const stopping = role.stop();
  expect(await ask('/readyz')).toEqual([503, '{"status":"unavailable","reason":"shutting_down"}']);
  expect((await ask('/livez'))[0]).toBe(200);
  expect(await ask('/metrics')).toEqual([200, expect.stringContaining('own 1\n')]);
  expect(await ask('/metrics')).toEqual([200, expect.stringContaining('potstream_trace_spans_total')]);
  drained();
  await stopping;
});
