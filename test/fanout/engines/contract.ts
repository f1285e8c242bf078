import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket, { type ClientOptions } from 'ws';
import type {
  EngineSocket,
  HttpAnswer,
  SocketRoute,
  SocketServer,
  SocketServerOptions,
  UpgradeAnswer,
  UpgradeRequest,
} from '../../../src/fanout/engines/engine.ts';
import { sendStatus } from '../../../src/fanout/engines/engine.ts';
import type { HandshakeFault } from '../../../src/network/handshake.ts';
import { freePort } from '../../support/free-port.ts';
import { until } from '../feed-world.ts';

const host = '127.0.0.1';
const maxMessageBytes = 1_024;
const maxBackpressureBytes = 64 * 1_024;
/** The least that uWebSockets.js takes. */
const idleTimeoutSeconds = 8;

/** What the server side sees of a socket. */
export interface Seen {
  readonly name: string;
  socket: EngineSocket | null;
  readonly messages: { readonly text: string; readonly isBinary: boolean }[];
  dropped: number;
  drained: number;
  readonly closes: number[];
}

/** What the feeds rely on, of any websocket engine. */
export function describeEngine(open: () => SocketServer<Seen>, sharesPorts: boolean): void {
  let server: SocketServer<Seen>;
  let port = 0;
  const seen: Seen[] = [];
  const requests: UpgradeRequest[] = [];
  const clients: WebSocket[] = [];
  let decide: (request: UpgradeRequest) => Promise<UpgradeAnswer<Seen>> | null = () => null;

  async function start(): Promise<void> {
    seen.length = 0;
    requests.length = 0;
    decide = () => null;
    server = open();
    port = await server.listen(options(), host, 0);
  }

  afterEach(() => {
    for (const client of clients.splice(0)) client.terminate();
    server.close();
  });

  function options(): SocketServerOptions<Seen> {
    return {
      routes: [route('/feed/:one/:two'), route('/feed/service')],
      otherwise: (path, fault) => answer(statusOf(path, fault), `{"path":"${path}"}`),
      maxMessageBytes,
      maxBackpressureBytes,
      idleTimeoutSeconds,
    };
  }

  function route(path: string): SocketRoute<Seen> {
    return {
      path,
      async admit(request) {
        requests.push(request);
        const decided = decide(request);
        if (decided !== null) return decided;
        const data = { name: path, socket: null, messages: [], dropped: 0, drained: 0, closes: [] };
        return { kind: 'accepted', data };
      },
      opened(socket, data) {
        data.socket = socket;
        seen.push(data);
      },
      message: (data, bytes, isBinary) => void data.messages.push({ text: String(bytes), isBinary }),
      dropped(data) {
        data.dropped += 1;
      },
      drained(data) {
        data.drained += 1;
      },
      closed(data, code) {
        data.closes.push(code);
        data.socket = null;
      },
    };
  }

  async function client(path = '/feed/service', clientOptions: ClientOptions = {}): Promise<WebSocket> {
    const opened = new WebSocket(`ws://${host}:${port}${path}`, clientOptions);
    clients.push(opened);
    opened.on('error', () => {});
    await once(opened, 'open');
    await until(() => seen.length === clients.length);
    return opened;
  }

  /** The newest connection, as the server sees it. */
  const last = () => seen.at(-1) as Seen;
  const socketOf = (of: Seen) => of.socket as EngineSocket;

  describe('an upgrade', () => {
    it('is asked about with its parameters, query, origin, host, peer and proxies', async () => {
      await start();
      await client('/feed/demo/main%20x?token=a%2Fb&currency=EUR', {
        headers: { 'X-Forwarded-For': '203.0.113.9, 10.0.0.1' },
        origin: 'https://casino.example',
      });
      expect(requests).toEqual([
        {
          parameters: ['demo', 'main%20x'],
          query: 'token=a%2Fb&currency=EUR',
          origin: 'https://casino.example',
          host: `${host}:${port}`,
          peer: expect.stringMatching(/^127\./),
          forwarded: '203.0.113.9, 10.0.0.1',
        },
      ]);
      expect(last().name).toBe('/feed/:one/:two');
    });

    it('says nothing of what the client did not send', async () => {
      await start();
      await client('/feed/service');
      expect(requests[0]).toMatchObject({ parameters: [], query: '', origin: '', forwarded: '' });
    });

    it('hands on several lines of X-Forwarded-For in their order', async () => {
      await start();
      const raw = await rawUpgrade(port, ['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-For: 10.0.0.1']);
      await until(() => requests.length === 1);
      expect(requests[0]?.forwarded.replace(/\s/g, '')).toBe('203.0.113.9,10.0.0.1');
      raw.socket.destroy();
    });

    it.each([401, 403, 404, 422, 429, 500, 503])(
      'is refused with status %i, headers and body, on a connection that ends',
      async (status) => {
        await start();
        decide = async () => ({ kind: 'refused', answer: answer(status, '{"code":"why"}') });
        const refused = await rawUpgrade(port);
        await refused.ended;
        expect(refused.text()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} Because\\r\\n`));
        expect(refused.headers()).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'x-request-id': 'an id',
          'content-length': '14',
        });
        expect(refused.text().endsWith('\r\n\r\n{"code":"why"}')).toBe(true);
        expect(seen).toEqual([]);
      },
    );

    it('may take its time; a client that leaves meanwhile does not stay', async () => {
      await start();
      const decisions: ((answer: UpgradeAnswer<Seen>) => void)[] = [];
      decide = () => new Promise((resolve) => void decisions.push(resolve));
      const leaving = await rawUpgrade(port);
      await until(() => decisions.length === 1);
      leaving.socket.destroy();
      const staying = new WebSocket(`ws://${host}:${port}/feed/service`);
      clients.push(staying);
      await until(() => decisions.length === 2);
      for (const [index, decided] of decisions.entries()) {
        const data = { name: `${index}`, socket: null, messages: [], dropped: 0, drained: 0, closes: [] };
        decided({ kind: 'accepted', data });
      }
      await once(staying, 'open');
      await answersPing(staying);
      expect(seen.filter(({ socket }) => socket !== null).map(({ name }) => name)).toEqual(['1']);
    });

    it('opens sixty sockets, and all of them stay', async () => {
      await start();
      for (let count = 0; count < 60; count += 1) await client();
      for (const opened of clients) await answersPing(opened);
      expect(seen.flatMap(({ closes }) => closes)).toEqual([]);
    });
  });

  describe('other requests', () => {
    it.each([
      ['GET', '/feed/service', 426],
      ['POST', '/feed/service', 426],
      ['GET', '/feed', 404],
      ['GET', '/feed/demo/', 404],
      ['GET', '/nowhere?x=1', 404],
    ])('%s %s is answered %i', async (method, path, status) => {
      await start();
      const got = await ask(port, method, path);
      expect(got.status).toBe(status);
      expect(got.body).toBe(`{"path":"${path.split('?')[0]}"}`);
      expect(got.headers).toMatchObject({ 'x-request-id': 'an id' });
    });

    it('an upgrade of no route is answered like them', async () => {
      await start();
      expect((await ask(port, 'GET', '/nowhere', handshake)).status).toBe(404);
      expect(requests).toEqual([]);
    });
  });

  describe('messages', () => {
    it('arrive in order, whole, with their kind', async () => {
      await start();
      const opened = await client();
      opened.send('one');
      opened.send(Buffer.from('two'));
      opened.send('thr', { fin: false });
      opened.send('ee ä', { fin: true });
      await until(() => last().messages.length === 3);
      expect(last().messages).toEqual([
        { text: 'one', isBinary: false },
        { text: 'two', isBinary: true },
        { text: 'three ä', isBinary: false },
      ]);
    });

    it('of the greatest length arrive, and a longer one ends its connection only', async () => {
      await start();
      const other = await client();
      const opened = await client();
      opened.send('x'.repeat(maxMessageBytes));
      opened.send('x'.repeat(maxMessageBytes + 1));
      await until(() => last().closes.length === 1);
      expect(last().messages.map(({ text }) => text.length)).toEqual([maxMessageBytes]);
      expect(last().closes).toEqual([1006]);
      await answersPing(other);
    });

    it('in fragments count as a whole', async () => {
      await start();
      const opened = await client();
      for (let count = 0; count < 4; count += 1) opened.send('x'.repeat(maxMessageBytes / 2), { fin: false });
      await until(() => last().closes.length === 1);
      expect(last().messages).toEqual([]);
    });

    it('a ping is answered', async () => {
      await start();
      const opened = await client();
      await answersPing(opened);
    });
  });

  describe('topics', () => {
    it('a frame goes to all subscribers of its topic, once, as text', async () => {
      await start();
      const received = [await listening(), await listening(), await listening()];
      socketOf(seen[0]!).subscribe('a');
      socketOf(seen[0]!).subscribe('a');
      socketOf(seen[1]!).subscribe('a');
      socketOf(seen[1]!).subscribe('b');
      server.publish('a', Buffer.from('to a'));
      server.publish('b', Buffer.from('to b'));
      server.publish('c', Buffer.from('to nobody'));
      for (const { socket } of seen) (socket as EngineSocket).send(Buffer.from('end'), false);
      await until(() => received.every(({ texts }) => texts.at(-1) === 'end'));
      expect(received.map(({ texts }) => texts)).toEqual([['to a', 'end'], ['to a', 'to b', 'end'], ['end']]);
    });

    it('one that was left brings nothing more', async () => {
      await start();
      const { texts } = await listening();
      const socket = socketOf(last());
      expect([socket.subscribe('a'), socket.subscribe('b')]).toEqual([true, true]);
      expect(socket.getTopics().toSorted()).toEqual(['a', 'b']);
      expect([socket.unsubscribe('a'), socket.unsubscribe('a')]).toEqual([true, false]);
      expect(socket.getTopics()).toEqual(['b']);
      server.publish('a', Buffer.from('missed'));
      server.publish('b', Buffer.from('heard'));
      await until(() => texts.length > 0);
      expect(texts).toEqual(['heard']);
    });

    it('published and sent frames keep their order', async () => {
      await start();
      const { texts } = await listening();
      socketOf(last()).subscribe('a');
      const expected = Array.from({ length: 200 }, (_, number) => String(number));
      for (const text of expected) {
        if (Number(text) % 3 === 0) server.publish('a', Buffer.from(text));
        else socketOf(last()).send(Buffer.from(text), false);
      }
      await until(() => texts.length === expected.length);
      expect(texts).toEqual(expected);
    });

    it('corked frames arrive in order', async () => {
      await start();
      const { texts } = await listening();
      const socket = socketOf(last());
      socket.cork(() => {
        for (let number = 0; number < 50; number += 1) socket.send(Buffer.from(String(number)), false);
      });
      await until(() => texts.length === 50);
      expect(texts).toEqual(Array.from({ length: 50 }, (_, number) => String(number)));
    });
  });

  describe('a socket that does not read', () => {
    const frame = Buffer.alloc(16 * 1_024, 'x');

    async function fill(write: (socket: EngineSocket) => void): Promise<{ slow: WebSocket; of: Seen }> {
      const slow = await client();
      slow.pause();
      const of = last();
      await until(() => {
        for (let count = 0; count < 20; count += 1) write(socketOf(of));
        return of.dropped > 0;
      });
      return { slow, of };
    }

    it('has bytes waiting, up to the limit and one frame, and then drops what is sent', async () => {
      await start();
      const statuses = new Set<number>();
      const { of } = await fill((socket) => statuses.add(socket.send(frame, false)));
      const { sent, queued, dropped } = sendStatus;
      expect([...statuses]).toEqual([sent, queued, dropped]);
      const waiting = socketOf(of).getBufferedAmount();
      expect(waiting).toBeGreaterThan(maxBackpressureBytes);
      expect(waiting).toBeLessThan(maxBackpressureBytes + frame.length + 64);
    });

    it('misses what is published, and does not keep others from it', async () => {
      await start();
      const quick = await listening();
      const { of } = await fill((socket) => socket.send(frame, false));
      const before = of.dropped;
      for (const one of seen) socketOf(one).subscribe('a');
      server.publish('a', Buffer.from('news'));
      await until(() => quick.texts.includes('news'));
      expect(of.dropped).toBe(before + 1);
    });

    it('is reported as drained once it reads again, and then takes frames', async () => {
      await start();
      const { slow, of } = await fill((socket) => socket.send(frame, false));
      const texts: string[] = [];
      slow.on('message', (data) => void texts.push(String(data)));
      slow.resume();
      await until(() => of.drained > 0 && socketOf(of).getBufferedAmount() === 0);
      expect(socketOf(of).send(Buffer.from('again'), false)).toBe(sendStatus.sent);
      await until(() => texts.at(-1) === 'again');
    });

    it('is drained as often as it takes to send much in small parts', async () => {
      await start();
      const { texts } = await listening();
      const of = last();
      const part = Buffer.alloc(1_000, 'x');
      let left = 20_000;
      const pump = () =>
        socketOf(of).cork(() => {
          while (left > 0 && socketOf(of).getBufferedAmount() < 32 * 1_024) {
            left -= 1;
            socketOf(of).send(part, false);
          }
        });
      await until(() => {
        if (of.drained === 0) pump();
        return of.drained > 0 || left === 0;
      });
      let drained = -1;
      await until(() => {
        if (drained === of.drained) return left === 0 && texts.length === 20_000;
        drained = of.drained;
        pump();
        return false;
      });
      expect(of.dropped).toBe(0);
    });
  });

  describe('closing', () => {
    it.each([1000, 1001, 1009, 1013, 4400, 4401, 4429])(
      'with %i and a reason reaches the client',
      async (code) => {
        await start();
        const opened = await client();
        const closed = once(opened, 'close');
        const of = last();
        of.socket?.send(Buffer.from('last words'), false);
        const got = once(opened, 'message');
        of.socket?.end(code, 'because');
        expect(of.closes).toEqual([code]);
        expect(String((await got)[0])).toBe('last words');
        const [gotCode, reason] = await closed;
        expect([gotCode, String(reason)]).toEqual([code, 'because']);
        expect(of.closes).toEqual([code]);
      },
    );

    it('that the client begins is answered with its code and reported once', async () => {
      await start();
      const opened = await client();
      opened.close(1009, 'mine');
      const [code] = await once(opened, 'close');
      await until(() => last().closes.length > 0);
      expect([code, last().closes]).toEqual([1009, [1009]]);
    });

    it('leaves all topics, and what is published afterwards does no harm', async () => {
      await start();
      await client();
      socketOf(last()).subscribe('a');
      socketOf(last()).end(1000, '');
      server.publish('a', Buffer.from('late'));
      const { texts } = await listening();
      socketOf(last()).subscribe('a');
      server.publish('a', Buffer.from('news'));
      await until(() => texts.length > 0);
      expect(texts).toEqual(['news']);
    });

    it('cuts a connection without a close frame', async () => {
      await start();
      const opened = await client();
      const closed = once(opened, 'close');
      const of = last();
      of.socket?.close();
      expect(of.closes).toEqual([1006]);
      expect((await closed)[0]).toBe(1006);
    });

    it('a client that vanishes is reported as cut', async () => {
      await start();
      const opened = await client();
      opened.terminate();
      await until(() => last().closes.length > 0);
      expect(last().closes).toEqual([1006]);
    });

    it('a client that neither reads nor answers its close frame is let go', async () => {
      await start();
      const raw = await rawUpgrade(port);
      await until(() => seen.length === 1);
      raw.socket.pause();
      socketOf(last()).end(1001, 'shutdown');
      server.stopListening();
      raw.socket.resume();
      await raw.ended;
      expect(last().closes).toEqual([1001]);
    });
  });

  it('pings the silent, and cuts only those that do not answer', async () => {
    await start();
    const dead = await client('/feed/service', { autoPong: false });
    const alive = await client();
    let pings = 0;
    alive.on('ping', () => {
      pings += 1;
    });
    await once(dead, 'close');
    await until(() => pings > 0);
    await answersPing(alive);
    expect(seen.map(({ closes }) => closes)).toEqual([[1006], []]);
  });

  describe('its port', () => {
    it('is a free one for 0, and one that is taken is refused', async () => {
      await start();
      const second = open();
      const other = await second.listen(options(), host, 0);
      expect(other).not.toBe(port);
      second.close();
      const third = open();
      await expect(third.listen(options(), host, port)).rejects.toThrow(
        `The fan-out cannot listen on port ${port} of ${host}: it is taken.`,
      );
      third.close();
    });

    it('takes no new connection once it has stopped listening; open ones stay', async () => {
      await start();
      const opened = await client();
      server.stopListening();
      await expect(ask(port, 'GET', '/feed/service')).rejects.toThrow();
      await answersPing(opened);
    });

    it('close cuts everything: sockets, and upgrades under way', async () => {
      await start();
      const opened = await client();
      const closed = once(opened, 'close');
      decide = () => new Promise(() => {});
      const waiting = await rawUpgrade(port);
      await until(() => requests.length === 2);
      server.close();
      expect((await closed)[0]).toBe(1006);
      await waiting.ended;
      expect(seen[0]?.closes).toEqual([1006]);
    });

    const isShared = async (): Promise<void> => {
      await start();
      const named = await freePort();
      const servers = await Promise.all(
        ['one', 'two'].map(async (name) => {
          const opened = open();
          await opened.listen({ ...options(), otherwise: () => answer(404, name) }, host, named);
          return opened;
        }),
      );
      const answered = new Set<string>();
      for (let tries = 0; tries < 1_000 && answered.size < 2; tries += 1)
        answered.add((await ask(named, 'GET', '/who')).body);
      for (const one of servers) one.close();
      expect([...answered].toSorted()).toEqual(['one', 'two']);
    };
    const isRefused = async (): Promise<void> => {
      await start();
      const named = await freePort();
      const [first, second] = [open(), open()];
      await first.listen(options(), host, named);
      await expect(second.listen(options(), host, named)).rejects.toThrow('with Node 22.12 or newer');
      for (const one of [first, second]) one.close();
    };
    // Each engine does one of the two, so nothing is counted as skipped.
    if (sharesPorts) it('is shared by several servers', isShared);
    else it('is refused to a second server, with the reason', isRefused);
  });

  async function listening(): Promise<{ readonly texts: string[] }> {
    const texts: string[] = [];
    const opened = await client();
    opened.on('message', (data, isBinary) => void texts.push(isBinary ? 'binary' : String(data)));
    return { texts };
  }
}

