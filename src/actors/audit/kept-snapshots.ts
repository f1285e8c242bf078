import { OtherSnapshotVersion } from '../../jackpot/lane/snapshots/restore.ts';
import type { Hashing } from '../../lib/hashing.ts';
import { inTurns, type LoopTurn } from '../../lib/turns.ts';
import {
  archivedSnapshotName,
  archivedSnapshots,
  newestSnapshotFirst,
  type SnapshotName,
} from '../../log/archive/snapshot-names.ts';
import { errorText } from '../../log/base/error-text.ts';
import { type Archive, type ArchiveName, type Log, LogError } from '../../ports.ts';
import type { Engines } from '../ports/actor-ports.ts';
import type { SnapshotStore } from '../ports/snapshot-store.ts';
import { partsOfBytes, readSnapshotOf, type SnapshotChunks } from '../recovery/snapshots/parts.ts';
import type { Quarantines } from '../replica/quarantines.ts';
import { firstLaneHead, Replica } from '../replica/replica.ts';

/** One copy of a snapshot: a file of a host, or an object of the archive. */
export interface KeptSnapshot extends SnapshotName {
  readonly place: string;
  /** null: the archive. */
  readonly store: ReadableSnapshots | null;
}

type Restored =
  | { readonly kind: 'restored'; readonly replica: Replica }
  | { readonly kind: 'passed_over'; readonly why: string }
  | { readonly kind: 'torn' }
  | { readonly kind: 'unusable'; readonly why: string };

/** The snapshots of a lane, newest first; of one sequence files come before the object. */
export async function keptSnapshots(
  lane: number,
  { stores, log }: Pick<AuditPorts, 'stores' | 'log'>,
): Promise<readonly KeptSnapshot[]> {
  const kept: KeptSnapshot[] = [];
  for (const { place, store } of stores)
    for (const name of await store.list(lane)) kept.push({ ...name, place, store });
  for (const name of await archivedSnapshots(await log.archive('SNAPSHOTS'), lane))
    kept.push({ ...name, place: 'archive', store: null });
  return kept.sort(newestSnapshotFirst);
}

/** The chunks of a snapshot, which can be read once. 'torn': its bytes are damaged; null: it is gone. */
export async function readSnapshot(
  lane: number,
  kept: KeptSnapshot,
  ports: AuditPorts,
  turn: LoopTurn,
): Promise<SnapshotChunks | 'torn' | null> {
  try {
    const parts = await partsOf(lane, kept, ports);
    if (parts === null) return null;
    return (await readSnapshotOf(lane, kept.sequence, parts, turn)) ?? 'torn';
  } catch (error) {
    // The archive has lost a part of it, or the disk cannot read it.
    if (error instanceof LogError && error.code !== 'corrupt') throw error;
    return 'torn';
  }
}

/** The lane as the snapshot has it. */
export async function restoreSnapshot(
  lane: number,
  kept: KeptSnapshot,
  quarantines: Pick<Quarantines, 'of'>,
  ports: AuditPorts,
  turn: LoopTurn,
): Promise<Restored> {
  const snapshot = await readSnapshot(lane, kept, ports, turn);
  if (snapshot === null) return { kind: 'passed_over', why: 'it was removed' };
  if (snapshot === 'torn') return { kind: 'torn' };
  try {
    const engine = await inTurns(ports.engines.restore(snapshot.chunks), turn);
    const head = new Uint8Array(snapshot.laneHead);
    const replica = new Replica(lane, engine, ports.hashing, head, quarantines);
    return { kind: 'restored', replica };
  } catch (error) {
    if (error instanceof OtherSnapshotVersion) return { kind: 'passed_over', why: error.message };
    return { kind: 'unusable', why: errorText(error) };
  }
}

/** The lane before its first message. */
export function emptyReplica(
  lane: number,
  quarantines: Pick<Quarantines, 'of'>,
  ports: Pick<AuditPorts, 'hashing' | 'engines'>,
): Replica {
  return new Replica(lane, ports.engines.create(), ports.hashing, firstLaneHead, quarantines);
}

async function partsOf(
  lane: number,
  kept: KeptSnapshot,
  ports: AuditPorts,
): Promise<AsyncIterable<Uint8Array> | null> {
  if (kept.store !== null) return kept.store.readParts(lane, kept);
  const archive = await ports.log.archive('SNAPSHOTS');
  const bytes = await archive.get(archivedSnapshotName(lane, kept));
  return bytes === null ? null : partsOfBytes(bytes);
}

type ReadableSnapshots = Pick<SnapshotStore, 'list' | 'readParts'>;

/** What an audit and a replay read; they write nothing. */
export interface AuditPorts {
  readonly log: Pick<
    Log,
    | 'extents'
    | 'readCommand'
    | 'readCommands'
    | 'nextCommand'
    | 'readOutcome'
    | 'readOutcomes'
    | 'lastOutcome'
  > & { archive(name: ArchiveName): Promise<Pick<Archive, 'list' | 'get'>> };
  readonly stores: readonly { readonly place: string; readonly store: ReadableSnapshots }[];
  /** Older messages may leave the streams. */
  readonly maxAgeMs: number;
  readonly hashing: Hashing;
  readonly engines: Engines;
}
