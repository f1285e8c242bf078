import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { inspect } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { type AddressCheck, NoAnswer } from '../../src/outbound/checked-addresses.ts';
import { EndpointClient, type EndpointLimits } from '../../src/outbound/endpoint-client.ts';

const limits: EndpointLimits = {
  connections: 2,
  restMs: 0,
  exchangeTimeoutMs: 60_000,
  idleMs: 60_000,
  connectionLifeMs: 60_000,
  answerBytes: 1_000,
};
const request = {
  path: '/hook?a=1',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
};

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Server {
  readonly port: number;
  readonly seen: { readonly host: string; readonly at: string }[];
  connections: number;
}

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('ok'),
  host = '127.0.0.1',
): Promise<Server> {
  const server = createServer((incoming, response) => {
    served.seen.push({ host: incoming.headers.host ?? '', at: incoming.socket.localAddress ?? '' });
    answer(incoming, response);
  });
  const served: Server = { port: 0, seen: [], connections: 0 };
  server.on('connection', () => {
    served.connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return Object.assign(served, { port: (server.address() as AddressInfo).port });
}

/** A DNS whose answers are given one after the other, the last one for ever. */
function dns(...answers: (readonly string[])[]): AddressCheck & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    development: true,
    async resolve(name) {
      asked.push(name);
      return answers[Math.min(asked.length, answers.length) - 1]!;
    },
  };
}

function client(origin: string, check: AddressCheck, changes: Partial<EndpointLimits> = {}): EndpointClient {
  const made = new EndpointClient(origin, { ...limits, ...changes }, check);
  ends.push(() => made.close());
  return made;
}

it('connects to the address that was checked, and asks for the name', async () => {
  const server = await serve(undefined, '127.0.0.2');
  const check = dns(['127.0.0.2']);
  const answer = await client(`http://wallet.example.com:${server.port}`, check).post(request);
  expect(answer).toEqual({ status: 200, text: 'ok' });
  expect(server.seen).toEqual([{ host: `wallet.example.com:${server.port}`, at: '127.0.0.2' }]);
  expect(check.asked).toEqual(['wallet.example.com']);
});

it.each([
  ['a public name with a private address', ['10.0.0.1']],
  ['two addresses of which one is private', ['127.0.0.1', '10.0.0.1']],
  ['a private IPv6 address beside a good one', ['127.0.0.1', 'fd00::1']],
  ['a mapped address', ['::ffff:169.254.169.254']],
  ['an address of a translator', ['64:ff9b::a00:1']],
])('refuses %s, and connects to none', async (_, addresses) => {
  const server = await serve();
  const refused = client(`http://wallet.example.com:${server.port}`, dns(addresses)).post(request);
  await expect(refused).rejects.toMatchObject({ code: 'address_not_allowed', retryable: false });
  expect(server.connections).toBe(0);
});

it('takes an answer that is not UTF-8 for no text', async () => {
  const body = Buffer.from('{"id":"\u00e9"}', 'latin1');
  const server = await serve((_, response) => response.end(body));
  const answer = await client(`http://wallet.example.com:${server.port}`, dns(['127.0.0.1'])).post(request);
  expect(answer).toEqual({ status: 200, text: '' });
});

it('reaches loopback in development only', async () => {
  const server = await serve();
  const live = { ...dns(['127.0.0.1']), development: false };
  for (const host of ['wallet.example.com', 'localhost', '127.0.0.1', '[::1]']) {
    const refused = client(`http://${host}:${server.port}`, live).post(request);
    await expect(refused).rejects.toMatchObject({ code: 'address_not_allowed' });
  }
  expect(server.connections).toBe(0);
  const inDevelopment = { ...live, development: true };
  for (const host of ['wallet.example.com', 'localhost', '127.0.0.1'])
    expect(await client(`http://${host}:${server.port}`, inDevelopment).post(request)).toMatchObject({
      status: 200,
    });
});

