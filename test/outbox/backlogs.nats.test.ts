import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callbackEventId } from '../../src/contracts/payments/event-id.ts';
import { askDeliveries } from '../../src/gateway/api/services/questions.ts';
import { uuidText } from '../../src/lib/uuid.ts';
import { deliveriesSubject } from '../../src/log/base/names.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import { outboxLimits } from '../../src/outbox/delivery/limits.ts';
import type { Bus, Log, TableEntry } from '../../src/ports.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { LaneLog } from './support/lane-log.ts';
import { openLog, startTestOutbox, type TestOutbox } from './support/outbox.ts';
import { eventually, startReceiver, type TestReceiver } from './support/receiver.ts';

let server: TestNatsServer;
let connections: { log: Log; bus: Bus };
let lane: LaneLog;
let receivers: { dead: TestReceiver; healthy: TestReceiver };
let outbox: TestOutbox;

beforeAll(async () => {
  server = await startNatsServer({ lanes: 1 });
  connections = await openLog(server);
  lane = new LaneLog(connections);
  await lane.open();
  receivers = { dead: await startReceiver(), healthy: await startReceiver() };
  outbox = await start();
  // What comes from now on is not the first start's replay.
  await eventually(async () => (await entriesOf('cursor.')).length > 0, 'it has the lane');
});
afterAll(async () => {
  await outbox.stop();
  await lane.stop();
  await Promise.all(Object.values(receivers).map((each) => each.stop()));
  await connections.log.close();
  await connections.bus.close();
  await server.stop();
});

const start = () =>
  startTestOutbox(server, {
    origins: () => Object.values(receivers).map(({ origin }) => origin),
    limits: { pendingAgeMs: 3_600_000, deadAgeMs: 3_600_000, perOperator: 1_500, sumsAtoms: new Map() },
  });
const withCallback = ({ origin }: TestReceiver): Contribute =>
  contribution({
    contributionId: randomBytes(16),
    callback: { webHook: `${origin}/hook`, winResultOnly: false },
  });
const idOf = ({ contributionId }: Contribute) => callbackEventId(uuidText(contributionId));
const ask = (...question: Parameters<ReturnType<typeof askDeliveries>>) =>
  askDeliveries(connections.bus, deliveriesSubject)(...question);
const bodiesById = (receiver: TestReceiver): Map<string, Set<string>> => {
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const id = headers['webhook-id'] as string;
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  return bodies;
};
async function entriesOf(prefix: string): Promise<TableEntry[]> {
  const table = await connections.log.table('DELIVERIES');
  const entries = await Promise.all((await table.keys(prefix)).map((key) => table.get(key)));
  return entries.filter((entry) => entry !== null);
}

it('callbacks of a dead receiver are bounded entries and one backlog, which arrives once it answers', async () => {
  const { dead, healthy } = receivers;
  dead.answer = (_, response) => void response.writeHead(503).end();
  const commands: Contribute[] = [];
  for (let round = 0; round < 17; round += 1) {
    const batch = Array.from({ length: 100 }, () => withCallback(dead));
    commands.push(...batch);
    await lane.write(...batch);
  }
  await lane.write(withCallback(healthy));
  await healthy.until(1);
  const backlogs = () => outbox.known().filter(({ kind }) => kind === 'ReceiverBacklog');
  const waiting = () => backlogs()[0]?.deliveries ?? 0;
  await eventually(() => outbox.known().length > 1_000 && waiting() > 500, 'the rest waits as a backlog');
  await eventually(
    () => outbox.known().length - 1 + waiting() >= commands.length,
    'all callbacks are stored or wait',
  );
  // Those under way when the backlog began have entries too.
  const { storedPerReceiver, firstTriesWaiting, inFlightPerHost } = outboxLimits;
  const { length } = await entriesOf('item.0.');
  expect(length).toBeLessThanOrEqual(storedPerReceiver + firstTriesWaiting + inFlightPerHost);
  expect(await entriesOf('backlog.0.')).toHaveLength(1);
  await eventually(async () => {
    await outbox.metrics();
    return outbox.alarms.includes('deliveries_many');
  }, 'the alarm');

  const filter = { states: [], kinds: ['backlog' as const], owners: [], owner: '', brand: '', instance: '' };
  const list = {
    kind: 'list',
    filter,
    field: 'created_timestamp',
    direction: 1,
    after: null,
    limit: 10,
  } as const;
  const answer = await ask(0, list);
  expect(answer).toMatchObject({
    kind: 'rows',
    rows: [{ kind: 'backlog', owner: 'op', origin: dead.origin }],
  });

  // A killed outbox continues with the backlog that it finds.
  await outbox.kill();
  dead.answer = (_, response) => void response.writeHead(200).end();
  const before = dead.received.length;
  outbox = await start();
  await eventually(() => backlogs().length === 1, 'it is read again');
  const { id } = backlogs()[0]!;
  const later = withCallback(dead);
  commands.push(later);
  await lane.write(later);
  const isAsked = () =>
    ask(0, { kind: 'replay', id }).then(
      () => true,
      () => false,
    );
  await eventually(isAsked, 'it answers');
  await eventually(() => backlogs().length === 0, 'it ends');
  const entries = outbox.known();
  for (let from = 0; from < entries.length; from += outboxLimits.questionsAtOnce) {
    const some = entries.slice(from, from + outboxLimits.questionsAtOnce);
    await Promise.all(some.map((each) => ask(0, { kind: 'replay', id: each.id })));
  }
  await eventually(() => outbox.known().length === 0, 'the entries arrive');
  const arrived = new Set(dead.received.slice(before).map(({ headers }) => headers['webhook-id']));
  expect(commands.filter((command) => !arrived.has(idOf(command)))).toEqual([]);
  for (const bodies of bodiesById(dead).values()) expect(bodies.size).toBe(1);
  // Each of them once, but for those that the killed outbox had under way, those whose end it had not noted, and those
  // that were being tried when their replay was asked for.
  const again = dead.received.length - before - commands.length;
  expect(again).toBeLessThan(commands.length / 20);
  expect([...(await entriesOf('item.0.')), ...(await entriesOf('backlog.0.'))]).toEqual([]);

  const last = withCallback(dead);
  await lane.write(last);
  await eventually(() => bodiesById(dead).has(idOf(last)), 'its receiver gets first tries again');
});
