import { describe, expect, it } from 'vitest';
import { lateReplies, replyTo } from '../../../src/actors/lane/emit/replies.ts';
import { answerQuery } from '../../../src/actors/queries/answers.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { ReadModel } from '../../../src/directory/read-model.ts';
import { repeatedAnswer } from '../../../src/gateway/api/contribution/repeated.ts';
import { replyForms } from '../../../src/gateway/api/contribution/reply.ts';
import type { LaneAnswer } from '../../../src/gateway/lanes/lane-client.ts';
import { LaneGateway } from '../../../src/gateway/lanes/lane-gateway.ts';
import { batchLimits } from '../../../src/gateway/lanes/limits.ts';
import { crash } from '../../../src/lib/crash.ts';
import {
  decodeLaneQueryRequest,
  encodeBatchReply,
  encodeCommandBatch,
  encodeHeartbeat,
  encodeLaneQueryAnswer,
} from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { DebitSettled } from '../../../src/messages/settlement-commands.ts';
import type { DebitRecord } from '../../../src/messages/settlements.ts';
import { brand, contribution, running, setBrand } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const subjects = {
  reply: (gateway: string) => `reply.${gateway}`,
  query: (lane: number) => `query.${lane}`,
  heartbeat: (lane: number) => `heartbeat.${lane}`,
};

type Wallet = (debit: DebitRecord) => DebitSettled['result'] | 'silent';

/** A gateway, an actor with the real engine, and a wallet that says what the test wants after 40 ms. */
async function createWorld(wallet: Wallet, options: { loseLateReplies?: boolean } = {}) {
  const world = new SimWorld(1);
  const server = new SimServer(world, 1);
  const node = server.connect('actor');
  const clock = world.clock(() => true);
  const readModel = new Replica(0, newLane(settings), testHashing, firstLaneHead);
  const write = (commands: readonly Command[], name: string) =>
    node.log.append(
      0,
      'control',
      encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands }),
      {
        messageId: name,
      },
    );
  node.log.follow(0, 1, {
    async message(stored) {
      const applied = readModel.apply(stored);
      if (applied.batch.gateway !== '') {
        node.bus.publish(
          subjects.reply(applied.batch.gateway),
          encodeBatchReply(replyTo(applied, readModel)),
        );
      }
      await node.log.appendOutcome(0, stored.sequence, applied.routing, applied.record);
      const { sequence } = stored;
      const at = { lane: 0, host: 'h', term: 1, appliedSequence: sequence, storedOutcome: sequence };
      const heartbeat = encodeHeartbeat({ ...at, condition: 'serving', code: '' });
      node.bus.publish(subjects.heartbeat(0), heartbeat);
      if (options.loseLateReplies !== true) {
        for (const { gateway, reply } of lateReplies(applied, readModel)) {
          node.bus.publish(subjects.reply(gateway), encodeBatchReply(reply));
        }
      }
      for (const work of applied.outcome.work) {
        if (work.kind !== 'DebitDue') continue;
        const { transactionId } = work.debit;
        const result = wallet(work.debit);
        if (result === 'silent') continue;
        clock.after(40, () => {
          void write([{ kind: 'DebitSettled', transactionId, result }], transactionId);
        });
      }
    },
  });
  node.bus.subscribe(subjects.query(0), (message) => {
    const { query } = decodeLaneQueryRequest(message.bytes);
    if (
      query.kind !== 'directory' &&
      query.kind !== 'placement' &&
      query.kind !== 'placement_order' &&
      query.kind !== 'rebuilt_outcome' &&
      query.kind !== 'ticket_page'
    )
      message.respond(encodeLaneQueryAnswer(answerQuery(readModel.engine, query)));
  });
  const own = server.connect('gateway');
  const lanes = new LaneGateway({
    log: own.log,
    bus: own.bus,
    clock,
    random: world.random(),
    defer: (task) => void world.schedule(0, task),
    report: crash,
    subjects,
    lanes: 1,
    gateway: 'g1',
  });
  const rules = { operator_contribution_percentage: '0' };
  const setUp: readonly Command[] = [...running(onePot({}, rules)), setBrand({ brand: 'op:other' })];
  await settle(world, write(setUp, 'setup'));
  return { world, readModel, lanes };
}

async function settle<T>(world: SimWorld, promise: Promise<T>): Promise<T> {
  let done: { readonly value: T } | { readonly error: unknown } | null = null;
  promise.then(
    (value) => {
      done = { value };
    },
    (error: unknown) => {
      done = { error };
    },
  );
  await world.until(() => done !== null, 20_000, 'the end of it');
  const ended = done as unknown as { readonly value: T } | { readonly error: unknown };
  if ('error' in ended) throw ended.error;
  return ended.value;
}

function idOf(first: number, number: number): Uint8Array {
  const id = new Uint8Array(16).fill(first);
  new DataView(id.buffer).setUint32(4, number);
  return id;
}

const key = new Uint8Array(16).fill(3);
const paying = (changes: Partial<Contribute> = {}): Contribute =>
  contribution({ wallet: true, contributionId: new Uint8Array(16).fill(4), ...changes });

