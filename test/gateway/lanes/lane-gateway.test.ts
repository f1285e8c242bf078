import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { LaneAnswer } from '../../../src/gateway/lanes/lane-client.ts';
import { LaneGateway } from '../../../src/gateway/lanes/lane-gateway.ts';
import { unwellLanes } from '../../../src/gateway/lanes/lane-health.ts';
import { batchLimits } from '../../../src/gateway/lanes/limits.ts';
import { crash } from '../../../src/lib/crash.ts';
import {
  decodeCommandBatch,
  encodeBatchReply,
  encodeHeartbeat,
  encodeLaneQueryAnswer,
  encodeOutcomeRecord,
} from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { contribution as anyContribution } from '../../jackpot/support/commands.ts';
import { noFaults, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const subjects = {
  reply: (gateway: string) => `reply.${gateway}`,
  query: (lane: number) => `query.${lane}`,
  heartbeat: (lane: number) => `heartbeat.${lane}`,
};

/** A gateway and an actor that answers each contribution with its own wager as C. */
function createWorld(seed: number) {
  const world = new SimWorld(seed);
  const server = new SimServer(world, 2);
  const node = server.connect('gateway');
  const lanes = new LaneGateway({
    log: node.log,
    bus: node.bus,
    clock: world.clock(() => true),
    random: world.random(),
    defer: (task) => void world.schedule(0, task),
    report: crash,
    subjects,
    lanes: 2,
    gateway: 'g1',
  });
  return { world, server, node, lanes };
}

function startActor(
  server: SimServer,
  lane: number,
  options: { replies?: boolean; journals?: boolean; room?: number; large?: boolean } = {},
) {
  const node = server.connect(`actor-${lane}`);
  const applied = new Map<string, number>();
  node.log.follow(lane, 1, {
    async message(stored) {
      const batch = decodeCommandBatch(stored.bytes);
      const outcomes: CommandOutcome[] = batch.commands.map((command, index) => {
        const contribution = command as Contribute;
        if (index >= (options.room ?? Number.POSITIVE_INFINITY))
          return { kind: 'Refused', code: 'overloaded', message: '' };
        applied.set(contribution.gameround, (applied.get(contribution.gameround) ?? 0) + 1);
        return {
          kind: 'Contributed',
          results: [
            {
              instance: contribution.target.id,
              sequence: stored.sequence * 1000 + index,
              contributionAtoms: contribution.baseWagerAtoms,
              requestAtoms: contribution.baseWagerAtoms,
              bonusAtoms: 0n,
              win: null,
              tickets: 0,
            },
          ],
        };
      });
      const common = { sequence: stored.sequence, timestampMs: stored.timestampMs, outcomes, events: [] };
      if (options.replies !== false) {
        node.bus.publish(
          subjects.reply(batch.gateway),
          encodeBatchReply({
            ...common,
            ...(options.large === true ? { outcomes: [] } : {}),
            batchId: batch.batchId,
            lane,
            liveValues: new Uint8Array(0),
            wins: [],
            late: [],
          }),
        );
      }
      if (options.journals === false) return;
      const record = encodeOutcomeRecord({
        ...common,
        laneHead: new Uint8Array(32),
        instances: [],
        work: [],
      });
      const routing = { wallet: false, hooks: false, events: false };
      for (;;) {
        const stored_ = await node.log
          .appendOutcome(lane, stored.sequence, routing, record)
          .catch(() => null);
        if (stored_ !== null) break;
      }
      node.bus.publish(
        subjects.heartbeat(lane),
        encodeHeartbeat({
          lane,
          host: 'h',
          term: 1,
          appliedSequence: stored.sequence,
          storedOutcome: stored.sequence,
          condition: 'serving',
          code: '',
        }),
      );
    },
  });
  return applied;
}

function contribution(round: number, more: Partial<Contribute> = {}): Contribute {
  return anyContribution({
    contributionId: new Uint8Array(16).fill(round % 251),
    baseWagerAtoms: BigInt(round) * 1_000n,
    gameround: `round-${round}`,
    ...more,
  });
}

type Result = { readonly round: number; readonly answer?: LaneAnswer; readonly error?: Error };

/** Sends a command; a refusal that is thrown at once counts like one that comes later. */
async function attempt(lanes: LaneGateway, round: number, command: Command): Promise<Result> {
  try {
    return { round, answer: await lanes.send(1, command) };
  } catch (error) {
    return { round, error: error as Error };
  }
}

const amountOf = (result: Result) =>
  result.answer?.outcome.kind === 'Contributed' ? result.answer.outcome.results[0]?.requestAtoms : undefined;

describe('batches', () => {
  test('every caller gets the outcome of its own command', async () => {
    const { world, server, lanes } = createWorld(1);
    startActor(server, 1);
    const results: Result[] = [];
    for (let round = 1; round <= 1000; round += 1) {
      void attempt(lanes, round, contribution(round)).then((result) => results.push(result));
    }
    await world.until(() => results.length === 1000, 5_000, 'all answers');
    for (const result of results) expect(amountOf(result)).toBe(BigInt(result.round) * 1_000n);
    const sizes = server.lanes[1]!.commands.map((stored) => decodeCommandBatch(stored.bytes).commands.length);
    expect(Math.max(...sizes)).toBe(batchLimits.commands);
    expect(sizes.length).toBeLessThan(10);
  });

  test('stay below their size in bytes', async () => {
    const { world, server, lanes } = createWorld(2);
    startActor(server, 1);
    const results: Result[] = [];
    const eventMetadata = JSON.stringify('ü'.repeat(4_000));
    for (let round = 1; round <= 60; round += 1) {
      const command = contribution(round, { eventMetadata });
      void attempt(lanes, round, command).then((result) => results.push(result));
    }
    await world.until(() => results.length === 60, 5_000, 'all answers');
    for (const stored of server.lanes[1]!.commands)
      expect(stored.bytes.length).toBeLessThan(batchLimits.bytes);
  });

  test('a change travels alone', async () => {
    const { world, server, lanes } = createWorld(3);
    startActor(server, 1);
    const results: Result[] = [];
    const change: Command = {
      kind: 'SetLinks',
      instance: 'gold',
      links: [],
      user: 'u',
      expectedVersion: null,
    };
    void attempt(lanes, 1, contribution(1)).then((result) => results.push(result));
    void attempt(lanes, 2, change).then((result) => results.push(result));
    void attempt(lanes, 3, contribution(3)).then((result) => results.push(result));
    await world.until(() => server.lanes[1]!.commands.length === 3, 1_000, 'three messages');
    const kinds = server.lanes[1]!.commands.map(
      (stored) => decodeCommandBatch(stored.bytes).commands[0]?.kind,
    );
    expect(kinds.toSorted()).toEqual(['Contribute', 'Contribute', 'SetLinks']);
  });
});

describe('when answers do not come', () => {
  test('they are rebuilt from the log', async () => {
    const { world, server, lanes } = createWorld(4);
    startActor(server, 1, { replies: false });
    const startMs = world.nowMs;
    const result = attempt(lanes, 7, contribution(7));
    await world.until(() => server.lanes[1]!.outcomes.length === 1, 1_000, 'the outcome');
    await world.passes(batchLimits.answerGraceMs + 200);
    expect(amountOf(await result)).toBe(7_000n);
    expect(world.nowMs - startMs).toBeLessThan(1_500);
  });

  test('and never will, the outcome is unknown after the deadline', async () => {
    const { world, server, lanes } = createWorld(5);
    const result = attempt(lanes, 7, contribution(7));
    await world.passes(batchLimits.deadlineMs + 500);
    expect(server.lanes[1]!.commands.length).toBe(1);
    expect((await result).error).toMatchObject({ code: 'outcome_unknown' });
  });

  test('and nothing can have been stored, that is said', async () => {
    const { world, server, lanes } = createWorld(6);
    server.up = false;
    const result = attempt(lanes, 7, contribution(7));
    await world.passes(batchLimits.deadlineMs + 500);
    expect((await result).error).toMatchObject({ code: 'storage_unavailable' });
  });

  test('who waited behind another batch is told so with it, not a deadline later', async () => {
    const { world, server, lanes } = createWorld(11);
    server.up = false;
    const settled: (string | undefined)[] = [];
    const send = (round: number): void =>
      void attempt(lanes, round, contribution(round)).then(({ error }) =>
        settled.push((error as PublicError | undefined)?.code),
      );
    send(1);
    await world.passes(100);
    for (const round of [2, 3]) send(round);
    await world.passes(batchLimits.deadlineMs + batchLimits.minAppendMs + 100);
    expect(settled).toEqual(Array(3).fill('storage_unavailable'));
  });

  test('the acknowledgement lost, the same bytes are stored once', async () => {
    const { world, server, lanes } = createWorld(7);
    const applied = startActor(server, 1);
    server.faults = { ...noFaults, lostAnswer: 1 };
    const result = attempt(lanes, 7, contribution(7));
    await world.passes(1_000);
    server.faults = noFaults;
    await world.passes(4_000);
    expect(amountOf(await result)).toBe(7_000n);
    expect(applied.get('round-7')).toBe(1);
  });
});

describe('a lane that lags', () => {
  test('refuses new commands until its outcomes are stored', async () => {
    const { world, server, lanes } = createWorld(8);
    const first = attempt(lanes, 1, contribution(1));
    await world.passes(batchLimits.lagMs + 100);
    expect((await attempt(lanes, 2, contribution(2))).error).toMatchObject({ code: 'overloaded' });
    startActor(server, 1);
    await world.passes(500);
    expect(amountOf(await first)).toBe(1_000n);
    const third = attempt(lanes, 3, contribution(3));
    await world.passes(500);
    expect(amountOf(await third)).toBe(3_000n);
  });

  test('holds no more commands than its limit', async () => {
    const { world, lanes } = createWorld(9);
    const results: Result[] = [];
    for (let round = 1; round <= batchLimits.waitingCommands + 5; round += 1) {
      void attempt(lanes, round, contribution(round)).then((result) => results.push(result));
    }
    await world.passes(10);
    expect(results.map((result) => (result.error as PublicError).code)).toEqual(Array(5).fill('overloaded'));
  });
});

describe('a question to a lane that recovers', () => {
  const question = { kind: 'accounts', instance: 'gold' } as const;
  const answer = { kind: 'refused', code: 'instance_not_found', message: '' } as const;

  test('is asked again, and answered once the lane is back', async () => {
    const { world, server, lanes } = createWorld(12);
    const asked = lanes.query(1, question);
    await world.passes(batchLimits.deadlineMs / 2);
    const { bus } = server.connect('owner');
    bus.subscribe(subjects.query(1), (message) => message.respond(encodeLaneQueryAnswer(answer)));
    await world.passes(batchLimits.deadlineMs / 2);
    expect(await asked).toEqual(answer);
  });

  test('is refused at its deadline, with the time to come back', async () => {
    const { world, lanes } = createWorld(13);
    const asked = lanes.query(1, question).catch((error: PublicError) => error);
    await world.passes(2 * batchLimits.deadlineMs);
    expect(await asked).toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 1 });
  });
});

