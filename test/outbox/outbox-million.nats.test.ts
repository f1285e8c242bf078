import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askDeliveries } from '../../src/gateway/api/services/questions.ts';
import { deliveriesSubject } from '../../src/log/base/names.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import { outboxLimits } from '../../src/outbox/delivery/limits.ts';
import { sliceOf } from '../../src/outbox/questions/slice.ts';
import type { KnownDelivery } from '../../src/outbox/stored/stored-deliveries.ts';
import type { Bus, Log } from '../../src/ports.ts';
import { saw, scaled } from '../jackpot/checks/scale.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { LaneLog } from './support/lane-log.ts';
import { openLog, startTestOutbox, type TestOutbox } from './support/outbox.ts';
import { eventually, startReceiver, type TestReceiver } from './support/receiver.ts';

/**
 * `npm run checks -- outbox-million`: a million undelivered callbacks of five operators, one of them with a receiver that
 * does not answer and four with one that refuses. Reports memory, time, the pages of the admin API, and what a healthy receiver feels.
 */
const undelivered = scaled(10_000, 1_000_000);
const inMessage = 500;
const probes = scaled(20, 300);

let server: TestNatsServer;
let connections: { log: Log; bus: Bus };
let lane: LaneLog;
let receivers: TestReceiver[];
let healthy: TestReceiver;
let outbox: TestOutbox;

beforeAll(async () => {
  server = await startNatsServer({ lanes: 1 });
  connections = await openLog(server);
  lane = new LaneLog(connections);
  await lane.open();
  healthy = await startReceiver();
  receivers = await Promise.all(Array.from({ length: 5 }, startReceiver));
  for (const [index, each] of receivers.entries())
    each.answer = index === 0 ? () => {} : (_, response) => void response.writeHead(503).end();
  outbox = await start();
  const table = await connections.log.table('DELIVERIES');
  await eventually(async () => (await table.keys('cursor.')).length > 0, 'it has the lane');
});
afterAll(async () => {
  await outbox.stop();
  await lane.stop();
  await Promise.all([healthy, ...receivers].map((each) => each.stop()));
  await connections.log.close();
  await connections.bus.close();
  await server.stop();
});

const start = () =>
  startTestOutbox(server, { origins: () => [healthy, ...receivers].map(({ origin }) => origin) });

/** Of another operator than the instance's: refused, which is a result like others. */
function callback(operator: string, { origin }: TestReceiver): Contribute {
  const brand = `${operator}:main`;
  return contribution({
    contributionId: randomBytes(16),
    operator,
    brand,
    callback: { webHook: `${origin}/hook`, winResultOnly: false },
  });
}

function heapBytes(): number {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** From the stored record to the request, in milliseconds, sorted. */
async function latencies(): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < probes; count += 1) {
    const before = healthy.received.length;
    await lane.write(callback('healthy', healthy));
    const begunMs = performance.now();
    while (healthy.received.length === before) await new Promise(setImmediate);
    all.push(performance.now() - begunMs);
  }
  return all.sort((a, b) => a - b);
}
const at = (sorted: readonly number[], part: number) => sorted[Math.floor(part * (sorted.length - 1))]!;
const pending = () => outbox.known().reduce((sum, { deliveries = 1 }) => sum + deliveries, 0);
const waits = () => eventually(() => pending() >= undelivered, 'everything is stored or waits', 600_000);
const tenths = (ms: number) => Math.round(ms * 10) / 10;

it(`${undelivered} undelivered callbacks cost bounded memory, and nobody else waits for them`, async () => {
  const alone = await latencies();
  const heapBefore = heapBytes();
  let begunMs = performance.now();
  let sequence = 0;
  for (let done = 0; done < undelivered; done += inMessage) {
    const batch = Array.from({ length: inMessage }, (_, index) =>
      callback(`operator-${index % 5}`, receivers[index % 5]!),
    );
    sequence = await lane.append(...batch);
    if (done % (100 * inMessage) === 0) await lane.applied(sequence);
  }
  await lane.applied(sequence);
  await waits();
  saw('outbox-million', {
    'undelivered callbacks': undelivered,
    'seconds until the last one was stored or left to a backlog': Math.round(
      (performance.now() - begunMs) / 1000,
    ),
    'entries and backlogs in memory': outbox.known().length,
    'KiB of heap for them': Math.round((heapBytes() - heapBefore) / 1024),
  });
  const table = await connections.log.table('DELIVERIES');
  const { storedPerReceiver, unstoredPerLane } = outboxLimits;
  expect((await table.keys('item.')).length).toBeLessThanOrEqual(5 * storedPerReceiver + unstoredPerLane);
  expect(await table.keys('backlog.')).toHaveLength(5);

  const beside = await latencies();
  saw('outbox-million, a healthy receiver, in ms', {
    'median alone': tenths(at(alone, 0.5)),
    'p99 alone': tenths(at(alone, 0.99)),
    'median beside': tenths(at(beside, 0.5)),
    'p99 beside': tenths(at(beside, 0.99)),
  });

  const ask = askDeliveries(connections.bus, deliveriesSubject);
  const filter = { states: [], kinds: [], owners: [], owner: '', brand: '', instance: '' };
  const pages: number[] = [];
  for (let count = 0; count < probes; count += 1) {
    const beforeMs = performance.now();
    const field = count % 2 === 0 ? 'created_timestamp' : 'next_try_timestamp';
    const answer = await ask(0, { kind: 'list', filter, field, direction: 1, after: null, limit: 50 });
    pages.push(performance.now() - beforeMs);
    expect(answer).toMatchObject({ kind: 'rows' });
  }
  pages.sort((a, b) => a - b);
  saw('outbox-million, a page of deliveries, in ms', {
    median: tenths(at(pages, 0.5)),
    p99: tenths(at(pages, 0.99)),
  });

  begunMs = performance.now();
  await outbox.kill();
  outbox = await start();
  const backlogs = () => outbox.known().filter(({ kind }) => kind === 'ReceiverBacklog').length;
  await eventually(() => backlogs() === 5, 'everything is read');
  const before = healthy.received.length;
  await lane.write(callback('healthy', healthy));
  await healthy.until(before + 1);
  saw('outbox-million, a restart', { 'ms until it delivers again': Math.round(performance.now() - begunMs) });
}, 1_200_000);

it('a million entries, as many operators or an earlier version may leave, are listed in one pass', () => {
  const count = scaled(20_000, 1_000_000);
  const entries = Array.from(
    { length: count },
    (_, index): KnownDelivery => ({
      id: `${index}`,
      kind: 'ContributionResult',
      owner: `operator-${index % 100}:main`,
      instance: '',
      receiver: { operator: `operator-${index % 100}`, origin: 'https://hooks.example.com' },
      createdMs: (index * 7_919) % count,
      flush: null,
      state: 'pending',
      tries: 1,
      nextMs: index,
      lastError: 'no_answer',
      lastTryMs: 0,
      mayHaveArrived: false,
      outcome: '',
    }),
  );
  const filter = { states: [], kinds: [], owners: [], owner: '', brand: '', instance: '' };
  const begunMs = performance.now();
  const { found: rows, total } = sliceOf([entries], {
    kind: 'list',
    filter,
    field: 'created_timestamp',
    direction: 1,
    after: null,
    limit: 50,
  });
  saw('outbox-million, entries of all operators', {
    entries: count,
    'ms for a page': tenths(performance.now() - begunMs),
  });
  expect(rows.map(({ createdMs }) => createdMs)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(total).toBe(count);
});
