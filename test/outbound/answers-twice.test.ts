import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { EndpointClient, type EndpointLimits } from '../../src/outbound/endpoint-client.ts';

const calls = 60;
const atOnce = 4;
const limits: EndpointLimits = {
  connections: 4 * atOnce,
  restMs: 40,
  exchangeTimeoutMs: 20_000,
  idleMs: 60_000,
  connectionLifeMs: 60_000,
  answerBytes: 1_000,
};

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Answers each request with its path, and sends some answers once more a moment later, where the next answer belongs. */
async function serveTwice(againMs: number): Promise<{ readonly port: number; connections: number }> {
  const served = { port: 0, connections: 0 };
  const open = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    served.connections += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.on('data', (bytes) => {
      for (const [, path] of bytes.toString('latin1').matchAll(/^GET (\S+) HTTP/gm)) {
        const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${path!.length}\r\n\r\n${path}`;
        socket.write(answer);
        requests += 1;
        if (requests % 7 === 0) setTimeout(() => socket.write(answer), againMs);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => {
    for (const socket of open) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return Object.assign(served, { port: (server.address() as AddressInfo).port });
}

it.each([0, 5])('takes no answer that was sent twice for the next one, %i ms later', async (againMs) => {
  const server = await serveTwice(againMs);
  const resolve = async () => ['127.0.0.1'];
  const client = new EndpointClient(`http://127.0.0.1:${server.port}`, limits, {
    development: true,
    resolve,
  });
  ends.push(() => client.close());
  const others: string[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < calls) {
      const path = `/call-${next++}`;
      const { text } = await client.get({ path, headers: {} });
      if (text !== path) others.push(`${path}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  expect(others).toEqual([]);
});

/** In a thread of its own: it goes on while this one is busy. */
const busyPeer = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const [, path] = /^GET (\\S+) HTTP/.exec(bytes.toString('latin1'));
      const answer = 'HTTP/1.1 200 OK\\r\\ncontent-length: ' + path.length + '\\r\\n\\r\\n' + path;
      socket.write(answer);
      setTimeout(() => {
        socket.write(answer);
        Atomics.store(workerData, 0, 1);
        Atomics.notify(workerData, 0);
      }, 100);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

it('reads a second answer that came while the process was busy before it sends the next request', async () => {
  const sentAgain = new Int32Array(new SharedArrayBuffer(4));
  const peer = new Worker(busyPeer, { eval: true, workerData: sentAgain });
  ends.push(() => peer.terminate());
  const [port] = (await once(peer, 'message')) as [number];
  const resolve = async () => ['127.0.0.1'];
  const client = new EndpointClient(`http://127.0.0.1:${port}`, limits, { development: true, resolve });
  ends.push(() => client.close());
  expect(await client.get({ path: '/first', headers: {} })).toEqual({ status: 200, text: '/first' });
  // Nothing else happens here until it has come.
  Atomics.wait(sentAgain, 0, 0, 60_000);
  expect(await client.get({ path: '/second', headers: {} })).toEqual({ status: 200, text: '/second' });
});
