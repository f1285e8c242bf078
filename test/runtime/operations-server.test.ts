import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type OperationsServer, startOperationsServer } from '../../src/runtime/operations-server.ts';

let server: OperationsServer;
afterEach(() => server.stop());

const probes = { readyz: () => null, metrics: () => 'a_metric 1\n' };

async function statusOf(path: string, host: string | null): Promise<number> {
  const socket = connect(server.port, '127.0.0.1');
  const version = host === null ? '1.0' : '1.1';
  socket.write(
    `GET ${path} HTTP/${version}\r\n${host === null ? '' : `Host: ${host}\r\n`}Connection: close\r\n\r\n`,
  );
  return Number((await text(socket)).split(' ')[1]);
}

describe.each(['/livez', '/readyz', '/metrics'])('%s on loopback', (path) => {
  it('answers this machine, and programs that name no host', async () => {
    server = await startOperationsServer(probes, { host: '127.0.0.1', port: 0 });
    const hosts = [`127.0.0.1:${server.port}`, 'localhost', `[::1]:${server.port}`, null];
    expect(await Promise.all(hosts.map((host) => statusOf(path, host)))).toEqual([200, 200, 200, 200]);
  });

  it("does not answer a page of another site, whose name is its server's", async () => {
    server = await startOperationsServer(probes, { host: '127.0.0.1', port: 0 });
    expect(await statusOf(path, `evil.example:${server.port}`)).toBe(421);
  });
});

it('answers every name where it listens for other machines', async () => {
  server = await startOperationsServer(probes, { host: '0.0.0.0', port: 0 });
  expect(await statusOf('/metrics', 'actors-0.potstream.svc:9090')).toBe(200);
});
