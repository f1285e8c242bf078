import { toHex } from '../../../lib/bytes.ts';
import { bytesOf, frame } from '../../../lib/json-chunks.ts';
import type { EngineSettings } from '../../../messages/lane-commands.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { StoredBlock } from '../../state/instance/ticket-book.ts';
import type { StoredKeys } from '../../state/keys/idempotency.ts';
import type { BulkJob, LaneState } from '../../state/lane/lane-state.ts';
import type { PlayerSegment } from '../../state/players/player-segment.ts';
import { bulkChunks, copyBulk } from './bulk.ts';
import { instanceFacts } from './instance-facts.ts';
import { copyOpen, type OpenCopy, openChunks, openTables } from './open.ts';
import { ticketChunks } from './raffle-facts.ts';

export const snapshotVersion = 3;

/** The state as it was when the copy began: what changes before its turn is copied first. */
export class SnapshotCopy {
  readonly #state: LaneState;
  readonly #lane: Uint8Array;
  readonly #instances: readonly Instance[];
  readonly #keys: readonly StoredKeys[];
  readonly #open: OpenCopy;
  readonly #facts = new Map<Instance, Uint8Array>();
  readonly #tickets = new Map<Instance, readonly StoredBlock[]>();
  readonly #bulk: readonly BulkJob[];
  readonly #segments = new Map<PlayerSegment, Uint8Array>();

  constructor(state: LaneState) {
    state.generation += 1;
    this.#state = state;
    this.#lane = frame(laneFacts(state));
    this.#instances = [...state.instances.values()];
    this.#keys = state.keys.stored();
    this.#open = copyOpen(state);
    this.#bulk = copyBulk(state);
  }

  captureInstance(instance: Instance): void {
    instance.captured = this.#state.generation;
    if (instance.raffle !== null) this.#tickets.set(instance, instance.raffle.book.stored());
    this.#facts.set(instance, frame(instanceFacts(instance), bytesOf(instance.balances)));
  }

  captureSegment(instance: Instance, number: number): void {
    const segment = instance.players.segments[number]!;
    segment.captured = this.#state.generation;
    const rows = segment.rows.subarray(0, segment.count * instance.players.stride);
    const lastMs = instance.players.lastContributions(segment);
    const facts = {
      type: 'players',
      instance: instance.id,
      count: segment.count,
      arenaBytes: segment.arenaUsed,
      preferences: [...segment.preferences].map(([row, list]) => [
        row,
        list.map((each) => ({ ...each, atoms: each.atoms?.toString() ?? null })),
      ]),
    };
    const arena = segment.arena.subarray(0, segment.arenaUsed);
    this.#segments.set(segment, frame(facts, bytesOf(rows), bytesOf(lastMs), arena));
  }

  *chunks(): Iterable<Uint8Array> {
    try {
      yield this.#lane;
      for (const instance of this.#instances) yield* this.#instanceChunks(instance);
      for (const { words, ...facts } of this.#keys) {
        yield frame({ type: 'keys', ...facts }, bytesOf(words));
      }
      for (const chunk of openChunks(this.#open)) yield frame(chunk);
      for (const chunk of bulkChunks(this.#bulk)) yield frame(chunk);
      yield frame({ type: 'end' });
    } finally {
      if (this.#state.snapshot === this) this.#state.snapshot = null;
    }
  }

  *#instanceChunks(instance: Instance): Iterable<Uint8Array> {
    const { generation } = this.#state;
    if (instance.captured !== generation) this.captureInstance(instance);
    yield this.#facts.get(instance)!;
    this.#facts.delete(instance);
    for (const [facts, bytes] of ticketChunks(instance.id, this.#tickets.get(instance) ?? [])) {
      yield frame(facts, ...bytes);
    }
    this.#tickets.delete(instance);
    for (let number = 0; number < instance.players.segments.length; number++) {
      const segment = instance.players.segments[number]!;
      if (segment.captured !== generation) this.captureSegment(instance, number);
      const copy = this.#segments.get(segment);
      // A segment without a copy is younger than the snapshot.
      if (copy === undefined) continue;
      this.#segments.delete(segment);
      yield copy;
    }
  }
}

export type StoredLane = ReturnType<typeof laneFacts>;

function laneFacts(state: LaneState) {
  return {
    type: 'lane' as const,
    version: snapshotVersion,
    appliedSequence: state.appliedSequence,
    nowMs: state.nowMs,
    ownerEpoch: state.ownerTerm,
    engineVersion: state.engineVersion,
    /** Absent in older snapshots of this version. */
    settings: state.settings as EngineSettings | undefined,
    brands: state.brands.commands().map((each) => ({
      ...each,
      salt: toHex(each.salt),
      verificationLimitAtoms: each.verificationLimitAtoms?.toString() ?? null,
    })),
    rates: state.rates.commands(),
    /** Tables that open debits are priced with and that are not in force any more. */
    olderRates: openTables(state),
    /** How many follow; absent in older snapshots. */
    keys: state.keys.size as number | undefined,
    /** Absent where it is null. */
    keysOfBrandsSinceMs: state.keysOfBrandsSinceMs ?? undefined,
    lastNumber: state.lastNumber,
    /** Instances that the last message had no room for; absent in older snapshots. */
    touched: [...state.touched].map(({ id }) => id) as readonly string[] | undefined,
    bindings: [...state.bindings.all()],
    segmentPriorities: state.bindings.segmentPriorities(),
  };
}