describe('a contribution whose player pays first', () => {
  it('is answered when the wallet has answered', async () => {
    const { world, lanes } = await createWorld(() => 'debited');
    const answer: LaneAnswer = await settle(world, lanes.send(0, paying()));
    expect(answer.outcome).toMatchObject({ kind: 'Contributed', results: [{ sequence: 1 }] });
  });

  it('is refused with what the wallet says', async () => {
    const { world, lanes } = await createWorld(() => 'refused');
    const answer = await settle(world, lanes.send(0, paying()));
    expect(answer.outcome).toMatchObject({ kind: 'Refused', code: 'debit_refused' });
  });

  it('does not hold up the others of its batch', async () => {
    const { world, lanes } = await createWorld(() => 'silent');
    const waiting = lanes.send(0, paying());
    waiting.catch(() => {});
    expect((await settle(world, lanes.send(0, contribution()))).outcome.kind).toBe('Contributed');
  });

  it('is found in the log where the answer got lost', async () => {
    const { world, lanes } = await createWorld(() => 'debited', { loseLateReplies: true });
    const answer = await settle(world, lanes.send(0, paying()));
    expect(answer.outcome).toMatchObject({ kind: 'Contributed', results: [{ sequence: 1 }] });
  });

  it('has an unknown outcome after 6 s', async () => {
    const { world, lanes } = await createWorld(() => 'silent');
    const startMs = world.nowMs;
    await expect(settle(world, lanes.send(0, paying()))).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(world.nowMs - startMs).toBeGreaterThanOrEqual(6000);
    expect(world.nowMs - startMs).toBeLessThan(7000);
  });
});

describe('callers of a brand whose wallet hangs', () => {
  it('leave room for those of other brands, and are refused at once beyond', async () => {
    const { world, lanes, readModel } = await createWorld(({ brand: path }) =>
      path === brand ? 'silent' : 'debited',
    );
    const other = contribution({ wallet: true, brand: 'op:other', contributionId: idOf(1, 1) });
    const waiting = Array.from({ length: batchLimits.pendingAnswers / 2 }, (_, index) =>
      lanes.send(0, paying({ contributionId: idOf(2, index) })),
    );
    const ended = Promise.allSettled(waiting);
    const open = () => readModel.engine.openDebits(0, waiting.length).length;
    await world.until(() => open() === waiting.length, 20_000, 'all wait');
    await settle(world, lanes.send(0, contribution()));
    expect(() => lanes.send(0, paying())).toThrow(
      expect.objectContaining({ name: 'PublicError', code: 'wallet_unavailable' }),
    );
    const answer = await settle(world, lanes.send(0, other));
    expect(answer.outcome).toMatchObject({ kind: 'Contributed' });
    await settle(world, ended);
    lanes.send(0, paying()).catch(() => {});
  });
});

describe('a key that is met again', () => {
  const context = { directory: new ReadModel(1) };
  const again = paying({ idempotencyKey: key, contributionId: new Uint8Array(16).fill(5) });

  async function repeat(world: SimWorld, lanes: LaneGateway, command: Contribute) {
    const { outcome, lane } = await settle(world, lanes.send(0, command));
    if (outcome.kind !== 'Duplicate') throw new Error(`answered ${outcome.kind}`);
    const { sequence, index } = outcome;
    const wanted = { form: replyForms.one, metadata: null };
    return settle(world, repeatedAnswer({ ...context, lanes }, { lane, sequence, index }, command, wanted));
  }

  it('while the debit is pending is in progress, for another body reused', async () => {
    const { world, lanes } = await createWorld(() => 'silent');
    lanes.send(0, paying({ idempotencyKey: key })).catch(() => {});
    await expect(repeat(world, lanes, again)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    const other = { ...again, player: 'p2' };
    await expect(repeat(world, lanes, other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('after the debit gets the headers of the first answer', async () => {
    const { world, lanes } = await createWorld(() => 'debited');
    const first = await settle(world, lanes.send(0, paying({ idempotencyKey: key })));
    const reply = await repeat(world, lanes, again);
    expect(reply).toMatchObject({ status: 204 });
    expect(reply.headers).toContain('04040404-0404-0404-0404-040404040404');
    expect(reply.headers).toContain(String(first.timestampMs));
  });
});

describe('contributions whose players pay', () => {
  it('share a message with those that come shortly after, and never hold up another command', async () => {
    const { world, lanes, readModel } = await createWorld(() => 'debited');
    const before = readModel.engine.appliedSequence;
    const answers: Promise<LaneAnswer>[] = [];
    const begin = world.nowMs;
    for (let number = 0; number < 40; number += 1) {
      answers.push(lanes.send(0, paying({ contributionId: idOf(3, number) })));
      await world.passes(1);
    }
    const lastMs = world.nowMs - begin;
    await settle(world, Promise.all(answers));
    // The first goes at once, and the last when it is due.
    // Without those of the wallet, one for each debit.
    const messages = readModel.engine.appliedSequence - before - answers.length;
    expect(messages).toBeLessThanOrEqual(2 + lastMs / batchLimits.gatherMs);
    const alone = await settle(world, lanes.send(0, contribution()));
    expect(alone.outcome).toMatchObject({ kind: 'Contributed' });
  });
});
