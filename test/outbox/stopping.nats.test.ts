import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Delivery } from '../../src/outbox/delivery/delivery.ts';
import { outboxLimits } from '../../src/outbox/delivery/limits.ts';
import { KnownSubscriptions } from '../../src/outbox/events/subscriptions.ts';
import { LaneOutbox } from '../../src/outbox/lane/lane-outbox.ts';
import { type DeliverySender, Sender } from '../../src/outbox/send/sender.ts';
import { Stopped } from '../../src/outbox/store/persistently.ts';
import type { Bus, Log } from '../../src/ports.ts';
import { systemClock } from '../../src/wiring.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { LaneLog } from './support/lane-log.ts';
import { openLog } from './support/outbox.ts';
import { eventually, startReceiver, type TestReceiver } from './support/receiver.ts';

const { inFlightPerHost, backlogSendsAtOnce } = outboxLimits;
const room = { storedPerReceiver: 1, storedPerOperator: 1 };

let server: TestNatsServer;
let connections: { log: Log; bus: Bus };
let lane: LaneLog;
let silent: TestReceiver;

beforeAll(async () => {
  server = await startNatsServer({ lanes: 1 });
  connections = await openLog(server);
  lane = new LaneLog(connections);
  await lane.open();
  silent = await startReceiver();
  silent.answer = () => {};
});
afterAll(async () => {
  await lane.stop();
  await silent.stop();
  await connections.log.close();
  await connections.bus.close();
  await server.stop();
});

const openSender = () =>
  new Sender({
    clock: systemClock,
    addresses: { development: true, resolve: (name) => Promise.reject(new Error(`${name} is nowhere.`)) },
    secretFor: () => null,
    isRegistered: () => true,
    observe() {},
  });
const url = () => `${silent.origin}/hook`;

it('a try that waits for its turn ends with its sender, and none begins behind it', async () => {
  const sender = openSender();
  const delivery: Delivery = {
    id: '00000000-0000-4000-8000-000000000001',
    lane: 0,
    sequence: 1,
    owner: 'op:main',
    url: url(),
    createdMs: 0,
    content: {
      kind: 'ContributionResult',
      gameround: 'g',
      currency: 'EUR',
      metadata: null,
      result: { kind: 'Refused' } as never,
    },
  };
  let reachedTable = (): void => {};
  const reading = new Promise<void>((resolve) => {
    reachedTable = resolve;
  });
  let found: (delivery: Delivery) => void = () => {};
  const late = sender.repeat({ operator: 'rival', origin: silent.origin }, () => {
    reachedTable();
    return new Promise((resolve) => {
      found = resolve;
    });
  });
  await reading;
  const receiver = { operator: 'op', origin: silent.origin };
  const waiting = [
    ...Array.from({ length: 2 * inFlightPerHost }, () => sender.repeat(receiver, async () => delivery)),
    ...Array.from({ length: inFlightPerHost }, () => sender.first(delivery)),
  ];
  const before = Promise.allSettled([late, ...waiting]);
  await silent.until(1);
  await sender.stop();
  found(delivery);
  const behind = [sender.repeat(receiver, async () => delivery), sender.first(delivery)];
  const ends = [...(await before), ...(await Promise.allSettled(behind))];
  const stopped = ends.filter((end) => end.status === 'rejected' && end.reason instanceof Stopped);
  // Those that had been sent were cut.
  expect(stopped).toHaveLength(ends.length - (inFlightPerHost - 1));
});

it('an outbox stops while a backlog waits for its receiver', async () => {
  const { log, bus } = await openLog(server);
  const sender = openSender();
  let repeats = 0;
  const counting: DeliverySender = {
    first: (delivery) => sender.first(delivery),
    repeat(receiver, load) {
      repeats += 1;
      return sender.repeat(receiver, load);
    },
  };
  const outbox = new LaneOutbox(0, {
    log,
    bus,
    table: await log.table('DELIVERIES'),
    clock: systemClock,
    random: { bytes: (count) => randomBytes(count) },
    sender: counting,
    subscriptions: new KnownSubscriptions(),
    room,
    report() {},
    lost() {},
  });
  await eventually(() => outbox.cursor !== null, 'it has begun');
  const callback = () =>
    contribution({
      contributionId: randomBytes(16),
      callback: { webHook: url(), winResultOnly: false },
    });
  for (let count = 0; count < 4; count += 1) await lane.write(...Array.from({ length: 20 }, callback));
  const isBacklog = () => [...outbox.known()].some(({ kind }) => kind === 'ReceiverBacklog');
  await eventually(() => isBacklog() && repeats > backlogSendsAtOnce, 'the backlog is read');
  await outbox.stop();
  await sender.stop();
  await log.close();
  await bus.close();
  expect(repeats).toBeGreaterThan(backlogSendsAtOnce);
});
