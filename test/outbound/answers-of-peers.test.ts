import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { NoAnswer } from '../../src/outbound/checked-addresses.ts';
import { EndpointClient, type EndpointLimits } from '../../src/outbound/endpoint-client.ts';

/** What a client must read of a peer by RFC 9110 and RFC 9112, as a server on a bare socket writes it. */

const limits: EndpointLimits = {
  connections: 1,
  restMs: 0,
  exchangeTimeoutMs: 60_000,
  idleMs: 60_000,
  connectionLifeMs: 60_000,
  answerBytes: 1_000,
};
const request = { path: '/hook', headers: {}, body: Buffer.from('{}') };

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Peer {
  readonly client: EndpointClient;
  /** The requests of each connection, as they came. */
  readonly connections: string[];
  /** Those that are open. */
  readonly open: ReadonlySet<Socket>;
}

/** Writes `answer` for each request, in pieces that arrive one by one; `ends` closes the connection behind it. */
async function peer(answer: readonly string[], closes = false): Promise<Peer> {
  const connections: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const index = connections.push('') - 1;
    open.add(socket.setNoDelay());
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.on('data', async (bytes) => {
      connections[index] += bytes.toString('latin1');
      if (!connections[index]!.endsWith('{}')) return;
      for (const piece of answer) {
        socket.write(piece, 'latin1');
        for (let turn = 0; turn < 3; turn += 1) await nextTurn();
      }
      if (closes) socket.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => {
    for (const socket of open) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const check = { development: true, resolve: async () => ['127.0.0.1'] };
  const client = new EndpointClient(origin, limits, check);
  ends.push(() => client.close());
  return { client, connections, open };
}

const continues = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const head = 'HTTP/1.1 200 OK\r\n';
const final = `${head}Content-Length: 2\r\n\r\nok`;
const chunked = `${head}Transfer-Encoding: chunked\r\n`;

describe.each([
  ['at once', (text: string) => [text]],
  ['byte by byte', (text: string) => [...text]],
])('of an answer that arrives %s, a client reads', (_, pieces) => {
  it.each([
    ['100 Continue before it', continues + final],
    ['100 Continue twice', continues + continues + final],
    ['100 Continue with fields', `HTTP/1.1 100 Continue\r\nContent-Length: 0\r\nDate: x\r\n\r\n${final}`],
    ['100 Continue without a reason', `HTTP/1.1 100 \r\n\r\n${final}`],
    ['102 Processing before it', `HTTP/1.1 102 Processing\r\n\r\n${final}`],
    ['103 Early Hints, then 100', hints + continues + final],
    ['100, then 103 twice', continues + hints + hints + final],
    ['an interim status that nobody knows', `HTTP/1.1 199 Soon\r\n\r\n${final}`],
    ['chunks', `${chunked}\r\n1\r\no\r\n01\r\nk\r\n0\r\n\r\n`],
    ['chunks with extensions', `${chunked}\r\n1;a;b="c;\\"d"\r\no\r\n1;e=f\r\nk\r\n0;g\r\n\r\n`],
    ['chunks with spaces behind their sizes', `${chunked}\r\n1 \r\no\r\n1 ;e=f\r\nk\r\n0 \r\n\r\n`],
    ['chunks with trailers', `${chunked}Trailer: X\r\n\r\n2\r\nok\r\n0\r\nX: y\r\nZ:\r\n\r\n`],
    ['chunks, in capitals', `${head}TRANSFER-ENCODING: CHUNKED\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['no reason', 'HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok'],
    ['no reason and no space', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'],
    ['a reason in other letters', 'HTTP/1.1 200 D\xe9j\xe0 vu\r\ncontent-length: 2\r\n\r\nok'],
    [
      'fields with any space, and without a value',
      `${head}A:b\r\nC: \t d \t \r\nE:\r\nCONTENT-LENGTH:\t2 \r\n\r\nok`,
    ],
    ['a field on several lines', `${head}A: b\r\n c\r\n\td\r\nContent-Length: 2\r\n\r\nok`],
    ['its coding on two lines', `${head}Transfer-Encoding:\r\n chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['fields in other letters', `${head}Server: M\xfcller\r\nContent-Length: 2\r\n\r\nok`],
    ['HTTP/1.0 that stays open', 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok'],
    [
      'an upgrade that is offered',
      `${head}Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\nok`,
    ],
  ])('%s', async (_name, answer) => {
    const { client, connections } = await peer(pieces(answer));
    expect(await client.post(request)).toEqual({ status: 200, text: 'ok' });
    expect(await client.post(request)).toEqual({ status: 200, text: 'ok' });
    expect(connections).toHaveLength(1);
  });

  it.each([
    ['204', 204, 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['204 that names a length', 204, 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n'],
    [
      '304 with the length of what it is about',
      304,
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 200\r\n\r\n',
    ],
    [
      '304 with the coding of what it is about',
      304,
      'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('%s', async (_name, status, answer) => {
    const { client, connections } = await peer(pieces(answer));
    expect(await client.post(request)).toEqual({ status, text: '' });
    expect(await client.post(request)).toEqual({ status, text: '' });
    expect(connections).toHaveLength(1);
  });

  it.each([
    ['to the end of the connection', `${head}\r\nok`],
    ['to the end of a connection that it ends', `${head}Connection: CLOSE\r\n\r\nok`],
    ['to the end of a connection of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok'],
    [
      'with a length on a connection that it ends',
      `${head}Connection: x, close\r\nContent-Length: 2\r\n\r\nok`,
    ],
    ['in another coding to the end of the connection', `${head}Transfer-Encoding: x\r\n\r\nok`],
    ['behind 100 to the end of the connection', `${continues}${head}\r\nok`],
    [
      'behind 100 that ends the connection',
      `HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n${head}\r\nok`,
    ],
    ['behind 100 of HTTP/1.0', `HTTP/1.0 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nok`],
  ])('it %s', async (_name, answer) => {
    const { client, connections } = await peer(pieces(answer), true);
    expect(await client.post(request)).toEqual({ status: 200, text: 'ok' });
    expect(await client.post(request)).toEqual({ status: 200, text: 'ok' });
    expect(connections).toHaveLength(2);
  });

  // Either may be meant (RFC 9110, 8.6; RFC 9112, 6.3), so it is no answer.
  it.each([
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`],
    ['a length and chunks', `${chunked}Content-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['less than its length', `${head}Content-Length: 3\r\n\r\nok`],
    ['a chunk that is cut', `${chunked}\r\n3\r\nok`],
    ['chunks without an end', `${chunked}\r\n2\r\nok\r\n`],
    ['100 alone', continues],
  ])('%s as none', async (_name, answer) => {
    const { client } = await peer(pieces(answer), true);
    await expect(client.post(request)).rejects.toBeInstanceOf(NoAnswer);
  });
});

it('uses no connection again that the peer has ended without a word', async () => {
  const { client, connections, open } = await peer([final], true);
  for (let count = 1; count <= 3; count += 1) {
    expect(await client.post(request)).toEqual({ status: 200, text: 'ok' });
    await expect.poll(() => open.size).toBe(0);
    expect(connections).toHaveLength(count);
  }
});

it('asks for no coding of the answer: without a word of it a server may choose any', async () => {
  const { client, connections } = await peer([final]);
  await client.post(request);
  expect(connections[0]).toMatch(/^accept-encoding: identity\r$/im);
});
