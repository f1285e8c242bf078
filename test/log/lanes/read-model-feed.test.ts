import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeDirectoryValue } from '../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../src/contracts/directory/directory-keys.ts';
import { ReadModel } from '../../../src/directory/read-model.ts';
import { querySubject, tickSubject } from '../../../src/log/base/names.ts';
import { type ReadModelFeed, startReadModelFeed } from '../../../src/log/lanes/read-model-feed.ts';
import {
  decodeLaneQueryRequest,
  encodeLaneQueryAnswer,
  encodeLaneTick,
  encodeOutcomeRecord,
} from '../../../src/messages/codec/codec.ts';
import { packLiveValues, unpackLiveValues } from '../../../src/messages/codec/live-values.ts';
import type { LaneEvent } from '../../../src/messages/events.ts';
import type { LiveValues } from '../../../src/messages/records.ts';
import { described, headlined } from '../../directory/support/read-model.ts';
import { creditRecord } from '../../messages/settlement-arbitraries.ts';
import { noFaults, type SimNode, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const pageInstances = 200;
const patienceMs = 60_000;

/** A lane's owner as far as a read model sees it: instances with a status and a value, and the bindings of one source. */
class Owner {
  sequence = 0;
  readonly allLiveValues = new Map<string, LiveValues>();
  bound: readonly string[] = [];
  node: SimNode;
  readonly server: SimServer;

  constructor(server: SimServer) {
    this.server = server;
    this.node = server.connect('owner');
    this.start();
  }

  start(): void {
    this.node.bus.subscribe(querySubject(0), (message) => {
      const { query } = decodeLaneQueryRequest(message.bytes);
      if (query.kind !== 'state') throw new Error(`asked for ${query.kind}`);
      const ids = [...this.allLiveValues.keys()];
      message.respond(
        encodeLaneQueryAnswer({
          kind: 'state',
          sequence: this.sequence,
          total: ids.length,
          next: query.offset + pageInstances,
          instances: ids.slice(query.offset, query.offset + pageInstances).map((id) => ({
            description: this.description(id),
            liveValues: this.allLiveValues.get(id)!,
          })),
          bindings: query.offset === 0 ? [this.bindings()] : [],
        }),
      );
    });
  }

  restart(): void {
    this.node.kill();
    this.node = this.server.connect('owner');
    this.start();
  }

  create(id: string): void {
    this.allLiveValues.set(id, headlined(id, { status: 'Pending' }));
    this.store([{ kind: 'InstanceChanged', instance: this.description(id) }]);
  }

  /** Values move in every message, seen only by ticks; a status is an event too. */
  move(id: string, status: string): void {
    const before = this.allLiveValues.get(id)!;
    const sequence = before.sequence + 1;
    const pots = [{ pot: 'p', currentAtoms: BigInt(sequence), instanceCount: 1, enabled: true }];
    this.allLiveValues.set(id, { ...before, sequence, status, pots });
    const changed: LaneEvent = { kind: 'StatusChanged', instance: id, counter: 1, status, reason: '' };
    this.store(before.status === status ? [] : [changed]);
  }

  bind(ids: readonly string[]): void {
    this.bound = ids;
    this.store([{ kind: 'BindingsChanged', ...this.bindings() }]);
  }

  tick(): void {
    const liveValues = packLiveValues([...this.allLiveValues.values()]);
    const tick = { lane: 0, appliedSequence: this.sequence, storedOutcome: this.sequence, liveValues };
    this.node.bus.publish(tickSubject(0), encodeLaneTick(tick));
  }

  private description(id: string) {
    const { status, sequence } = this.allLiveValues.get(id)!;
    return described(id, { status, sequence });
  }

  private bindings() {
    const bindings = this.bound.map((instance, priority) => ({ instance, priority }));
    return { of: 'source' as const, owner: 'op', id: 's', bindings };
  }

  store(events: readonly LaneEvent[]): void {
    this.sequence += 1;
    const record = encodeOutcomeRecord({
      sequence: this.sequence,
      timestampMs: this.server.world.nowMs,
      laneHead: new Uint8Array(32),
      instances: [],
      outcomes: [],
      work: [],
      events,
    });
    const routing = { wallet: false, hooks: false, events: events.length > 0 };
    this.server.appendOutcome(0, this.sequence, routing, record);
  }
}

async function follow(
  server: SimServer,
  readModel: ReadModel,
): Promise<{ feed: ReadModelFeed; node: SimNode }> {
  const node = server.connect('gateway');
  const clock = server.world.clock(() => node.alive);
  return { node, feed: await startReadModelFeed(readModel, { log: node.log, bus: node.bus, clock }, 1) };
}

function agrees(readModel: ReadModel, owner: Owner): boolean {
  const bound = readModel.lanes.bindings('source', 'op', 's').map((binding) => binding.instance);
  if (bound.join() !== owner.bound.join()) return false;
  return [...owner.allLiveValues].every(([id, truth]) => {
    const seen = readModel.known(id)?.liveValues;
    return seen?.status === truth.status && seen.pots[0]?.currentAtoms === truth.pots[0]?.currentAtoms;
  });
}

describe('the feed of a read model', () => {
  it('waits for actors that start later, and reads all pages', async () => {
    const world = new SimWorld(1);
    const server = new SimServer(world, 1);
    const readModel = new ReadModel(1);
    const { feed } = await follow(server, readModel);
    await world.passes(5_000);
    expect(readModel.current()).toBe(false);
    const owner = new Owner(server);
    for (let index = 0; index < 450; index += 1) owner.create(`i${index}`);
    await world.until(() => readModel.current() && agrees(readModel, owner), patienceMs, 'the state');
    await feed.stop();
  });

  it('follows the directory, and reports an entry that does not read without stopping', async () => {
    const world = new SimWorld(1);
    const server = new SimServer(world, 1);
    const readModel = new ReadModel(1);
    const { feed, node } = await follow(server, readModel);
    const table = await node.log.table('DIRECTORY');
    const value = encodeDirectoryValue('operator', { name: 'n', enabled: true, created_timestamp: 1 });
    const writes = [
      table.put(directoryKey.operator('broken'), Buffer.from('{}'), 0),
      table.put('later.kind', Buffer.from('?'), 0),
      table.put(directoryKey.operator('op'), value, 0),
    ];
    await world.until(() => readModel.operator('op') !== undefined, patienceMs, 'the operator');
    expect(readModel.operator('broken')).toBeUndefined();
    await world.passes(1_000);
    const revisions = (await Promise.all(writes)).map((revision) => revision ?? 0);
    expect(readModel.revision).toBe(Math.max(...revisions));
    await feed.stop();
  });

  it('takes answers in at once', async () => {
    const world = new SimWorld(1);
    const server = new SimServer(world, 1);
    const readModel = new ReadModel(1);
    const { feed } = await follow(server, readModel);
    feed.replied({
      batchId: new Uint8Array(16),
      lane: 0,
      sequence: 7,
      timestampMs: 1,
      outcomes: [],
      allLiveValues: unpackLiveValues(packLiveValues([headlined('one', { sequence: 3 })])),
      events: [{ kind: 'InstanceChanged', instance: described('one') }],
      wins: [],
      late: [],
    });
    expect(readModel.known('one')?.liveValues).toEqual(headlined('one', { sequence: 3 }));
    await feed.stop();
  });

  it('says which credits a stored record has changed', async () => {
    const world = new SimWorld(1);
    const server = new SimServer(world, 1);
    const readModel = new ReadModel(1);
    const owner = new Owner(server);
    const { feed } = await follow(server, readModel);
    await world.until(() => readModel.current(), patienceMs, 'the lane');
    const seen: string[] = [];
    const unlisten = readModel.onCredit(({ transactionId }) => seen.push(transactionId));
    const credits = fc.sample(creditRecord, { numRuns: 3, seed: 1 });
    const store = (credit: (typeof credits)[number]) => owner.store([{ kind: 'PayoutChanged', credit }]);
    for (const credit of credits.slice(0, 2)) store(credit);
    await world.until(() => seen.length === 2, patienceMs, 'the credits');
    expect(seen).toEqual(credits.slice(0, 2).map(({ transactionId }) => transactionId));
    unlisten();
    store(credits[2]!);
    await world.passes(1_000);
    expect(seen).toHaveLength(2);
    await feed.stop();
  });

  it('agrees with the lane after faults have healed, for 60 seeds', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const world = new SimWorld(seed);
      const server = new SimServer(world, 1);
      const owner = new Owner(server);
      const readModel = new ReadModel(1);
      const { feed } = await follow(server, readModel);
      server.faults = {
        ...noFaults,
        lostBusMessage: 0.3,
        lostRequest: 0.1,
        lostAnswer: 0.1,
        maxDelayMs: 40,
      };
      for (let step = 0; step < 60; step += 1) {
        const ids = [...owner.allLiveValues.keys()];
        const chosen = ids[world.between(0, Math.max(0, ids.length - 1))];
        const dice = world.between(0, 9);
        if (dice === 0 || chosen === undefined) owner.create(`i${step}`);
        else if (dice === 1) owner.bind(ids.filter(() => world.chance(0.5)));
        else if (dice === 2) owner.restart();
        else if (dice === 3) server.up = !server.up;
        else if (dice < 6) owner.tick();
        else owner.move(chosen, world.chance(0.5) ? 'Active' : 'Paused');
        await world.passes(world.between(0, 300));
      }
      server.up = true;
      server.faults = noFaults;
      await world.passes(5_000);
      owner.tick();
      await world.until(() => readModel.current() && agrees(readModel, owner), patienceMs, 'agreement');
      await feed.stop();
    }
  });
});
