import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import type { LogSettings } from '../../../src/log/roles/settings.ts';
import type { Follower, Log } from '../../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const patienceMs = 60_000;

let server: TestNatsServer;
let settings: LogSettings;
let log: Log;

beforeAll(async () => {
  server = await startNatsServer();
  settings = {
    servers: [server.url],
    user: server.user,
    password: server.password,
    replicas: 1,
    maxStreamBytes: 8 * 1024 * 1024,
  };
  log = await connectLog(settings);
  await log.prepare(2);
});

afterAll(async () => {
  await log.close();
  await server.stop();
});

describe('what is there already', () => {
  it('a second process finds streams, tables and archives as they are', async () => {
    const archive = await log.archive('SNAPSHOTS');
    await archive.put('name', Uint8Array.of(1, 2, 3));
    const table = await log.table('NONCES');
    await table.put('key', Uint8Array.of(4), 0);
    const second = await connectLog(settings);
    await second.prepare(2);
    expect(await (await second.archive('SNAPSHOTS')).get('name')).toEqual(Uint8Array.of(1, 2, 3));
    expect((await (await second.table('NONCES')).get('key'))?.value).toEqual(Uint8Array.of(4));
    await second.close();
  });

  it('a stream that lets messages be deleted is not used', async () => {
    await withStream('CMD_2', ['cmd.2.b', 'cmd.2.own', 'cmd.2.ctl'], async () => {
      await expect(log.prepare(3)).rejects.toMatchObject({
        code: 'misconfigured',
        message: expect.stringContaining('deny_delete'),
      });
    });
  });

  it('a lane of an earlier version is given the subject of quarantines, and keeps what it has', async () => {
    await log.prepare(3);
    await log.append(2, 'batch', Uint8Array.of(1), { messageId: 'earlier' });
    const connection = await connect({ servers: server.url, user: server.user, pass: server.password });
    const { streams } = await jetstreamManager(connection);
    await streams.update('CMD_2', { subjects: ['cmd.2.b', 'cmd.2.own', 'cmd.2.ctl'] });
    const quarantine = () => log.append(2, 'quarantine', Uint8Array.of(2), { messageId: 'q' });
    await expect(quarantine()).rejects.toBeInstanceOf(Error);
    await log.prepare(3);
    expect(await quarantine()).toMatchObject({ kind: 'stored', sequence: 2 });
    expect([...((await log.readCommand(2, 1))?.bytes ?? [])]).toEqual([1]);
    for (const name of ['CMD_2', 'OUT_2']) await streams.delete(name);
    await connection.close();
  });

  it('wrong credentials are told at once', async () => {
    const attempt = connectLog({ ...settings, password: 'wrong' });
    await expect(attempt).rejects.toMatchObject({ code: 'misconfigured', retryable: false });
  });

  it('a lane without streams is no lane', async () => {
    await expect(log.lastCommand(7)).rejects.toMatchObject({ code: 'misconfigured' });
  });
});

describe('holes', () => {
  it('a message that is gone stops the follower of the tail', async () => {
    await withStream('CMD_3', ['cmd.3.*'], async (remove) => {
      await appendMany(3, 10);
      await remove(5);
      const { sequences, failure } = await followUntilFailure(3, 1);
      expect(failure).toMatchObject({ code: 'hole' });
      expect(sequences).toEqual([1, 2, 3, 4]);
    });
  });

  it('a message that is gone stops a long catch-up', async () => {
    await withStream('CMD_4', ['cmd.4.*'], async (remove) => {
      await appendMany(4, 6_000);
      await remove(700);
      const { sequences, failure } = await followUntilFailure(4, 1);
      expect(failure).toMatchObject({ code: 'hole' });
      expect(sequences).toEqual(Array.from({ length: 699 }, (_, index) => index + 1));
    });
  });

  it('a beginning that is gone stops the follower', async () => {
    await withStream('CMD_5', ['cmd.5.*'], async (remove) => {
      await appendMany(5, 3);
      await remove(1);
      const { sequences, failure } = await followUntilFailure(5, 1);
      expect(failure).toMatchObject({ code: 'hole' });
      expect(sequences).toEqual([]);
    });
  });

  it('an end that is gone stops who read it', async () => {
    const sequences: number[] = [];
    let follower: Follower | undefined;
    await withStream('CMD_6', ['cmd.6.*'], async () => {
      await appendMany(6, 10);
      follower = log.follow(6, 1, { message: (stored) => void sequences.push(stored.sequence) });
      await until(() => sequences.length === 10);
    });
    await withStream('CMD_6', ['cmd.6.*'], async () => {
      await appendMany(6, 3);
      await expect(follower!.done).rejects.toMatchObject({ code: 'hole' });
    });
    expect(sequences).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });
});

