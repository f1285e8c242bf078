import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  listEpochsOperation,
  readEpochOperation,
} from '../../../src/gateway/api/operations/fairness/epochs.ts';
import { createRevealedEpochs, publishedPage } from '../../../src/gateway/api/services/published-epochs.ts';
import { createReaders } from '../../../src/gateway/api/services/readers.ts';
import type { Log } from '../../../src/ports.ts';
import { systemClock } from '../../../src/wiring.ts';
import { nodeHashing } from '../../../tools/verify/node-hashing.ts';
import { verifyEpoch } from '../../../verifier/src/verify.ts';
import { contribution, createInstance, setStatus } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { ActorWorld, lane } from '../actor-world.ts';

const instances = Array.from({ length: 20 }, (_, index) => `pot-${index}`);
const epochSequences = 40;
/** More than a lane remembers. */
const epochsEach = 12;
const engine = { epochMs: 86_400_000, epochSequences };
const perBatch = 120;

interface Row {
  readonly epoch: number;
  readonly state: 'committed' | 'running' | 'ended' | 'revealed';
  readonly commit: string;
  readonly seed: string | null;
  readonly published: boolean;
}

let world: ActorWorld;
beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

/** What the two public reads need of a gateway. */
function context() {
  return {
    directory: {
      known: (instance: string) => ({ lane, description: { instance, owner: 'op' } }),
      unknownOr: (code: string) => code,
      entries: { operators: new Map() },
    },
    lanes: { query: (_lane: number, query: never) => world.query(query) },
    epochDocument: async (instance: string, epoch: number, page: number) =>
      publishedPage(await world.log.archive('EPOCHS'), instance, epoch, page),
    readers: createReaders(systemClock),
    revealedEpochs: createRevealedEpochs(
      () => world.log.table('EPOCHS'),
      () => world.log.archive('EPOCHS'),
    ),
  } as never;
}

async function list(instance: string): Promise<readonly Row[]> {
  const request = { params: { instance_id: instance }, query: { limit: 500 }, headers: {} };
  return (await listEpochsOperation.handle(request as never, context())).body as readonly Row[];
}

async function one(instance: string, epoch: number): Promise<Record<string, unknown>> {
  const request = { params: { instance_id: instance, epoch }, query: {}, headers: {} };
  const { body, text } = await readEpochOperation.handle(request as never, context());
  return (text === undefined ? body : JSON.parse(text)) as Record<string, unknown>;
}

/** Sends contributions to all instances in turn, until each has drawn in so many further epochs. */
async function contribute(epochs: number): Promise<void> {
  const total = epochs * epochSequences * instances.length;
  for (let sent = 0; sent < total; sent += perBatch) {
    const commands = Array.from({ length: perBatch }, (_, index) =>
      contribution({
        contributionId: randomBytes(16),
        player: `p${index % 7}`,
        target: { type: 'instance', id: instances[(sent + index) % instances.length]! },
      }),
    );
    await world.reply(await world.send(commands));
  }
}

/** Every epoch that exists is told, by the list and alone, and what is told fits. */
async function checkReads(instance: string): Promise<readonly Row[]> {
  const rows = await list(instance);
  expect(rows.map(({ epoch }) => epoch)).toEqual(rows.map((_, index) => index));
  const order = ['revealed', 'ended', 'running', 'committed'];
  const states = rows.map(({ state }) => order.indexOf(state));
  expect(states).toEqual([...states].sort());
  for (const row of rows) {
    const alone = await one(instance, row.epoch);
    expect(row.commit, `${instance} ${row.epoch}`).toMatch(/^[0-9a-f]{64}$/);
    expect(alone.commit).toBe(row.commit);
    // It goes on between the two reads, in one direction only.
    expect(order.indexOf(alone.state as string)).toBeLessThanOrEqual(order.indexOf(row.state));
    if (row.state !== 'committed')
      expect(alone.header).toMatchObject({ instance, epoch: row.epoch, commit: row.commit });
    if (row.state === 'revealed') expect([row.seed, alone.state]).toEqual([alone.seed, 'revealed']);
    if (row.published) expect(alone.groups).not.toBeNull();
    expect(alone.published).toBe(alone.groups === null ? false : undefined);
  }
  return rows;
}

/** Counts who begins to replay the lane: its host, and the replay that publishes. */
function counted() {
  const replays = { count: 0 };
  const through = (log: Log): Log =>
    new Proxy(log, {
      get(target, member) {
        const value = Reflect.get(target, member, target) as unknown;
        if (member !== 'nextCommand') return typeof value === 'function' ? value.bind(target) : value;
        return (...asked: Parameters<Log['nextCommand']>) => {
          // The first thing that each does.
          if (asked[1] === 'quarantine') replays.count += 1;
          return target.nextCommand(...asked);
        };
      },
    });
  return { replays, through };
}

it('publishes short epochs of twenty instances in one replay, told at every moment, over a kill', async () => {
  const before = counted();
  const first = await world.startHost('first', { engine, snapshotEveryMessages: 40 }, before.through);
  await world.owned(first);
  for (const instance of instances)
    await world.reply(await world.send([createInstance(threePots(), { instance })]));
  await world.reply(await world.send(instances.map((instance) => setStatus('Active', instance))));

  await contribute(3);
  for (const instance of instances.slice(0, 3)) await checkReads(instance);
  await world.until(async () => (await list('pot-0'))[0]!.published, 'an epoch is published');
  await contribute(3);
  await first.abort();
  expect(before.replays.count).toBe(2);

  const after = counted();
  const second = await world.startHost('second', { engine, snapshotEveryMessages: 40 }, after.through);
  await world.owned(second);
  for (const instance of instances.slice(3, 6)) await checkReads(instance);
  await contribute(epochsEach - 6);
  for (const instance of instances.slice(6, 9)) await checkReads(instance);

  for (const instance of instances) {
    await world.until(async () => {
      const revealed = (await list(instance)).filter(({ state }) => state === 'revealed');
      return revealed.length >= epochsEach - 2 && revealed.every(({ published }) => published);
    }, `every revealed epoch of ${instance} is published`);
  }
  expect(after.replays.count).toBe(2);
  for (const [index, instance] of instances.entries()) {
    const rows = await checkReads(instance);
    expect(rows.filter(({ published }) => published).length).toBeGreaterThanOrEqual(epochsEach - 2);
    const report = verifyEpoch(await one(instance, index % (epochsEach - 2)), nodeHashing);
    expect(report.failure, instance).toBeNull();
    expect(report.counts.contributions).toBeGreaterThanOrEqual(epochSequences);
  }
  expect(world.alarms).toEqual([]);
}, 300_000);
