import { afterEach, expect, it } from 'vitest';
import { replySubject } from '../../src/log/base/names.ts';
import { connectBus } from '../../src/log/jetstream/connect.ts';
import { encodeBatchReply } from '../../src/messages/codec/codec.ts';
import { ActorWorld, hex, lane } from './actor-world.ts';

let world: ActorWorld;
afterEach(() => world.close());

/** Tests wait for replies of hosts that start with new connections; core NATS keeps nothing for one that is not back yet. */
it('hears a reply that is sent as soon as the server is back', async () => {
  world = await ActorWorld.open();
  const batchId = new Uint8Array(16).fill(7);
  await world.restartServer();
  const { POTSTREAM_NATS_URL: url, ...login } = world.reachInEnvironment();
  const { POTSTREAM_NATS_USER: user, POTSTREAM_NATS_PASSWORD: password } = login;
  const bus = await connectBus({ servers: [url!], user: user!, password: password!, replicas: 1 });
  const nothing = { outcomes: [], liveValues: new Uint8Array(0), events: [], wins: [], late: [] };
  bus.publish(
    replySubject('g1'),
    encodeBatchReply({ batchId, lane, sequence: 1, timestampMs: 1, ...nothing }),
  );
  expect(await world.reply({ batchId })).toMatchObject({ sequence: 1 });
  expect([...world.replies.keys()]).toEqual([hex(batchId)]);
  await bus.close();
});