it('judges each connection by the one answer that it goes to', async () => {
  const server = await serve();
  // Good when it is first asked, then an inner address: what a rebinding name does.
  const check = dns(['127.0.0.1'], ['10.0.0.1']);
  const rebound = client(`http://wallet.example.com:${server.port}`, check, { connections: 1, idleMs: 1 });
  expect(await rebound.post(request)).toMatchObject({ status: 200 });
  expect(check.asked).toHaveLength(1);
  await expect
    .poll(
      () =>
        rebound.post(request).then(
          ({ status }) => status,
          (error) => error.code,
        ),
      { timeout: 60_000 },
    )
    .toBe('address_not_allowed');
  expect(server.connections).toBe(1);
});

it('asks again about a name whose connection has had its time, though it is in use', async () => {
  const server = await serve();
  const check = dns(['127.0.0.1']);
  const used = client(`http://wallet.example.com:${server.port}`, check, {
    connections: 1,
    connectionLifeMs: 1,
  });
  await expect
    .poll(() => used.post(request).then(() => check.asked.length), { timeout: 60_000 })
    .toBeGreaterThan(2);
  expect(server.connections).toBe(check.asked.length);
});

it('uses a connection again while what was found of its address holds', async () => {
  const server = await serve();
  const check = dns(['127.0.0.1']);
  const used = client(`http://wallet.example.com:${server.port}`, check, { connections: 1 });
  for (let count = 0; count < 5; count += 1) await used.post(request);
  expect([check.asked.length, server.connections]).toEqual([1, 1]);
});

it('tries the other addresses of a name where one does not take the connection', async () => {
  const server = await serve(undefined, '127.0.0.2');
  const check = dns(['127.0.0.3', '127.0.0.2']);
  expect(await client(`http://wallet.example.com:${server.port}`, check).post(request)).toMatchObject({
    status: 200,
  });
});

it('says that a name does not resolve', async () => {
  const fails = { development: true, resolve: () => Promise.reject(new Error('ENOTFOUND')) };
  for (const check of [fails, dns([])]) {
    const lost = client('http://wallet.example.com:1', check).post(request);
    await expect(lost).rejects.toMatchObject({ code: 'name_not_resolved', retryable: true });
  }
});

it('shows TLS the name, not the address', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    SNICallback(name, done) {
      names.push(name);
      done(new Error('There is no certificate here.'));
    },
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => new Promise((done) => server.close(done)));
  const { port } = server.address() as AddressInfo;
  await expect(
    client(`https://wallet.example.com:${port}`, dns(['127.0.0.1'])).post(request),
  ).rejects.toThrow();
  expect(names).toEqual(['wallet.example.com']);
});

it('follows no redirect', async () => {
  const target = await serve();
  const server = await serve((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end();
  });
  const answer = await client(`http://127.0.0.1:${server.port}`, dns()).post(request);
  expect([answer.status, target.connections]).toEqual([307, 0]);
});

it.each([
  [
    'that goes on',
    (response: ServerResponse) => {
      response.write('x'.repeat(limits.answerBytes));
      response.write('x');
    },
  ],
  ['that ends', (response: ServerResponse) => void response.end('x'.repeat(limits.answerBytes + 1))],
  [
    'that ends with its connection',
    (response: ServerResponse) => {
      response.writeHead(200, { connection: 'close' }).end('x'.repeat(limits.answerBytes + 1));
    },
  ],
])('reads no more of an answer %s than it may have', async (_, answer) => {
  const ended: Promise<unknown>[] = [];
  const server = await serve((incoming, response) => {
    if (ended.push(once(incoming.socket, 'close')) === 1) answer(response);
    else response.end('ok');
  });
  const bounded = client(`http://127.0.0.1:${server.port}`, dns(), { connections: 1 });
  expect(await bounded.post(request)).toEqual({ status: 200, text: null });
  await ended[0];
  expect(await bounded.post(request)).toEqual({ status: 200, text: 'ok' });
});

