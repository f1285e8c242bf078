import { expect, it } from 'vitest';
import { ReadModel } from '../../../src/directory/read-model.ts';
import { querySubject, tickSubject } from '../../../src/log/base/names.ts';
import { type ReadModelFeed, startReadModelFeed } from '../../../src/log/lanes/read-model-feed.ts';
import {
  decodeLaneQueryRequest,
  encodeLaneQueryAnswer,
  encodeLaneTick,
  encodeOutcomeRecord,
} from '../../../src/messages/codec/codec.ts';
import { packLiveValues } from '../../../src/messages/codec/live-values.ts';
import type { Binding, LiveValues } from '../../../src/messages/records.ts';
import { described, headlined } from '../../directory/support/read-model.ts';
import { noFaults, type SimNode, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

/**
 * No caller reads less than it read before (docs/rules/log.md "Monotonic reads"), across the death of the process that
 * it read from, while a standby that is behind answers for the lane.
 */

const patienceMs = 60_000;
const ids = ['a', 'b', 'c'];

interface LaneState {
  readonly sequence: number;
  readonly allLiveValues: ReadonlyMap<string, LiveValues>;
  readonly bound: readonly Binding[];
}

/** A lane whose owner applies messages; now and then it is a standby that answers, from an older state. */
class Lane {
  readonly server: SimServer;
  readonly history: LaneState[];
  /** How many messages whoever answers is behind. */
  lag = 0;
  refused = 0;
  readonly #node: SimNode;

  constructor(server: SimServer) {
    this.server = server;
    this.#node = server.connect('actors');
    const allLiveValues = new Map(ids.map((id) => [id, headlined(id)]));
    this.history = [{ sequence: 0, allLiveValues, bound: [] }];
    this.#node.bus.subscribe(querySubject(0), (message) => {
      const { minSequence } = decodeLaneQueryRequest(message.bytes);
      const state = this.history.at(-1 - Math.min(this.lag, this.history.length - 1))!;
      const isBehind = state.sequence < minSequence;
      if (isBehind) this.refused += 1;
      message.respond(
        encodeLaneQueryAnswer(
          isBehind
            ? { kind: 'refused', code: 'overloaded', message: '' }
            : {
                kind: 'state',
                sequence: state.sequence,
                total: ids.length,
                next: ids.length,
                instances: ids.map((id) => ({
                  description: described(id, { sequence: state.allLiveValues.get(id)!.sequence }),
                  liveValues: state.allLiveValues.get(id)!,
                })),
                bindings: state.bound.length === 0 ? [] : [list(state.bound)],
              },
        ),
      );
    });
  }

  get now(): LaneState {
    return this.history.at(-1)!;
  }

  /** A contribution, which read models see by ticks only, or a change of the bindings, which they see by events. */
  apply(id: string, bound: readonly Binding[] | null): void {
    const { sequence, allLiveValues, bound: before } = this.now;
    const liveValues = allLiveValues.get(id)!;
    const next = {
      sequence: sequence + 1,
      allLiveValues: new Map(allLiveValues).set(id, { ...liveValues, sequence: liveValues.sequence + 1 }),
      bound: bound ?? before,
    };
    this.history.push(next);
    this.server.appendCommand(0, 'batch', new Uint8Array(1), `m${next.sequence}`);
    const record = encodeOutcomeRecord({
      sequence: next.sequence,
      timestampMs: this.server.world.nowMs,
      laneHead: new Uint8Array(32),
      instances: [],
      outcomes: [],
      work: [],
      events: bound === null ? [] : [{ kind: 'BindingsChanged', ...list(bound) }],
    });
    const routing = { wallet: false, hooks: false, events: bound !== null };
    this.server.appendOutcome(0, next.sequence, routing, record);
  }

  tick(): void {
    const { sequence, allLiveValues } = this.now;
    const tick = {
      lane: 0,
      appliedSequence: sequence,
      storedOutcome: sequence,
      liveValues: packLiveValues([...allLiveValues.values()]),
    };
    this.#node.bus.publish(tickSubject(0), encodeLaneTick(tick));
  }
}

it('a restarted watcher shows nothing older than the killed one did, for 60 seeds', async () => {
  let refused = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const world = new SimWorld(seed);
    const server = new SimServer(world, 1);
    const lane = new Lane(server);
    server.faults = { ...noFaults, lostBusMessage: 0.2, lostRequest: 0.1, lostAnswer: 0.1, maxDelayMs: 30 };
    let watcher = await start(server);
    for (let step = 0; step < 40; step += 1) {
      const dice = world.between(0, 9);
      if (dice === 0) {
        const before = shownBy(watcher.readModel);
        watcher.node.kill();
        void watcher.feed.stop();
        lane.lag = world.between(0, 8);
        watcher = await start(server);
        await world.passes(world.between(0, 1_500));
        if (watcher.readModel.current()) expectNoLess(before, shownBy(watcher.readModel));
        // The standby catches up at last.
        lane.lag = 0;
        await world.until(() => watcher.readModel.current(), patienceMs, 'the new watcher');
        expectNoLess(before, shownBy(watcher.readModel));
      } else if (dice < 3) lane.tick();
      else {
        const bound = ids
          .filter(() => world.chance(0.5))
          .map((instance, priority) => ({ instance, priority }));
        lane.apply(ids[world.between(0, 2)]!, dice === 3 ? bound : null);
      }
      await world.passes(world.between(0, 200));
    }
    server.faults = noFaults;
    await world.passes(3_000);
    lane.tick();
    await world.until(() => agrees(watcher.readModel, lane.now), patienceMs, 'agreement');
    refused += lane.refused;
    await watcher.feed.stop();
  }
  expect(refused).toBeGreaterThan(10);
});

interface Watcher {
  readonly readModel: ReadModel;
  readonly feed: ReadModelFeed;
  readonly node: SimNode;
}

async function start(server: SimServer): Promise<Watcher> {
  const node = server.connect('gateway');
  const readModel = new ReadModel(1);
  const clock = server.world.clock(() => node.alive);
  const feed = await startReadModelFeed(readModel, { log: node.log, bus: node.bus, clock }, 1);
  return { readModel, feed, node };
}

/** The number of an instance's last change that a reader has seen. */
function shownBy(readModel: ReadModel): ReadonlyMap<string, number> {
  return new Map(
    ids.flatMap((id) => {
      const known = readModel.known(id);
      return known === undefined ? [] : [[id, known.liveValues.sequence] as const];
    }),
  );
}

function expectNoLess(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  for (const [id, sequence] of before) expect(after.get(id) ?? -1).toBeGreaterThanOrEqual(sequence);
}

function agrees(readModel: ReadModel, { allLiveValues, bound }: LaneState): boolean {
  const shown = readModel.lanes.bindings('source', 'op', 's');
  return (
    JSON.stringify(shown) === JSON.stringify(bound) &&
    ids.every((id) => readModel.known(id)?.liveValues.sequence === allLiveValues.get(id)!.sequence)
  );
}

function list(bindings: readonly Binding[]) {
  return { of: 'source' as const, owner: 'op', id: 's', bindings };
}
