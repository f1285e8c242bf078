import { assert } from '../../../lib/assert.ts';
import { fromHex } from '../../../lib/bytes.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import { float64Of, unframe } from '../../../lib/json-chunks.ts';
import type { Steps } from '../../../lib/turns.ts';
import type { EngineSettings } from '../../../messages/lane-commands.ts';
import type { RateTable } from '../../state/directory/rates.ts';
import { LaneState } from '../../state/lane/lane-state.ts';
import { idLengthBrandAt, PlayerSegment, type Preference } from '../../state/players/player-segment.ts';
import { type EngineVersions, handlersOf } from '../versions/versions.ts';
import { restoreBulk, type StoredBulk } from './bulk.ts';
import { type StoredLane, snapshotVersion } from './copy.ts';
import { restoreInstance, type StoredInstance } from './instance-facts.ts';
import { restoreOpen, type StoredOpen, tablesOf } from './open.ts';
import { restoreTickets, type StoredTickets } from './raffle-facts.ts';

interface StoredPlayers {
  readonly type: 'players';
  readonly instance: string;
  readonly count: number;
  readonly arenaBytes: number;
  readonly preferences: readonly (readonly [
    row: number,
    list: readonly (Omit<Preference, 'atoms'> & { readonly atoms: string | null })[],
  ])[];
}

type Chunk =
  | StoredLane
  | StoredInstance
  | StoredPlayers
  | {
      readonly type: 'keys';
      /** Absent in earlier snapshots. */
      readonly operator?: string;
      readonly baseMs: number;
      readonly newestMs: number;
    }
  | StoredOpen
  | StoredTickets
  | StoredBulk
  | { readonly type: 'end' };

/** Another engine wrote the snapshot, with its state in another form. The log leads to the same state. */
export class OtherSnapshotVersion extends Error {
  readonly code = 'snapshot_version';
  readonly retryable = false;
}

/**
 * Rebuilds a lane, a chunk a step; throws where a snapshot is torn.
 * @throws OtherSnapshotVersion, UnsupportedEngineVersion
 */
export function* restoreState(
  chunks: Iterable<Uint8Array>,
  hashing: Hashing,
  settings: EngineSettings,
  versions: EngineVersions,
): Steps<LaneState> {
  const state = new LaneState(hashing, settings);
  let tables: readonly RateTable[] = [];
  let touched: readonly string[] = [];
  let ended = false;
  for (const chunk of chunks) {
    const { facts, payload } = unframe(chunk);
    const stored = facts as Chunk;
    assert(!ended, 'a snapshot ends with its last chunk');
    if (stored.type === 'lane') {
      restoreLaneFacts(state, stored, versions);
      tables = tablesOf(state, stored.olderRates);
      touched = stored.touched ?? [];
    } else if (stored.type === 'instance') {
      const instance = restoreInstance(stored, float64Of(payload), hashing);
      state.instances.set(instance.id, instance);
      state.noteOwnerTask(instance);
      state.working.add(instance);
    } else if (stored.type === 'players') yield* restorePlayers(state, stored, payload);
    else if (stored.type === 'keys') {
      yield* state.keys.adopt({ ...stored, operator: stored.operator ?? '' }, payload);
    } else if (stored.type === 'tickets') {
      restoreTickets(state.instances.get(stored.instance)!.raffle!, stored, payload);
    } else if (stored.type === 'bulk') restoreBulk(state, stored);
    else if (stored.type === 'end') ended = true;
    else restoreOpen(state, stored, tables);
    yield;
  }
  assert(ended, 'a snapshot is complete');
  for (const id of touched) state.touched.add(state.instances.get(id)!);
  for (const { players } of state.instances.values()) yield* players.hashFullChunks(hashing);
  return state;
}

function restoreLaneFacts(state: LaneState, stored: StoredLane, versions: EngineVersions): void {
  // First: a later version may also keep its state in another form.
  handlersOf(versions, stored.engineVersion);
  if (stored.version !== snapshotVersion)
    throw new OtherSnapshotVersion(`version ${stored.version}, not ${snapshotVersion}`);
  state.appliedSequence = stored.appliedSequence;
  state.nowMs = stored.nowMs;
  state.ownerTerm = stored.ownerEpoch;
  state.engineVersion = stored.engineVersion;
  state.keysOfBrandsSinceMs = stored.keysOfBrandsSinceMs ?? null;
  state.settings = stored.settings ?? state.settings;
  state.keys.reserve(stored.keys ?? 0);
  state.lastNumber = stored.lastNumber;
  for (const brand of stored.brands) {
    const limit = brand.verificationLimitAtoms;
    state.brands.set({
      ...brand,
      salt: fromHex(brand.salt),
      verificationLimitAtoms: limit === null ? null : BigInt(limit),
    });
  }
  for (const rates of stored.rates) state.rates.set(rates);
  for (const list of stored.bindings) state.bindings.set(list.of, list.owner, list.id, list.bindings);
  state.bindings.restoreSegmentPriorities(stored.segmentPriorities);
}

function* restorePlayers(state: LaneState, stored: StoredPlayers, payload: Uint8Array): Steps<void> {
  const instance = state.instances.get(stored.instance);
  assert(instance !== undefined, 'players follow their instance');
  const segment = new PlayerSegment(instance.players.stride, 0);
  const timesAt = stored.count * instance.players.stride * 4;
  const arenaAt = timesAt + stored.count * 8;
  segment.restore(payload.subarray(0, timesAt), payload.subarray(arenaAt, arenaAt + stored.arenaBytes));
  for (const [row, list] of stored.preferences) {
    const preferences = list.map((each) => ({
      ...each,
      atoms: each.atoms === null ? null : BigInt(each.atoms),
    }));
    segment.preferences.set(row, preferences);
  }
  yield* instance.players.adopt(segment, float64Of(payload.subarray(timesAt, arenaAt)));
  countPlayers(state, segment, instance.players.stride);
}

/** Players of a brand mostly follow each other. */
function countPlayers(state: LaneState, { rows, count }: PlayerSegment, stride: number): void {
  for (let row = 0; row < count; ) {
    const number = rows[row * stride + idLengthBrandAt]! >>> 16;
    const first = row;
    while (row < count && rows[row * stride + idLengthBrandAt]! >>> 16 === number) row++;
    state.playerCounts.add(state.brands.byNumber(number), row - first);
  }
}
