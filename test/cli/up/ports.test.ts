import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { choosePorts } from '../../../src/cli/up/ports.ts';

const directory = mkdtempSync(join(tmpdir(), 'potstream-ports-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const hosts = {
  gatewayHost: '127.0.0.1',
  operationsHost: '127.0.0.1',
  fanoutHost: '127.0.0.1',
  walletHost: '127.0.0.1',
};
const wanted = { ...hosts, gatewayPort: 0, operationsPort: 0, fanoutPort: 0, walletPort: 0 };

it('keeps the ports that it has chosen', async () => {
  const ports = await choosePorts(directory, wanted);
  expect(JSON.parse(readFileSync(join(directory, 'ports.json'), 'utf8'))).toEqual(ports);
  expect(await choosePorts(directory, { ...wanted, gatewayPort: ports.gateway })).toEqual(ports);
});

it('blames the ports for what is theirs only', async () => {
  for (const name of Object.keys(hosts)) {
    const elsewhere = choosePorts(directory, { ...wanted, [name]: '203.0.113.9' });
    await expect(elsewhere, name).rejects.toMatchObject({ code: 'port_unavailable' });
  }
  await expect(choosePorts(join(directory, 'nothing'), wanted)).rejects.toMatchObject({ code: 'ENOENT' });
});
