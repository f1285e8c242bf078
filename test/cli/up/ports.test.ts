import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { choosePorts } from '../../../src/cli/up/ports.ts';

const directory = mkdtempSync(join(tmpdir(), 'potstream-ports-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const wanted = { gatewayHost: '127.0.0.1', gateway: 0, operations: 0, fanout: 0, wallet: 0 };

it('keeps the ports that it has chosen', async () => {
  const ports = await choosePorts(directory, wanted);
  expect(JSON.parse(readFileSync(join(directory, 'ports.json'), 'utf8'))).toEqual(ports);
  expect(await choosePorts(directory, { ...wanted, gateway: ports.gateway })).toEqual(ports);
});

it('blames the ports for what is theirs only', async () => {
  const elsewhere = choosePorts(directory, { ...wanted, gatewayHost: '203.0.113.9' });
  await expect(elsewhere).rejects.toMatchObject({ code: 'port_unavailable' });
  await expect(choosePorts(join(directory, 'nothing'), wanted)).rejects.toMatchObject({ code: 'ENOENT' });
});
