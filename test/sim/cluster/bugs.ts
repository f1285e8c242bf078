import { vi } from 'vitest';
import { Emitter } from '../../../src/actors/lane/emit/emitter.ts';
import { Ownership, type OwnershipChange } from '../../../src/actors/lane/ownership/ownership.ts';
import type { ActorPorts, Engines } from '../../../src/actors/ports/actor-ports.ts';
import type { OpenJournal } from '../../../src/actors/ports/journal.ts';
import type { SnapshotDraft } from '../../../src/actors/ports/snapshot-store.ts';
import { partsOfBytes, readInParts } from '../../../src/actors/recovery/snapshots/parts.ts';
import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import { frame, unframe } from '../../../src/lib/json-chunks.ts';
import { LoopTurn } from '../../../src/lib/turns.ts';
import { writeLiveValues } from '../../../src/messages/codec/live-values.ts';
import type { LiveValues } from '../../../src/messages/records.ts';
import type { AppendResult, Log, Table } from '../../../src/ports.ts';
import type { SimNode, SimServer } from '../../support/sim-server.ts';
import type { Bug } from './cluster.ts';

/** What OUT's expected sequence prevents: an owner's record is taken, whatever is there already. */
export function unfencedOutcomes(): Bug {
  return {
    log: (log, { node: { server } }) => ({
      ...log,
      async appendOutcome(lane, sequence, routing, bytes): Promise<AppendResult> {
        const result = await log.appendOutcome(lane, sequence, routing, bytes);
        if (result.kind === 'stored') return result;
        return server.appendOutcome(lane, server.lane(lane).outcomes.length + 1, routing, bytes);
      },
      async appendBlock(lane, first, records): Promise<AppendResult> {
        const result = await log.appendBlock(lane, first, records);
        if (result.kind === 'stored') return result;
        return server.appendBlock(lane, server.lane(lane).outcomes.length + 1, records);
      },
    }),
  };
}

const spoilsEvery = 20;

/** Every 20th block is stored in another way than it was given. */
function spoiledBlocks(
  spoil: (server: SimServer, ...block: Parameters<Log['appendBlock']>) => AppendResult,
): Bug {
  let blocks = 0;
  return {
    log: (log, { node: { server } }) => ({
      ...log,
      async appendBlock(...block): Promise<AppendResult> {
        blocks += 1;
        if (blocks % spoilsEvery !== 0) return log.appendBlock(...block);
        return spoil(server, ...block);
      },
    }),
  };
}

/** A block lacks its last record, and counts as stored. */
export const holeBetweenBlocks = (): Bug =>
  spoiledBlocks((server, lane, first, records) => {
    const stored = server.appendBlock(lane, first, records.slice(0, -1));
    return stored.kind === 'stored' ? { ...stored, sequence: first + records.length - 1 } : stored;
  });

/** A block is stored twice. */
export const blockTwice = (): Bug =>
  spoiledBlocks((server, lane, first, records) => {
    const stored = server.appendBlock(lane, first, records);
    if (stored.kind === 'stored') server.appendBlock(lane, first + records.length, records);
    return stored;
  });

/** A block begins with the last record of the one before. */
export const overlappingBlock = (): Bug =>
  spoiledBlocks((server, lane, first, records) => {
    const before = server.lane(lane).outcomes.at(-1);
    return server.appendBlock(lane, first, before === undefined ? records : [before, ...records]);
  });

/** The fence of a block skips one record. */
export const fenceThatSkips = (): Bug =>
  spoiledBlocks((server, lane, first, records) => {
    const [, ...others] = records;
    return server.appendBlock(lane, first, others.length === 0 ? records : others);
  });

/** An owner that reads another one's claim goes on emitting. */
export function ownerThatStays(): Bug {
  return {
    plant() {
      const { observe } = Ownership.prototype;
      vi.spyOn(Ownership.prototype, 'observe').mockImplementation(function (this: Ownership, applied) {
        const change: OwnershipChange = observe.call(this, applied);
        return change.kind === 'lost' ? { ...change, kind: 'none' } : change;
      });
    },
  };
}

const renewEveryMs = 800;