it.each([
  ['an answer', (_: IncomingMessage, _response: ServerResponse) => {}],
  ['the end of an answer', (_: IncomingMessage, response: ServerResponse) => void response.write('x')],
])('does not wait for ever for %s, and ends its connection', async (_, answer) => {
  const ended: Promise<unknown>[] = [];
  const server = await serve((incoming, response) => {
    ended.push(once(incoming.socket, 'close'));
    answer(incoming, response);
  });
  const impatient = client(`http://127.0.0.1:${server.port}`, dns(), { exchangeTimeoutMs: 100 });
  // On a busy machine the time may be over before the server has the request.
  while (ended.length === 0)
    await expect(impatient.post(request)).rejects.toMatchObject({ code: 'no_answer' });
  await Promise.all(ended);
});

it.each([
  ['what is under way', 1],
  ['what waits for a connection', 2],
])('cuts %s when it closes', async (_, calls) => {
  const server = await serve(() => {});
  const closing = client(`http://127.0.0.1:${server.port}`, dns(), { connections: 1 });
  const cut = Array.from({ length: calls }, () => closing.post(request));
  const refused = cut.map((call) => expect(call).rejects.toMatchObject({ code: 'no_answer' }));
  await expect.poll(() => server.seen.length, { timeout: 60_000 }).toBe(1);
  await closing.close();
  await Promise.all(refused);
});

it('takes the answer behind an informational one', async () => {
  const server = await serve((_, response) => {
    response.writeProcessing();
    response.end('ok');
  });
  const answer = await client(`http://127.0.0.1:${server.port}`, dns()).post(request);
  expect(answer).toEqual({ status: 200, text: 'ok' });
});

it.each([
  ['of a length', { 'content-length': '9' }],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
  ['to the end of the connection', { connection: 'close' }],
])('reads an answer %s in pieces', async (_, headers) => {
  const server = await serve((_incoming, response) => {
    response.writeHead(200, headers);
    // The euro sign comes in two pieces.
    const [first, second] = [
      Buffer.from([0x61, 0xe2, 0x82]),
      Buffer.from([0xac, 0x62, 0x63, 0x64, 0x65, 0x66]),
    ];
    response.write(first, () => setImmediate(() => response.end(second)));
  });
  const answer = await client(`http://127.0.0.1:${server.port}`, dns()).post(request);
  expect(answer).toEqual({ status: 200, text: 'a€bcdef' });
});

it('does not send what waited for a connection until its time was over', async () => {
  const answers: ServerResponse[] = [];
  const paths: (string | undefined)[] = [];
  const server = await serve((incoming, response) => {
    paths.push(incoming.url);
    answers.push(response);
  });
  const busy = client(`http://127.0.0.1:${server.port}`, dns(), { connections: 1 });
  const first = busy.post({ ...request, path: '/first' });
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBe(1);
  const late = busy.post({ ...request, path: '/late', timeoutMs: 1 });
  const refused = expect(late).rejects.toMatchObject({ code: 'no_answer' });
  // Timers of one process end in order.
  setTimeout(() => answers[0]!.end('ok'), 20);
  expect(await first).toEqual({ status: 200, text: 'ok' });
  await refused;
  const next = busy.post({ ...request, path: '/next' });
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBe(2);
  answers[1]!.end('ok');
  await next;
  expect(paths).toEqual(['/first', '/next']);
});

it('does not wait for ever for a name', async () => {
  const silent = { development: true, resolve: () => new Promise<never>(() => {}) };
  const late = client('http://wallet.example.com:1', silent, { exchangeTimeoutMs: 100 }).post(request);
  await expect(late).rejects.toThrow();
});

it.each([
  ['no HTTP', '{"token":"secret"}'],
  ['no text', '\0\0\0\0'],
  ['a status that is no number', 'HTTP/1.1 OK fine\r\n\r\n'],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{"token":"secret"}'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{"token":"secret"}'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"token":"secret"}'],
  ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n{"token":"secret"}'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n{"token":"secret"}',
  ],
  ['more headers than anybody reads', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
])('takes %s for no answer, and keeps nothing of what came', async (_, bytes) => {
  const server = await serve((incoming) => incoming.socket.end(bytes));
  const client = new EndpointClient(`http://127.0.0.1:${server.port}`, limits, dns(['127.0.0.1']));
  ends.push(() => client.close());
  const error: unknown = await client.post(request).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoAnswer);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret');
});