describe('limits', () => {
  it('a message over 256 KiB is refused for good', async () => {
    const append = log.append(0, 'batch', new Uint8Array(300 * 1024), { messageId: 'large' });
    await expect(append).rejects.toMatchObject({ code: 'misconfigured', retryable: false });
  });

  it('a full lane takes nothing more and loses nothing', async () => {
    const large = new Uint8Array(200 * 1024);
    let stored = 0;
    const fill = async (): Promise<void> => {
      for (;;) {
        await log.append(1, 'batch', large, { messageId: `fill ${stored}`, timeoutMs: patienceMs });
        stored += 1;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'full', retryable: false });
    expect(await log.lastCommand(1)).toBe(stored);
    expect(await log.readCommand(1, 1)).not.toBeNull();
  });
});

describe('a paused server', () => {
  it('is waited for: the follower goes on, the messages are there once', async () => {
    const sequences: number[] = [];
    const follower = log.follow(0, 1, { message: (stored) => void sequences.push(stored.sequence) });
    await log.append(0, 'batch', Uint8Array.of(1), { messageId: 'before the pause' });
    await server.pause();
    const during = log
      .append(0, 'batch', Uint8Array.of(2), { messageId: 'during the pause', timeoutMs: 500 })
      .catch((error: unknown) => error);
    expect(await during).toMatchObject({ code: 'unknown' });
    await delay(3_000);
    server.resume();
    const result = await eventually(() =>
      log.append(0, 'batch', Uint8Array.of(2), { messageId: 'during the pause' }),
    );
    expect(result).toMatchObject({ kind: 'stored' });
    const last = await eventually(() => log.lastCommand(0));
    await until(() => sequences.length >= last);
    await follower.stop();
    expect(sequences).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(last).toBe(2);
  });
});

/** A stream as somebody else might have made it. */
async function withStream(
  name: string,
  subjects: string[],
  use: (remove: (sequence: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const connection = await connect({ servers: server.url, user: server.user, pass: server.password });
  const manager = await jetstreamManager(connection);
  const configuration: Partial<StreamConfig> & { name: string } = { name, subjects, allow_direct: true };
  await manager.streams.add(configuration);
  try {
    await use(async (sequence) => {
      await manager.streams.deleteMessage(name, sequence);
    });
  } finally {
    await manager.streams.delete(name);
    await connection.close();
  }
}

async function appendMany(lane: number, count: number): Promise<void> {
  // The server syncs each: more at once would wait longer for a slow disk than an append may.
  const atOnce = 50;
  for (let from = 0; from < count; from += atOnce) {
    const some = Math.min(atOnce, count - from);
    await Promise.all(
      Array.from({ length: some }, (_, index) =>
        log.append(lane, 'batch', Uint8Array.of(1), {
          messageId: `${from + index}`,
          timeoutMs: patienceMs,
        }),
      ),
    );
  }
}

async function followUntilFailure(lane: number, from: number) {
  const sequences: number[] = [];
  const follower: Follower = log.follow(lane, from, {
    message: (stored) => void sequences.push(stored.sequence),
  });
  const failure = await follower.done.then(
    () => null,
    (error: unknown) => error,
  );
  return { sequences, failure };
}

async function until(done: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!done()) {
    if (performance.now() > deadlineMs) throw new Error('it did not happen');
    await delay(10);
  }
}

async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await delay(100);
    }
  }
}