/** A record that was renewed without its TTL stays there, and looks renewed, although its holder has died. */
export function leasesWithoutTtl(): Bug {
  return {
    table: (table, name, { node }) =>
      name !== 'HOSTS' ? table : { ...table, put: (...entry) => putForEver(table, node, ...entry) },
  };
}

async function putForEver(
  table: Table,
  node: SimNode,
  ...[key, value, expected]: Parameters<Table['put']>
): Promise<number | null> {
  const revision = await table.put(key, value, expected);
  if (revision !== null) renewLater(node, key, revision);
  return revision;
}

function renewLater(node: SimNode, key: string, revision: number): void {
  const { server } = node;
  server.world.schedule(renewEveryMs, () => {
    const present = server.entries('HOSTS').get(key);
    if (present?.revision !== revision || present.value === null) return;
    const renewed = node.alive ? revision : server.putEntry('HOSTS', key, present.value, revision);
    if (renewed !== null) renewLater(node, key, renewed);
  });
}

/** A reply is made before its message is applied: callers see the values of the message before. */
export function replyBeforeApply(): Bug {
  return {
    ports: withEngines((engine) => {
      const apply = engine.apply.bind(engine);
      const liveValues = engine.liveValues.bind(engine);
      const written = engine.writeLiveValues.bind(engine);
      engine.apply = (...message) => {
        const before = new Map<string, LiveValues | null>();
        for (const instance of engine.instances()) before.set(instance, liveValues(instance));
        const outcome = apply(...message);
        engine.writeLiveValues = (instance, sink) => {
          const values = before.get(instance) ?? liveValues(instance);
          if (values !== null) writeLiveValues(sink, values);
        };
        queueMicrotask(() => {
          engine.writeLiveValues = written;
        });
        return outcome;
      };
    }),
  };
}

/** What was on its way when the connection broke is neither sent again nor reported as failed. */
export function dropsBatchOnRedial(): Bug {
  return {
    gatewayLog: (log, node) => ({
      ...log,
      append: (...message) =>
        new Promise((resolve, reject) => {
          let wasCut = node.isCut;
          const watch = node.server.world.schedule(50, () => {
            wasCut ||= node.isCut;
          });
          log.append(...message).then(resolve, (error) => {
            watch();
            if (!wasCut && !node.isCut) reject(error);
          });
        }),
    }),
  };
}

/** The same batch is sent again under another message id: nothing deduplicates it. */
export function batchWithOtherIds(): Bug {
  let tries = 0;
  return {
    gatewayLog: (log) => ({
      ...log,
      append(lane, channel, bytes, options) {
        tries += 1;
        return log.append(lane, channel, bytes, { ...options, messageId: `${options.messageId}-${tries}` });
      },
    }),
  };
}

const forgetsEvery = 30;

/** nats-server acknowledges before it stores: now and then a batch is gone. */
export function acknowledgesBeforeItStores(): Bug {
  return {
    plant({ hosts: { server } }) {
      let batches = 0;
      const { appendCommand } = server;
      server.appendCommand = (lane, channel, ...rest) => {
        if (channel === 'batch') batches += 1;
        if (channel !== 'batch' || batches % forgetsEvery !== 0)
          return appendCommand.call(server, lane, channel, ...rest);
        return { kind: 'stored', sequence: server.lane(lane).commands.length + 1, duplicate: false };
      };
    },
  };
}

/** A snapshot says that it holds the last message, and does not. */
export function snapshotOneShort(): Bug {
  return {
    ports: withEngines((engine) => {
      let before: Uint8Array[] | null = null;
      const apply = engine.apply.bind(engine);
      const snapshot = engine.snapshot.bind(engine);
      engine.apply = (...message) => {
        before = Array.from(snapshot(), (chunk) => chunk.slice());
        return apply(...message);
      };
      engine.snapshot = () => before?.map((chunk) => atSequence(chunk, engine.appliedSequence)) ?? snapshot();
    }),
  };
}

function atSequence(chunk: Uint8Array, appliedSequence: number): Uint8Array {
  const { facts, payload } = unframe(chunk);
  return typeOf(chunk) === 'lane' ? frame({ ...(facts as object), appliedSequence }, payload) : chunk;
}

