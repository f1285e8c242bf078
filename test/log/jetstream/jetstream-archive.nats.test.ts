import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveStream } from '../../../src/log/base/names.ts';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import type { Log } from '../../../src/ports.ts';
import { startNatsServer } from '../../support/nats-server.ts';

describe('an archive on JetStream', () => {
  let server: Awaited<ReturnType<typeof startNatsServer>>;
  let log: Log;
  let nats: NatsConnection;

  beforeAll(async () => {
    server = await startNatsServer();
    const { user, password } = server;
    log = await connectLog({
      servers: [server.url],
      user,
      password,
      replicas: 1,
      maxStreamBytes: 64 * 1024 * 1024,
    });
    nats = await connect({ servers: server.url, user, pass: password });
  });

  afterAll(async () => {
    await nats?.close();
    await log?.close();
    await server?.stop();
  });

  it('leaves nothing behind at the server when objects are read and listed', async () => {
    const archive = await log.archive('EPOCHS');
    await archive.put('one', new Uint8Array(300_000).fill(7));
    for (let reads = 0; reads < 5; reads += 1) expect((await archive.get('one'))?.length).toBe(300_000);
    const manager = await jetstreamManager(nats);
    expect(await archive.list()).not.toEqual([]);
    expect((await manager.streams.info(archiveStream('EPOCHS'))).state.consumer_count).toBe(0);
  });

  it('reads an object of many batches, and an empty one', async () => {
    const archive = await log.archive('EPOCHS');
    const large = new Uint8Array(17 * 1024 * 1024 + 1).map((_, index) => (index * 31 + (index >>> 13)) % 256);
    await archive.put('large', large);
    await archive.put('empty', new Uint8Array(0));
    expect(Buffer.compare((await archive.get('large'))!, large)).toBe(0);
    expect((await archive.get('empty'))?.length).toBe(0);
  });

  it('gives no object whose chunks are gone', async () => {
    const archive = await log.archive('EPOCHS');
    await archive.put('broken', new Uint8Array(200_000).fill(1));
    const manager = await jetstreamManager(nats);
    const { state } = await manager.streams.info(archiveStream('EPOCHS'));
    await manager.streams.deleteMessage(archiveStream('EPOCHS'), state.last_seq - 1);
    await expect(archive.get('broken')).rejects.toMatchObject({ code: 'corrupt', retryable: false });
  });
});
