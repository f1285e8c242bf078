import type { Msg, MsgHdrs } from '@nats-io/nats-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandFilter, commandStream, tableStream, tableSubjects } from '../../../src/log/base/names.ts';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import { type LogConnection, openConnection } from '../../../src/log/jetstream/connection.ts';
import { Requester } from '../../../src/log/jetstream/requester.ts';
import { StreamFollower } from '../../../src/log/jetstream/stream-follower.ts';
import { TableWatch } from '../../../src/log/jetstream/table-watch.ts';
import type { Log } from '../../../src/ports.ts';
import { makeSystem } from '../../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const stored = 10;
/** What the server that delivers has of them when it is asked. */
const known = 4;

/** Consumers are of a server that has not received the newest messages from the leader yet. */
class BehindLeader extends Requester {
  override async send(subject: string, payload: Uint8Array | string, timeoutMs: number, headers?: MsgHdrs) {
    const answer = await super.send(subject, payload, timeoutMs, headers);
    if (!subject.includes('CONSUMER.CREATE')) return answer;
    return { ...answer, json: () => ({ ...answer.json<object>(), num_pending: known }) } as Msg;
  }
}

let server: TestNatsServer;
let log: Log;
let connection: LogConnection;
let requester: BehindLeader;

beforeAll(async () => {
  server = await startNatsServer();
  await makeSystem(server, 1);
  const credentials = { kind: 'password', user: 'actors', password: 'actors' } as const;
  const settings = { servers: [server.url], credentials, role: 'actors', replicas: 1 } as const;
  log = await connectLog(settings);
  connection = await openConnection(settings, 'test');
  requester = new BehindLeader(connection);
});
afterAll(async () => {
  await Promise.all([log.close(), connection.close()]);
  await server.stop();
});

test('a follower has caught up when it has delivered what the leader had', async () => {
  for (let number = 1; number <= stored; number += 1)
    await log.append(0, 'control', Buffer.from([number]), { messageId: `message-${number}` });
  const delivered: number[] = [];
  const target = { stream: commandStream(0), filter: commandFilter(0), gapless: true, replicas: 3 };
  let follower: StreamFollower | null = null;
  const last = await new Promise<number>((caughtUp) => {
    const message = ({ sequence }: { readonly sequence: number }): void => void delivered.push(sequence);
    follower = new StreamFollower(requester, target, async () => 1, { message, caughtUp });
  });
  await follower!.stop();
  expect(last).toBe(stored);
  expect(delivered).toHaveLength(stored);
});

test('the watch of a table is current when it has delivered what the leader had', async () => {
  const table = await log.table('HOSTS');
  for (let number = 1; number <= stored; number += 1)
    await table.put(`key-${number}`, Buffer.from([number]), 0);
  const delivered: string[] = [];
  let atCurrent = 0;
  const watch = new TableWatch(
    requester,
    { stream: tableStream('HOSTS'), filter: tableSubjects('HOSTS'), isWhole: true, replicas: 3 },
    {
      message: ({ subject }) => void delivered.push(subject),
      current: () => {
        atCurrent = delivered.length;
      },
      incomplete: () => expect.fail('everything can be read'),
    },
  );
  await watch.whenCurrent;
  await watch.stop();
  expect(atCurrent).toBe(stored);
});