function typeOf(chunk: Uint8Array): string {
  return (unframe(chunk).facts as { readonly type: string }).type;
}

/** A snapshot is visible once it is written, before OUT has the outcome of its sequence. */
export function snapshotAheadOfOutcomes(): Bug {
  return {
    ports: (ports) => ({
      ...ports,
      snapshots: {
        ...ports.snapshots,
        create: async (header) => visibleOnceWritten(await ports.snapshots.create(header)),
      },
    }),
  };
}

/** A simulation has no time that passes within a turn. */
const noTurns = new LoopTurn(() => 0);

function visibleOnceWritten(draft: SnapshotDraft): SnapshotDraft {
  const parts: Uint8Array[] = [];
  return {
    ...draft,
    async write(bytes) {
      parts.push(bytes.slice());
      await draft.write(bytes);
      if ((await readInParts(partsOfBytes(Buffer.concat(parts)), noTurns)) !== null) await draft.commit();
    },
    commit: async () => {},
    discard: async () => {},
  };
}

/** A snapshot brings everything back but the idempotency keys. */
export function snapshotWithoutKeys(): Bug {
  return {
    ports: (ports) => ({
      ...ports,
      engines: {
        create: () => ports.engines.create(),
        restore: (chunks) => ports.engines.restore([...chunks].filter((chunk) => typeOf(chunk) !== 'keys')),
      },
    }),
  };
}

/** A host that only follows answers and journals. */
export function standbyThatEmits(): Bug {
  return {
    plant() {
      const { accept } = Emitter.prototype;
      vi.spyOn(Emitter.prototype, 'accept').mockImplementation(function (this: Emitter, applied) {
        const room = accept.call(this, applied);
        if (!this.emitting && applied.sequence > this.storedOutcome) this.begin(this.storedOutcome);
        return room;
      });
    },
  };
}

/** An order that depends on the process: after a restoration instances come the other way round. */
export function unorderedIteration(): Bug {
  return {
    ports: withEngines((engine, isRestored) => {
      const apply = engine.apply.bind(engine);
      engine.apply = (...message) => {
        const outcome = apply(...message);
        return isRestored ? { ...outcome, instances: outcome.instances.toReversed() } : outcome;
      };
    }),
  };
}

/** The log says which version of the engine decides from here on: only the first host follows that. */
export function upgradeOfOneHost(): Bug {
  return {
    ports: (ports, life) =>
      life.index !== 0
        ? ports
        : withEngines((engine) => {
            let isUpgraded = false;
            const apply = engine.apply.bind(engine);
            engine.apply = (message, recorder) => {
              const outcome = apply(message, recorder);
              isUpgraded ||= message.commands.some(({ kind }) => kind === 'UpgradeTo');
              return isUpgraded ? { ...outcome, instances: outcome.instances.toReversed() } : outcome;
            };
          })(ports),
  };
}

/** An owner that loses its lane forgets the records that it has not stored. */
export function dropsPendingRecords(): Bug {
  const forgetful =
    (open: OpenJournal): OpenJournal =>
    (...options) => {
      const journal = open(...options);
      return {
        get storedSequence() {
          return journal.storedSequence;
        },
        get pendingCount() {
          return journal.pendingCount;
        },
        get pendingBytes() {
          return journal.pendingBytes;
        },
        pending: [],
        append: (...record) => journal.append(...record),
        room: () => journal.room(),
        drained: () => journal.drained(),
        flush: () => journal.flush(),
        stop: () => journal.stop(),
      };
    };
  return { ports: (ports) => ({ ...ports, openJournal: forgetful(ports.openJournal) }) };
}

/** Changes each engine that a host makes. */
function withEngines(
  change: (engine: LaneEngine, isRestored: boolean) => void,
): (ports: ActorPorts) => ActorPorts {
  return (ports) => {
    const engines: Engines = {
      create() {
        const engine = ports.engines.create();
        change(engine, false);
        return engine;
      },
      *restore(chunks) {
        const engine = yield* ports.engines.restore(chunks);
        change(engine, true);
        return engine;
      },
    };
    return { ...ports, engines };
  };
}
