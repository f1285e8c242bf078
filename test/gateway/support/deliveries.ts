import { randomBytes } from 'node:crypto';
import type { AskDeliveries } from '../../../src/gateway/api/services/questions.ts';
import type { FlushRecord } from '../../../src/messages/settlements.ts';
import { Backlogs, type BacklogsPorts } from '../../../src/outbox/backlog/backlogs.ts';
import type { Delivery } from '../../../src/outbox/delivery/delivery.ts';
import { answerQuestion } from '../../../src/outbox/questions/answer.ts';
import { ReplayJobs } from '../../../src/outbox/replay/replay-jobs.ts';
import { Sender } from '../../../src/outbox/send/sender.ts';
import { DeliveryTable } from '../../../src/outbox/store/delivery-table.ts';
import {
  type Backlog,
  backlogIdOf,
  type DeliveryProgress,
  wholeLane,
} from '../../../src/outbox/store/entries.ts';
import { StoredDeliveries } from '../../../src/outbox/stored/stored-deliveries.ts';
import { memoryTable } from './memory-table.ts';

export interface TestDeliveries {
  readonly ask: AskDeliveries;
  /** Results that lanes got. */
  readonly settled: { readonly flushId: string; readonly result: string }[];
  /** Replays begin, and do not end. */
  holdsReplays: boolean;
  /** Stores a dead delivery of an owner. */
  add(lane: number, id: string, owner: string, flush?: FlushRecord): Promise<void>;
  /** Stores a dead backlog of an operator with so many callbacks, and gives its id. */
  addBacklog(lane: number, operator: string, waiting: number): Promise<string>;
}

/** The outboxes of so many lanes, with tables in memory. Nothing is registered, so nothing is ever sent. */
export function testDeliveries(lanes: number): TestDeliveries {
  const settled: TestDeliveries['settled'] = [];
  const clock = { nowMs: () => Date.now(), elapsedMs: () => Date.now(), after: () => () => {} };
  const sender = new Sender({
    clock,
    addresses: { development: false, resolve: () => Promise.reject(new Error('There is no name here.')) },
    secretFor: () => null,
    isRegistered: () => false,
    observe() {},
  });
  const random = { bytes: (count: number) => randomBytes(count) };
  const table = memoryTable();
  const tables = Array.from(
    { length: lanes },
    (_, lane) =>
      new DeliveryTable(lane, 'callbacks', { table, clock, random, stopped: () => false, report() {} }),
  );
  const stored = tables.map(
    (each) =>
      new StoredDeliveries({
        clock,
        random,
        sender,
        table: each.deliveries,
        flushes: {
          async settle({ flushId }, result) {
            settled.push({ flushId, result });
            return true;
          },
        },
        report() {},
      }),
  );
  const replays = tables.map(
    (each) =>
      new ReplayJobs(each.replays, clock, (job, progress) =>
        deliveries.holdsReplays ? new Promise(() => {}) : progress({ ...job, isDone: true }),
      ),
  );
  const backlogs = tables.map(
    (each, lane) =>
      new Backlogs({
        lane,
        clock,
        random,
        log: {} as BacklogsPorts['log'],
        filter: { hooks: true },
        deliveriesOf: async () => ({ deliveries: [], lost: 0 }),
        inTurn: (_, work) => work(),
        send: async () => ({ kind: 'gone' }),
        table: each.backlogs,
        stored: stored[lane]!,
        unsupported() {},
        guard: { clock, stopped: () => false },
        fence: async () => {},
        cursor: () => 1,
        lost() {},
        overtaken() {},
        report() {},
      }),
  );
  const deliveries: TestDeliveries = {
    settled,
    holdsReplays: false,
    ask: (lane, question) =>
      answerQuestion(
        {
          callbacks: { stored: stored[lane]!, backlogs: backlogs[lane]!, replays: replays[lane]! },
          events: null,
          lastOutcome: async () => 0,
          clock,
        },
        question,
      ),
    async addBacklog(lane, operator, waiting) {
      const receiver = { operator, origin: 'https://hooks.example.com' };
      const backlog: Backlog = {
        ...wholeLane,
        ...receiver,
        subscription: '',
        id: backlogIdOf(lane, receiver, ''),
        from: 1,
        next: 1,
        oldestMs: Date.now(),
        waiting,
        state: 'dead',
        tries: 9,
        nextMs: Date.now(),
        lastError: 'no_answer',
        lastTryMs: Date.now(),
        acceptedMs: Date.now(),
      };
      backlogs[lane]!.take(backlog, (await tables[lane]!.backlogs.write(backlog, 0)) ?? 0);
      return backlog.id;
    },
    async add(lane, id, owner, flush) {
      const progress: DeliveryProgress = {
        state: 'dead',
        tries: 9,
        nextMs: Date.now(),
        lastError: 'no_answer',
        lastTryMs: Date.now(),
        mayHaveArrived: true,
        outcome: '',
      };
      const delivery: Delivery = {
        id,
        lane,
        sequence: 1,
        owner,
        url: 'https://hooks.example.com/a?secret=1',
        createdMs: Date.now(),
        content:
          flush === undefined
            ? {
                kind: 'ContributionResult',
                gameround: 'round',
                currency: 'EUR',
                metadata: null,
                result: { kind: 'Refused', code: 'instance_not_found', message: '' },
              }
            : { kind: 'DiversionFlush', flush },
      };
      const entry = { ...progress, delivery };
      const revision = await tables[lane]!.deliveries.write(entry, 0);
      stored[lane]!.take(entry, revision ?? 0);
    },
  };
  return deliveries;
}
