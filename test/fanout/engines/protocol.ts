import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { SocketServer } from '../../../src/fanout/engines/engine.ts';
import { frame } from '../../support/client-frames.ts';
import { until } from '../feed-world.ts';

const host = '127.0.0.1';
const maxMessageBytes = 1_024;
const path = '/feed';

const sound: readonly (readonly [name: string, value: string])[] = [
  ['Host', 'jackpots.example'],
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];
/** Of that key (RFC 6455, 1.3). */
const accept = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

/** A request with other values of some headers, in lines of their own; none leaves the header out. */
function request(changed: Readonly<Record<string, readonly string[]>> = {}, line = `GET ${path} HTTP/1.1`) {
  const kept = sound.filter(([name]) => !(name in changed)).map(([name, value]) => `${name}: ${value}`);
  const others = Object.entries(changed).flatMap(([name, values]) =>
    values.map((value) => `${name}: ${value}`),
  );
  return [line, ...kept, ...others, '', ''].join('\r\n');
}

/** What RFC 6455 demands of a server, byte by byte, whatever the engine. */
export function describeProtocol(open: () => SocketServer<string[]>): void {
  let server: SocketServer<string[]>;
  let port = 0;
  const sockets: Socket[] = [];
  const messages: string[] = [];
  let opened = 0;
  let closed = 0;

  async function start(): Promise<void> {
    messages.length = 0;
    opened = 0;
    closed = 0;
    server = open();
    port = await server.listen(
      {
        routes: [
          {
            path,
            admit: async () => ({ kind: 'accepted', data: messages }),
            opened() {
              opened += 1;
            },
            message: (data, bytes, isBinary) => void data.push(isBinary ? `binary ${bytes}` : String(bytes)),
            dropped() {},
            drained() {},
            closed() {
              closed += 1;
            },
          },
        ],
        otherwise: (_, fault) => ({
          status: fault === 'malformed_http' ? 400 : 426,
          reason: 'Refused',
          headers: [],
          body: '',
        }),
        maxMessageBytes,
        maxBackpressureBytes: 65_536,
        idleTimeoutSeconds: 8,
      },
      host,
      0,
    );
  }

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  /** Sends bytes and keeps what comes. */
  async function say(bytes: string | Buffer) {
    const socket = connect(port, host);
    sockets.push(socket);
    socket.on('error', () => {});
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => void chunks.push(chunk));
    const ended = once(socket, 'close');
    await once(socket, 'connect');
    socket.write(bytes);
    const received = () => Buffer.concat(chunks);
    await until(() => received().includes('\r\n\r\n'));
    const headBytes = received().indexOf('\r\n\r\n') + 4;
    return {
      socket,
      ended,
      head: received().subarray(0, headBytes).toString('latin1'),
      /** Behind the head. */
      frames: () => received().subarray(headBytes),
    };
  }

  async function upgraded() {
    const said = await say(request());
    await until(() => opened === 1);
    return said;
  }

  describe('a handshake', () => {
    it.each([
      ['with the least', {}],
      ['whose Upgrade is in capitals', { Upgrade: ['WebSocket'] }],
      ['that would take another protocol too', { Upgrade: ['h2c, websocket'] }],
      ['that would take another protocol too, in a line of its own', { Upgrade: ['h2c', 'websocket'] }],
      ['whose Connection has other options', { Connection: ['keep-alive, UPGRADE'] }],
      ['whose Connection has several lines', { Connection: ['keep-alive', 'Upgrade'] }],
      ['with an empty body', { 'Content-Length': ['0'] }],
      ['that offers extensions', { 'Sec-WebSocket-Extensions': ['x; a="b"; c=d, permessage-deflate'] }],
      ['that offers subprotocols', { 'Sec-WebSocket-Protocol': ['chat', 'superchat, mega'] }],
      ['of a page', { Origin: ['https://casino.example'] }],
    ])('%s is answered 101, and nothing that it offers is chosen', async (_, changed) => {
      await start();
      const { head } = await say(request(changed));
      expect(head).toMatch(/^HTTP\/1\.1 101 /);
      expect(head).toMatch(/\r\nUpgrade: websocket\r\n/i);
      expect(head).toMatch(/\r\nConnection: Upgrade\r\n/i);
      expect(head).toContain(`Sec-WebSocket-Accept: ${accept}\r\n`);
      expect(head).not.toMatch(/Sec-WebSocket-(Protocol|Extensions)/i);
    });

    it.each([
      ['without Upgrade', { Upgrade: [] }],
      ['that asks for another protocol', { Upgrade: ['h2c'] }],
      ['that asks for a websocket of another kind', { Upgrade: ['websocket/14'] }],
      ['without Connection', { Connection: [] }],
      ['whose Connection says nothing of it', { Connection: ['keep-alive'] }],
      ['whose Connection only contains the word', { Connection: ['no-upgrade'] }],
      ['without a version', { 'Sec-WebSocket-Version': [] }],
      ['of version 8', { 'Sec-WebSocket-Version': ['8'] }],
      ['of version 12', { 'Sec-WebSocket-Version': ['12'] }],
      ['of version 013', { 'Sec-WebSocket-Version': ['013'] }],
      ['of several versions', { 'Sec-WebSocket-Version': ['13, 8'] }],
    ])('%s is answered 426', async (_, changed) => {
      await start();
      const { head, ended } = await say(request(changed));
      await ended;
      expect(head).toMatch(/^HTTP\/1\.1 426 /);
      expect(opened).toBe(0);
    });

    it.each([
      ['without Host', { Host: [] }],
      ['with an empty Host', { Host: [''] }],
      ['with two Hosts', { Host: ['jackpots.example', 'evil.example'] }],
      ['with two Origins', { Origin: ['https://casino.example', 'https://evil.example'] }],
      ['without a key', { 'Sec-WebSocket-Key': [] }],
      ['whose key is short', { 'Sec-WebSocket-Key': ['dGhlIHNhbXBsZSBub25j'] }],
      ['whose key has 17 bytes', { 'Sec-WebSocket-Key': ['dGhlIHNhbXBsZSBub25jZWE='] }],
      ['whose key is no base64', { 'Sec-WebSocket-Key': ['dGhlIHNhbXBsZSBub25jZ!=='] }],
      ['with two keys', { 'Sec-WebSocket-Key': ['dGhlIHNhbXBsZSBub25jZQ==', 'dGhlIHNhbXBsZSBub25jZQ=='] }],
      ['that says its version twice', { 'Sec-WebSocket-Version': ['13', '13'] }],
      ['with a subprotocol that is no token', { 'Sec-WebSocket-Protocol': ['a b'] }],
      ['with a subprotocol twice', { 'Sec-WebSocket-Protocol': ['a, b, a'] }],
      ['with an extension that is no token', { 'Sec-WebSocket-Extensions': ['a b'] }],
      ['with an extension that ends early', { 'Sec-WebSocket-Extensions': ['a; b='] }],
      ['with a body', { 'Content-Length': ['5'] }],
      ['with a body in chunks', { 'Transfer-Encoding': ['chunked'] }],
    ])('%s is answered 400', async (_, changed) => {
      await start();
      const { head, ended } = await say(request(changed));
      await ended;
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(opened).toBe(0);
    });

    it.each([
      [`POST ${path} HTTP/1.1`, /426/],
      [`HEAD ${path} HTTP/1.1`, /426/],
      // uWebSockets.js answers by itself.
      [`GET ${path} HTTP/1.0`, /426|505/],
      [`GET ${path} HTTP/2.0`, /426|505/],
    ])('"%s" opens none', async (line, status) => {
      await start();
      const { head, ended } = await say(request({}, line));
      await ended;
      expect(head.split(' ')[1]).toMatch(status);
      expect(opened).toBe(0);
    });
  });

  describe('a frame', () => {
    it.each([
      ['in fragments', [frame(0x01, 'a'), frame(0x00, 'b'), frame(0x80, 'c')], 'abc'],
      ['in empty fragments', [frame(0x01, ''), frame(0x00, ''), frame(0x80, '')], ''],
      ['with a character in two fragments', [frame(0x01, [0xe2]), frame(0x80, [0x82, 0xac])], '€'],
      ['of bytes', [frame(0x82, 'a')], 'binary a'],
      ['of the greatest length', [frame(0x81, 'x'.repeat(maxMessageBytes))], 'x'.repeat(maxMessageBytes)],
      ['behind a pong that nobody asked for', [frame(0x8a, 'why'), frame(0x81, 'a')], 'a'],
      ['masked', [frame(0x81, 'masked', { mask: [1, 2, 3, 4] })], 'masked'],
    ])('%s is delivered', async (_, frames, message) => {
      await start();
      const { socket } = await upgraded();
      socket.write(Buffer.concat([...frames, frame(0x81, 'end')]));
      await until(() => messages.length === 2);
      expect(messages).toEqual([message, 'end']);
    });

    it.each([
      ['with the first reserved bit', [frame(0xc1, 'a')]],
      ['with the second reserved bit', [frame(0xa1, 'a')]],
      ['with the third reserved bit', [frame(0x91, 'a')]],
      ['of control with a reserved bit', [frame(0xc9, '')]],
      ['of a reserved kind', [frame(0x83, 'a')]],
      ['of a reserved kind, in fragments', [frame(0x03, 'a')]],
      ['of a reserved kind of control', [frame(0x8b, '')]],
      ['that goes on with nothing', [frame(0x80, 'a')]],
      ['that goes on with nothing, in fragments', [frame(0x00, 'a')]],
      ['of text within a message', [frame(0x01, 'a'), frame(0x81, 'b')]],
      ['that goes on with a reserved bit', [frame(0x01, 'a'), frame(0xc0, 'b')]],
      ['of a ping of 126 bytes', [frame(0x89, 'x'.repeat(126))]],
      ['of a ping in fragments', [frame(0x09, 'a')]],
      ['of a pong in fragments', [frame(0x0a, '')]],
      ['of a close in fragments', [frame(0x08, '')]],
      ['that is no UTF-8', [frame(0x81, [0xff, 0xfe])]],
      ['with half of a surrogate pair', [frame(0x81, [0xed, 0xa0, 0x80])]],
      ['with a character that is longer than it needs to be', [frame(0x81, [0xc0, 0x80])]],
      ['that ends within a character', [frame(0x81, [0xe2, 0x82])]],
      ['whose fragments are no UTF-8 together', [frame(0x01, [0xe2]), frame(0x80, [0x28])]],
      ['that is too long', [frame(0x81, 'x'.repeat(maxMessageBytes + 1))]],
      ['with a length of 64 bits', [Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])]],
    ])('%s ends the connection, and nothing is delivered', async (_, frames) => {
      await start();
      const { socket, ended } = await upgraded();
      socket.write(Buffer.concat([...frames, frame(0x81, 'late')]));
      await ended;
      await until(() => closed === 1);
      expect(messages).toEqual([]);
    });
  });

  describe('a ping', () => {
    it.each(['', 'a', 'x'.repeat(125)])('of "%s" is answered with the same bytes, unmasked', async (text) => {
      await start();
      const { socket, frames } = await upgraded();
      socket.write(frame(0x89, text));
      await until(() => frames().length === text.length + 2);
      expect(frames()).toEqual(Buffer.concat([Buffer.from([0x8a, text.length]), Buffer.from(text)]));
    });

    it('within a message is answered before its end', async () => {
      await start();
      const { socket, frames } = await upgraded();
      socket.write(Buffer.concat([frame(0x01, 'a'), frame(0x89, 'p')]));
      await until(() => frames().length === 3);
      socket.write(frame(0x80, 'b'));
      await until(() => messages.length === 1);
      expect([frames().toString('latin1'), messages]).toEqual(['\x8a\x01p', ['ab']]);
    });
  });

  describe('a close', () => {
    it.each([
      ['without a code', '', ''],
      ['with a code', [0x03, 0xe8], '03e8'],
      ['with a code and a reason', [0x03, 0xe8, 0x62, 0x79, 0x65], '03e8'],
      ['of an application', [0x11, 0x30], '1130'],
    ])('%s is answered with its code, and ends the connection', async (_, body, code) => {
      await start();
      const { socket, ended, frames } = await upgraded();
      socket.write(Buffer.concat([frame(0x88, body), frame(0x81, 'late')]));
      await ended;
      expect(frames()[0]).toBe(0x88);
      expect(frames().subarray(2, 4).toString('hex')).toBe(code);
      await until(() => closed === 1);
      expect(messages).toEqual([]);
    });

    const forbidden = [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000];
    const bodies: [name: string, body: number[]][] = [
      ['of one byte', [0x03]],
      ['whose reason is no UTF-8', [0x03, 0xe8, 0xff]],
      ...forbidden.map((code): [string, number[]] => [`with ${code}`, [code >> 8, code & 0xff]]),
    ];
    it.each(bodies)('%s is not repeated, and ends the connection', async (_, body) => {
      await start();
      const { socket, ended, frames } = await upgraded();
      socket.write(frame(0x88, body));
      await ended;
      await until(() => closed === 1);
      expect(frames().subarray(2)).not.toEqual(Buffer.from(body));
    });
  });
}