describe('a lane whose owner', () => {
  const beat = (server: SimServer, lane: number) => {
    const far = { host: 'h', term: 1, appliedSequence: 0, storedOutcome: 0 };
    const heartbeat = { ...far, lane, condition: 'serving', code: '' } as const;
    server.connect('owner').bus.publish(subjects.heartbeat(lane), encodeHeartbeat(heartbeat));
  };

  test('is not heard is hung until it is heard again', async () => {
    const { world, server, lanes } = createWorld(10);
    const health = () => lanes.status().map((lane) => lane.health);
    expect(health()).toEqual(['well', 'well']);
    await world.passes(batchLimits.silentMs + 1);
    expect(health()).toEqual(['hung', 'hung']);
    expect(unwellLanes(lanes.status())[0]).toBe('lane 0 is hung: no heartbeat of its owner for 5 s');
    beat(server, 0);
    await world.passes(500);
    expect(health()).toEqual(['well', 'hung']);
  });

  test('is heard, while what is stored waits for its outcome, is lagging', async () => {
    const { world, server, lanes } = createWorld(11);
    void attempt(lanes, 1, contribution(1));
    await world.passes(batchLimits.lagMs + 500);
    beat(server, 1);
    await world.passes(500);
    expect(lanes.status().map(({ health }) => health)).toEqual(['well', 'lagging']);
    expect(unwellLanes(lanes.status())).toEqual([
      expect.stringMatching(/^lane 1 is lagging: its oldest open/),
    ]);
  });
});