const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

function statusOf(path: string, fault: HandshakeFault): number {
  if (path !== '/feed/service') return 404;
  return fault === 'malformed_http' ? 400 : 426;
}

function answer(status: number, body: string): HttpAnswer {
  const headers = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Request-Id', 'an id'],
  ] as const;
  return { status, reason: 'Because', headers, body };
}

/** A handshake byte by byte. */
async function rawUpgrade(port: number, more: readonly string[] = []) {
  const socket: Socket = connect(port, host);
  await once(socket, 'connect');
  const named = Object.entries(handshake).map(([name, value]) => `${name}: ${value}`);
  const head = [`GET /feed/service HTTP/1.1`, `Host: ${host}`, ...named, ...more, '', ''].join('\r\n');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => void chunks.push(chunk));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.write(head);
  const text = () => Buffer.concat(chunks).toString('latin1');
  const headers = () =>
    Object.fromEntries(
      (text().split('\r\n\r\n')[0] ?? '')
        .split('\r\n')
        .slice(1)
        .map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(': ') + 2)]),
    );
  return { socket, ended, text, headers };
}

async function answersPing(socket: WebSocket): Promise<void> {
  const answered = once(socket, 'pong');
  socket.ping();
  await answered;
}

function ask(port: number, method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const outgoing = httpRequest({ host, port, method, path, headers, agent: false });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      });
      outgoing.end();
    },
  );
}
