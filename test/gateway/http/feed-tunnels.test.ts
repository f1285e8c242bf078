import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { FeedWorld, until } from '../../fanout/feed-world.ts';
import { frame } from '../../support/client-frames.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

const statusPath = '/v1/jackpot/status';
let feed: FeedWorld;
let gateway: TestGateway;

beforeEach(async () => {
  feed = new FeedWorld();
  feed.addInstance('pot-1');
  await feed.start({ unidentifiedLimit: 40 });
  gateway = await startTestGateway({ fanoutPort: feed.fanout.port, feedsPerAddress: 60 });
});
afterEach(async () => {
  await gateway.stop();
  await feed.stop();
});

async function openAt(
  port: number,
  path = statusPath,
): Promise<{ raw: WebSocket; code: () => number | null }> {
  const raw = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  let code: number | null = null;
  raw.on('close', (closed) => {
    code = closed;
  });
  await new Promise((resolve, reject) => raw.once('open', resolve).once('error', reject));
  return { raw, code: () => code };
}

const fragment = (size: number, fin: boolean) => [Buffer.alloc(size, 'x'), { fin, binary: false }] as const;

describe('a message that passes 4 KiB closes with 1009', () => {
  test.each([
    ['in fragments that never end', [1000, 1000, 1000, 1000, 97], false],
    ['in fragments of which the last makes it too large', [4000, 97], true],
    ['in one frame', [4097], true],
    ['in one frame of 64 KiB', [65_536], true],
    ['in one frame of a megabyte', [1_048_576], true],
    ['in very many fragments', Array(4097).fill(1), false],
  ])('%s', async (_name, sizes, ends) => {
    const { raw, code } = await openAt(gateway.port);
    for (const [index, size] of sizes.entries())
      raw.send(...fragment(size, ends && index === sizes.length - 1));
    await until(() => code() !== null);
    expect(code()).toBe(1009);
    expect(await feed.fanout.metrics()).toContain('potstream_fanout_closes_total{reason="too_big"} 1');
  });

  test('and one of just 4 KiB does not, in however many fragments and packets, with pings between them', async () => {
    const { raw, code } = await openAt(gateway.port);
    let pongs = 0;
    raw.on('pong', () => {
      pongs += 1;
    });
    const message = JSON.stringify({ AuthenticateRequest: { token: 'x' } }).padEnd(4096);
    for (let at = 0; at < 4096; at += 512) {
      const isLast = at + 512 === 4096;
      raw.send(message.slice(at, at + 512), { fin: isLast, binary: false });
      if (!isLast) raw.ping('between');
    }
    await until(() => code() !== null);
    expect([code(), pongs]).toEqual([4401, 7]);
  });

  test('also where its frames come byte by byte', async () => {
    const client = new RawClient(gateway.port);
    client.send(
      `GET ${statusPath} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await client.until(() => client.text.includes('\r\n\r\n'));
    const frame = Buffer.concat([Buffer.from([0x81, 0xfe, 0x10, 0x01, 1, 2, 3, 4]), Buffer.alloc(20)]);
    for (const byte of frame) {
      client.socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await client.until(() => client.ended);
    // A close frame of 1009, whichever text follows it.
    const frames = client.text.slice(client.text.indexOf('\r\n\r\n') + 4);
    expect([frames.charCodeAt(0), frames.charCodeAt(2) * 256 + frames.charCodeAt(3)]).toEqual([0x88, 1009]);
    client.socket.destroy();
  });
});

describe('a frame that RFC 6455 forbids closes with 1002, whatever the engine makes of it', () => {
  const begun = frame(0x01, '{');
  test.each([
    ['one that is not masked', [frame(0x81, 'x'.repeat(20), { mask: null })]],
    ['a close that is not masked', [frame(0x88, '', { mask: null })]],
    ['bytes within a text', [begun, frame(0x82, '}')]],
    ['a text within a text', [begun, frame(0x81, '}')]],
    ['the end of nothing', [frame(0x80, '}')]],
    ['a ping of 126 bytes', [frame(0x89, 'x'.repeat(126))]],
    ['a length in more bytes than it needs', [frame(0x81, '{}', { lengthBytes: 2 })]],
    ['a length in many more bytes than it needs', [frame(0x81, '{}', { lengthBytes: 8 })]],
  ])('%s', async (_name, frames) => {
    const client = new RawClient(gateway.port);
    client.send(
      `GET ${statusPath} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c, websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await client.until(() => client.text.includes('\r\n\r\n'));
    client.socket.write(Buffer.concat(frames));
    await client.until(() => client.ended);
    expect(client.text.slice(client.text.indexOf('\r\n\r\n') + 4)).toBe('\x88\x02\x03\xea');
    client.socket.destroy();
  });
});

describe('past the gateway', () => {
  test('the engine keeps 8 KiB of an unfinished message, and cuts what is larger', async () => {
    const { raw, code } = await openAt(feed.fanout.port);
    for (let sent = 0; sent < 9; sent += 1) raw.send(...fragment(1024, false));
    await until(() => code() !== null);
    expect(code()).toBe(1006);
  });

  test('so that a little too large is told with 1009 there, too', async () => {
    const { raw, code } = await openAt(feed.fanout.port);
    raw.send('x'.repeat(8000));
    await until(() => code() !== null);
    expect(code()).toBe(1009);
  });
});

test('the close for such a message waits where its address is far above its limits, and nothing more is read', async () => {
  const timers: { readonly delayMs: number; readonly task: () => void }[] = [];
  const after = (delayMs: number, task: () => void) => {
    timers.push({ delayMs, task });
    return () => {};
  };
  const options = { fanoutPort: feed.fanout.port, publicGetsPerSecond: 1, after };
  const limited = await startTestGateway(options);
  limited.stopClock();
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  const lookup = 'GET /v1/jackpot/instances/gold/ticker HTTP/1.1\r\nHost: a\r\n\r\n';
  const flood = new RawClient(limited.port);
  flood.send(lookup.repeat(httpLimits.promptRefusals + 1));
  await flood.answers(httpLimits.promptRefusals + 1);
  const { raw, code } = await openAt(limited.port);
  raw.send(...fragment(4097, true));
  const close = () => timers.find(({ delayMs }) => delayMs === httpLimits.refusalDelayMs);
  await until(() => close() !== undefined);
  expect(code()).toBeNull();
  close()!.task();
  await until(() => code() !== null);
  expect(code()).toBe(1009);
  random.mockRestore();
  flood.socket.destroy();
  await limited.stop();
});

describe('the first message of every feed', () => {
  test.each([
    ['is no JSON', 'nonsense', 4400],
    ['is empty', '', 4400],
    ['is no object', '[]', 4400],
    ['is of no known kind', '{"Hello":{}}', 4400],
    ['is two in one', '{"UnsubscribeRequest":{},"AuthenticateRequest":{"token":"x"}}', 4400],
    ['is binary', Buffer.from('{}'), 4400],
    ['has a token that is no text', '{"AuthenticateRequest":{"token":1}}', 4400],
    ['has an unknown field', '{"AuthenticateRequest":{"token":"x","more":1}}', 4400],
  ])('that %s closes with 4400', async (_name, message, expected) => {
    const token = await feed.token();
    for (const path of [statusPath, `/events/service?token=${token}`]) {
      const { raw, code } = await openAt(gateway.port, path);
      raw.send(message);
      await until(() => code() !== null);
      expect([path === statusPath, code()]).toEqual([path === statusPath, expected]);
    }
  });

  test('of O4 that is well formed with a token that does not hold closes with 4401', async () => {
    const { raw, code } = await openAt(gateway.port);
    raw.send('{"AuthenticateRequest":{"token":"nonsense"}}');
    await until(() => code() !== null);
    expect(code()).toBe(4401);
  });
});

describe('sockets whose client has not said who it is', () => {
  test('are so many and no more, and go after 5 s whatever they send', async () => {
    const opened = await Promise.all(Array.from({ length: 40 }, () => openAt(gateway.port)));
    for (const { raw } of opened) raw.send(...fragment(1000, false));
    await expect(openAt(gateway.port)).rejects.toThrow('503');
    // Who shows a token with the upgrade is not one of them.
    const service = await openAt(gateway.port, `/events/service?token=${await feed.token()}`);
    await feed.advance(5_500);
    await until(() => opened.every(({ code }) => code() !== null));
    expect(new Set(opened.map(({ code }) => code()))).toEqual(new Set([4408]));
    expect(service.code()).toBe(null);
    const again = await openAt(gateway.port);
    again.raw.terminate();
    service.raw.terminate();
  });

  test('of one address are so many at a gateway', async () => {
    const token = await feed.token();
    const path = `/events/service?token=${token}`;
    const opened = await Promise.all(Array.from({ length: 60 }, () => openAt(gateway.port, path)));
    await expect(openAt(gateway.port, path)).rejects.toThrow('429');
    opened[0]!.raw.terminate();
    await until(() => gateway.feedSockets() === 59);
    const again = await openAt(gateway.port, path);
    for (const { raw } of [again, ...opened]) raw.terminate();
  });
});

describe('a tunnel', () => {
  let fanout: Server;
  let upstream: Socket | null;
  let alone: TestGateway;

  beforeEach(async () => {
    upstream = null;
    fanout = createServer((socket) => {
      upstream = socket;
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => fanout.listen(0, '127.0.0.1', resolve));
    alone = await startTestGateway({ fanoutPort: (fanout.address() as { port: number }).port });
  });
  afterEach(async () => {
    upstream?.destroy();
    fanout.close();
    await alone.stop();
  });

  const ask = (more = '') =>
    `GET /events/service?token=x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;

  test('whose client does not read takes no more of the fan-out than it can pass on, and ends with it', async () => {
    const client = new RawClient(alone.port);
    client.socket.pause();
    client.send(ask());
    await until(() => upstream !== null);
    const chunk = Buffer.alloc(65_536, 'x');
    const most = 64 * 1024 * 1024;
    let written = 0;
    for (let idle = 0; idle < 20 && written < most; ) {
      if (upstream!.writableLength === 0) {
        upstream!.write(chunk);
        written += chunk.length;
        idle = 0;
      } else idle += 1;
      await new Promise((resolve) => setTimeout(resolve, idle === 0 ? 0 : 20));
    }
    // The rest has stayed with the fan-out, whose own limit it is then.
    expect(written).toBeLessThan(most);
    upstream!.destroy();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const next = new RawClient(alone.port);
    next.send(ask());
    await until(() => upstream !== null && !upstream.destroyed);
    next.socket.destroy();
    client.socket.destroy();
  });

  test('is not opened for HTTP/1.0, whose Upgrade means nothing', async () => {
    const client = new RawClient(alone.port);
    client.send(ask().replace('HTTP/1.1', 'HTTP/1.0'));
    expect(await client.ending()).toEqual(['upgrade_required']);
    expect(client.text).toContain('\r\nSec-WebSocket-Version: 13\r\n');
    expect(upstream).toBe(null);
  });

  test.each(['Content-Length: 5', 'Transfer-Encoding: chunked'])(
    'is not opened with a body (%s)',
    async (announced) => {
      const client = new RawClient(alone.port);
      client.send(ask(`${announced}\r\n`));
      expect(await client.ending()).toEqual(['malformed_http']);
      expect(upstream).toBe(null);
    },
  );
});