describe('under faults', () => {
  test('an answer is true, an unknown outcome stays possible, and nothing is applied twice', async () => {
    for (let seed = 100; seed < 130; seed += 1) {
      const { world, server, lanes } = createWorld(seed);
      const applied = startActor(server, 1);
      server.faults = {
        lostRequest: 0.1,
        lostAnswer: 0.1,
        lostBusMessage: 0.2,
        minDelayMs: 0,
        maxDelayMs: 30,
      };
      const results: Result[] = [];
      for (let round = 1; round <= 200; round += 1) {
        void attempt(lanes, round, contribution(round)).then((result) => results.push(result));
        if (round % 20 === 0) await world.passes(world.between(0, 100));
      }
      await world.until(() => results.length === 200, 20_000, 'all answers');
      server.faults = noFaults;
      await world.passes(5_000);
      for (const result of results) {
        const count = applied.get(`round-${result.round}`) ?? 0;
        expect(count, `seed ${seed}`).toBeLessThanOrEqual(1);
        if (result.answer !== undefined) {
          expect(count, `seed ${seed}`).toBe(1);
          expect(amountOf(result)).toBe(BigInt(result.round) * 1_000n);
        } else {
          expect(result.error, `seed ${seed}`).toBeInstanceOf(PublicError);
          if ((result.error as PublicError).code !== 'outcome_unknown') expect(count, `seed ${seed}`).toBe(0);
        }
      }
    }
  });
});

