import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callbackEventId } from '../../src/contracts/payments/event-id.ts';
import { askDeliveries } from '../../src/gateway/api/services/questions.ts';
import { uuidText } from '../../src/lib/uuid.ts';
import { deliveriesSubject } from '../../src/log/base/names.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import type { Bus, Log } from '../../src/ports.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { startMs } from '../jackpot/support/lane.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { LaneLog } from './support/lane-log.ts';
import { openLog, startTestOutbox, type TestOutbox } from './support/outbox.ts';
import { eventually, startReceiver, type TestReceiver } from './support/receiver.ts';

let server: TestNatsServer;
let connections: { log: Log; bus: Bus };
let lane: LaneLog;
let receiver: TestReceiver;
let outbox: TestOutbox | null = null;

beforeEach(async () => {
  server = await startNatsServer({ lanes: 1 });
  connections = await openLog(server);
  receiver = await startReceiver();
  lane = new LaneLog(connections);
  await lane.open();
});
afterEach(async () => {
  await outbox?.stop();
  outbox = null;
  await lane.stop();
  await receiver.stop();
  await connections.log.close();
  await connections.bus.close();
  await server.stop();
});

const start = async () => {
  outbox = await startTestOutbox(server, { origins: () => [receiver.origin] });
};
function withCallback(): Contribute {
  return contribution({
    contributionId: randomBytes(16),
    callback: { webHook: `${receiver.origin}/hook`, winResultOnly: false },
  });
}
const idOf = ({ contributionId }: Contribute) => callbackEventId(uuidText(contributionId));
const received = () => receiver.received.map(({ headers }) => headers['webhook-id'] as string);
const ask = (...question: Parameters<ReturnType<typeof askDeliveries>>) =>
  askDeliveries(connections.bus, deliveriesSubject)(...question);
const id = '11111111-1111-5111-8111-111111111111';
/** Every callback of the replays is noted as delivered, not only received. */
const isDone = async () => {
  const answer = await ask(0, { kind: 'replays' }).catch(() => null);
  return (
    answer?.kind === 'replays' && answer.replays.length > 0 && answer.replays.every((each) => each.isDone)
  );
};

it('what was accepted before the first start is sent, and new callbacks do not wait for it', async () => {
  const old = Array.from({ length: 40 }, withCallback);
  for (const each of old) await lane.write(each);
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.answer = ({ headers }, response) => {
    const answer = () => void response.writeHead(204).end();
    if (old.some((each) => idOf(each) === headers['webhook-id'])) released.then(answer);
    else answer();
  };
  await start();
  await eventually(() => received().length > 0, 'the backlog begins');
  const recent = withCallback();
  await lane.write(recent);
  await eventually(() => received().includes(idOf(recent)), 'the new one arrives');
  release();
  await eventually(() => old.every((each) => received().includes(idOf(each))), 'all of them');
  await eventually(isDone, 'the first start ends');
  const again = received().length;
  await outbox!.stop();
  await start();
  await lane.write(withCallback());
  await eventually(() => received().length > again, 'the last one');
  expect(received()).toHaveLength(again + 1);
});

it('a replay ends though the log has no callback in its range, or behind it', async () => {
  await start();
  await eventually(isDone, 'the first start ends');
  await ask(0, { kind: 'replay_range', id, fromMs: 0, toMs: startMs + 1_000_000, owners: [] });
  await eventually(isDone, 'the replay ends');
});

it('a time range is sent again, delivered ones too, and nothing outside of it', async () => {
  await start();
  const commands = Array.from({ length: 6 }, withCallback);
  const sequences: number[] = [];
  for (const each of commands) sequences.push(await lane.write(each));
  await receiver.until(6);
  const [fromMs, toMs] = [startMs + sequences[1]!, startMs + sequences[3]!];
  await ask(0, { kind: 'replay_range', id, fromMs, toMs, owners: ['op'] });
  await receiver.until(9);
  const isDone = async () => {
    const answer = await ask(0, { kind: 'replays' });
    return answer.kind === 'replays' && answer.replays.some((each) => each.id === id && each.isDone);
  };
  await eventually(isDone, 'the replay ends');
  expect(received().slice(6).sort()).toEqual(commands.slice(1, 4).map(idOf).sort());
  // The same replay again begins nothing; another tenant's has nothing.
  await ask(0, { kind: 'replay_range', id, fromMs, toMs, owners: ['op'] });
  const foreign = '22222222-2222-5222-8222-222222222222';
  await ask(0, { kind: 'replay_range', id: foreign, fromMs, toMs, owners: ['other'] });
  const last = withCallback();
  await lane.write(last);
  await eventually(() => received().includes(idOf(last)), 'the last one');
  expect(received()).toHaveLength(10);
});

it('a kill during a replay loses none of its callbacks', async () => {
  await start();
  const commands = Array.from({ length: 30 }, withCallback);
  for (const each of commands) await lane.write(each);
  await receiver.until(30);
  receiver.answer = () => {};
  await ask(0, { kind: 'replay_range', id, fromMs: 0, toMs: startMs + 1_000_000, owners: [] });
  await receiver.until(31);
  await outbox!.kill();
  outbox = null;
  receiver.answer = (_, response) => void response.writeHead(204).end();
  const before = received().length;
  await start();
  await eventually(
    () => commands.every((each) => received().slice(before).includes(idOf(each))),
    'all of them again',
  );
});
