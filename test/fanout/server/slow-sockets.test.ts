import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FeedWorld, until, won } from '../feed-world.ts';

let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addInstance('pot-1');
  await feed.start();
});
afterEach(() => feed.stop());

/** Metadata makes events large, so that the kernel's buffers fill up soon. */
const large = { eventMetadata: JSON.stringify({ text: 'x'.repeat(8_000) }) };

/** Stores wins until one waits for a socket that reads nothing; gives how many. */
async function storeUntilOneWaits(then: (wins: number) => void = () => {}): Promise<number> {
  let wins = 0;
  await until(() => {
    for (let burst = 0; burst < 10; burst += 1) feed.store([won('pot-1', ++wins, large)]);
    then(wins);
    return [...feed.fanout.connections].some(({ catchUp }) => catchUp !== null);
  });
  return wins;
}

describe('a socket that reads slowly', () => {
  it('gets every counted event in order, and the newest update, once it reads again', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    socket.raw.pause();
    const counter = await storeUntilOneWaits((wins) => feed.tick('pot-1', 1 + wins, BigInt(wins)));
    feed.tick('pot-1', 1_000_000, 77_00000000n);
    await feed.advance(1_500);
    socket.raw.resume();
    await until(() => socket.of('WinEvent').length === counter);
    expect(socket.of('WinEvent').map((frame) => frame.seq)).toEqual(
      Array.from({ length: counter }, (_, index) => index + 1),
    );
    await until(() => socket.of('JackpotUpdate').at(-1)?.seq === 1_000_000);
    expect([...feed.fanout.connections][0]?.catchUp).toBe(null);
  });

  it('loses no counted event by a renewal that brings other brands', async () => {
    const socket = await feed.connect(await feed.token('demo', ['demo:main']));
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    socket.raw.pause();
    const counter = await storeUntilOneWaits();
    await feed.renew(socket, await feed.token('demo', ['demo:main', 'demo:second']));
    socket.raw.resume();
    await until(() => socket.of('WinEvent').at(-1)?.seq === counter);
    expect(socket.of('WinEvent').map((frame) => frame.seq)).toEqual(
      Array.from({ length: counter }, (_, index) => index + 1),
    );
  });

  it('is closed and counted when more than 256 KiB of counted events wait', async () => {
    const slow = await feed.connect();
    const quick = await feed.connect();
    for (const socket of [slow, quick]) socket.subscribe();
    await until(() => slow.frames.length > 0 && quick.frames.length > 0);
    slow.raw.pause();
    let counter = 0;
    await until(() => {
      for (let burst = 0; burst < 20; burst += 1) feed.store([won('pot-1', ++counter, large)]);
      return [...feed.fanout.connections].some(({ closing }) => closing !== null);
    });
    expect(await feed.fanout.metrics()).toContain('potstream_fanout_closes_total{reason="overloaded"} 1');
    slow.raw.resume();
    await until(() => slow.closeCode !== null);
    expect(slow.closeCode).toBe(1013);
    await until(() => quick.of('WinEvent').length === counter);
  });

  it('gets a large snapshot in full', async () => {
    for (let number = 0; number < 600; number += 1) feed.addInstance(`many-${number}`);
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => new Set(socket.frames.map((frame) => frame.instance_id)).size >= 500);
    expect(socket.frames.slice(0, 500).every((frame) => frame.event_type === 'JackpotUpdate')).toBe(true);
  });
});

describe('what is not a websocket', () => {
  it('an upgrade that is abandoned while its token is verified does no harm', async () => {
    const token = await feed.token();
    const sockets: Socket[] = [];
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(feed.fanout.port, '127.0.0.1', () => {
        socket.write(
          `GET /events/service?token=${token}x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
          () => socket.destroy(),
        );
      });
      sockets.push(socket);
    }
    await until(() => sockets.every((socket) => socket.destroyed));
    const alive = await feed.connect();
    alive.subscribe();
    await until(() => alive.frames.length > 0);
  });
});