test('what was applied is read back with its outcome', async () => {
  const { world, server, lanes } = createWorld(10);
  startActor(server, 1);
  const sent = attempt(lanes, 3, contribution(3));
  await world.passes(500);
  const { answer } = await sent;
  const back = lanes.readBack(1, answer!.sequence, answer!.index);
  await world.passes(200);
  expect(await back).toMatchObject({
    command: { kind: 'Contribute', gameround: 'round-3' },
    outcome: answer!.outcome,
    timestampMs: answer!.timestampMs,
  });
});

describe('a message without room for every contribution', () => {
  test('is followed by others that take the rest, each once and soon enough', async () => {
    const { world, server, lanes } = createWorld(5);
    const applied = startActor(server, 0, { room: 3 });
    const answers: LaneAnswer[] = [];
    for (let round = 0; round < 100; round += 1) {
      void lanes.send(0, contribution(round)).then((answer) => answers.push(answer));
    }
    await world.until(() => answers.length === 100, batchLimits.deadlineMs, 'every answer');
    expect(new Set(answers.map(({ outcome }) => outcome.kind))).toEqual(new Set(['Contributed']));
    expect([...applied.values()]).toEqual(Array(100).fill(1));
    const batches = server.lanes[0]!.commands.map(({ bytes }) => decodeCommandBatch(bytes).commands.length);
    // Batches that follow are as large as the room is, and double where it was enough.
    expect(batches.reduce((sum, each) => sum + each, 0)).toBeLessThan(400);
    expect(lanes.status()[0]!.outstanding).toBe(0);
  });

  test('refuses in the end, and at once what a callback tells', async () => {
    const { world, server, lanes } = createWorld(6);
    startActor(server, 0, { room: 0 });
    const answers: LaneAnswer[] = [];
    void lanes.send(0, contribution(1)).then((answer) => answers.push(answer));
    const callback = { webHook: 'https://hooks.example.com/x', winResultOnly: false };
    const told = lanes.send(0, contribution(2, { callback }));
    await world.passes(1_000);
    expect((await told).outcome).toMatchObject({ kind: 'Refused', code: 'overloaded' });
    expect(answers).toEqual([]);
    await world.until(() => answers.length === 1, 2 * batchLimits.deadlineMs, 'the refusal');
    expect(answers[0]!.outcome).toMatchObject({ kind: 'Refused', code: 'overloaded' });
    expect(lanes.status()[0]!.outstanding).toBe(0);
  });

  test('that cannot be told from another refusal is none: reasons of its own are answered at once', async () => {
    const { world, server, lanes } = createWorld(7);
    const node = server.connect('actor');
    node.log.follow(0, 1, {
      message: ({ bytes, sequence, timestampMs }) => {
        const { batchId, commands } = decodeCommandBatch(bytes);
        const outcomes = commands.map(
          () => ({ kind: 'Refused', code: 'overloaded', message: 'too many debits are open' }) as const,
        );
        const reply = {
          batchId,
          lane: 0,
          sequence,
          timestampMs,
          outcomes,
          liveValues: new Uint8Array(0),
          events: [],
          wins: [],
          late: [],
        };
        node.bus.publish(subjects.reply('g1'), encodeBatchReply(reply));
      },
    });
    const answered = lanes.send(0, contribution(1));
    await world.passes(500);
    expect((await answered).outcome).toMatchObject({ message: 'too many debits are open' });
    expect(server.lanes[0]!.commands).toHaveLength(1);
  });
});

