import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { examinePorts } from '../../../src/cli/doctor/ports.ts';
import { readSettings } from '../../../src/config/settings.ts';

let server: Server | null = null;

afterEach(() => server?.close());

function ports(environment: Record<string, string>): Promise<string> {
  return examinePorts(readSettings({ POTSTREAM_DATA: '/nonexistent', ...environment }));
}

async function takenPort(): Promise<string> {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

it('tells of every port that is named whether it is free', async () => {
  const port = await takenPort();
  const found = await ports({ POTSTREAM_PORT: '0', POTSTREAM_FANOUT_PORT: port });
  expect(found).toBe(`${port} is taken; "potstream up" would use another (POTSTREAM_FANOUT_PORT)`);
  server?.close();
  await once(server as Server, 'close');
  expect(await ports({ POTSTREAM_PORT: port })).toBe(`127.0.0.1:${port} is free`);
  expect(await ports({ POTSTREAM_PORT: '0' })).toBe('any free ports');
});

it('finds an address that this machine does not have', async () => {
  await expect(ports({ POTSTREAM_HOST: '203.0.113.9' })).rejects.toThrow(/POTSTREAM_HOST.*does not have/);
});