test('an answer that is too large for the bus is read from the log, with what it changed', async () => {
  const { world, server, lanes } = createWorld(8);
  const heard: number[] = [];
  lanes.onReply(({ sequence, outcomes }) => void heard.push(sequence * 100 + outcomes.length));
  startActor(server, 0, { large: true });
  const answers: LaneAnswer[] = [];
  for (let round = 0; round < 5; round += 1) {
    void lanes.send(0, contribution(round)).then((answer) => answers.push(answer));
  }
  await world.until(() => answers.length === 5, 1_000, 'every answer');
  expect(answers.map(({ outcome }) => outcome.kind)).toEqual(Array(5).fill('Contributed'));
  expect(heard.reduce((sum, each) => sum + (each % 100), 0)).toBe(5);
});

describe('a lane that is full', () => {
  const beat = (server: SimServer, lane: number, condition: 'serving' | 'full') => {
    const common = { lane, host: 'h', term: 1, appliedSequence: 0, storedOutcome: 0 };
    const code = condition === 'full' ? `OUT_${lane}` : '';
    const owner = server.connect(`owner of ${lane}`);
    owner.bus.publish(subjects.heartbeat(lane), encodeHeartbeat({ ...common, condition, code }));
  };
  const suspend = (lane: number): Command => ({
    kind: 'SetStatus',
    instance: `of ${lane}`,
    status: 'Suspended',
    reason: '',
    to: '',
    user: 'admin',
    expectedVersion: null,
  });

  test('takes no contributions and nothing stored, until its owner says otherwise', async () => {
    const { world, server, lanes } = createWorld(12);
    startActor(server, 1);
    beat(server, 1, 'full');
    await world.passes(50);
    const refused = (await attempt(lanes, 1, contribution(1))).error;
    expect(refused).toMatchObject({ code: 'storage_unavailable', retryAfterSeconds: 30 });
    expect(server.lane(1).commands).toEqual([]);
    beat(server, 1, 'serving');
    await world.passes(50);
    const taken = attempt(lanes, 2, contribution(2));
    await world.passes(500);
    expect(amountOf(await taken)).toBe(2_000n);
  });

  test('still takes what stops something, and the other lanes take everything', async () => {
    const { world, server, lanes } = createWorld(13);
    beat(server, 1, 'full');
    await world.passes(50);
    void lanes.send(1, suspend(1)).catch(() => {});
    void lanes.send(0, contribution(1)).catch(() => {});
    await world.passes(50);
    expect([server.lane(0).commands.length, server.lane(1).commands.length]).toEqual([1, 1]);
  });
});

test('what is sent and not answered has a limit in bytes', async () => {
  const { world, server, lanes } = createWorld(14);
  server.up = false;
  const metadata = 'm'.repeat(8 * 1024);
  const refusals: string[] = [];
  for (let round = 1; round <= 6_000; round += 1) {
    void attempt(lanes, round, contribution(round, { eventMetadata: metadata })).then(({ error }) =>
      refusals.push((error as PublicError).code),
    );
    if (round % 16 === 0) await world.passes(0);
  }
  const overloaded = refusals.filter((code) => code === 'overloaded').length;
  expect(overloaded).toBeGreaterThan(1_500);
  expect(6_000 - overloaded).toBeGreaterThan(3_500);
});
