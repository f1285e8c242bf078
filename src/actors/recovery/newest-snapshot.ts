import { OtherSnapshotVersion } from '../../jackpot/lane/snapshots/restore.ts';
import { UnsupportedEngineVersion } from '../../jackpot/lane/versions/versions.ts';
import { inTurns, LoopTurn } from '../../lib/turns.ts';
import {
  archivedSnapshotName,
  archivedSnapshots,
  type SnapshotName,
} from '../../log/archive/snapshot-names.ts';
import { errorText } from '../../log/base/error-text.ts';
import { type Archive, LogError } from '../../ports.ts';
import type { ActorPorts, AlarmMonitor } from '../ports/actor-ports.ts';
import type { Quarantines } from '../replica/quarantines.ts';
import { Replica } from '../replica/replica.ts';
import { partsOfBytes, readSnapshotOf, type SnapshotChunks } from './snapshots/parts.ts';

/** A replay of more messages takes longer than reading a newer snapshot from the archive. */
const distantMessages = 50_000;

/**
 * The replica of the newest whole snapshot that is not ahead of `maxSequence` and that this engine reads: one
 * of the local files `names`, else one of the archive. It is read and restored in steps, and the event loop
 * turns between them. Null where none leads to a state.
 * @throws LogError on outages; UnsupportedEngineVersion: older snapshots would only lead to the same upgrade
 */
export async function fromNewestSnapshot(
  lane: number,
  maxSequence: number,
  names: readonly SnapshotName[],
  quarantines: Quarantines,
  ports: ActorPorts,
): Promise<Replica | null> {
  const fitting = names.filter(({ sequence }) => sequence <= maxSequence);
  const newest = fitting[0]?.sequence ?? 0;
  // A host that was away for long: what follows its files may have left the stream.
  if (newest > 0 && maxSequence - newest > distantMessages) {
    const replica = await fromArchive(lane, maxSequence, newest, quarantines, ports);
    if (replica !== null) return replica;
  }
  for (const name of fitting) {
    const what = `the snapshot of sequence ${name.sequence}`;
    const snapshot = await readable(lane, ports, what, async () => {
      const parts = await ports.snapshots.readParts(lane, name);
      return parts === null ? null : await usable(lane, name.sequence, parts, ports);
    });
    const replica = snapshot === null ? null : await replicaOf(lane, snapshot, quarantines, ports);
    if (replica !== null) return replica;
  }
  return maxSequence === 0 ? null : fromArchive(lane, maxSequence, 0, quarantines, ports);
}

async function fromArchive(
  lane: number,
  maxSequence: number,
  behind: number,
  quarantines: Quarantines,
  ports: ActorPorts,
): Promise<Replica | null> {
  const archive: Archive = await ports.log.archive('SNAPSHOTS');
  for (const name of await archivedSnapshots(archive, lane)) {
    if (name.sequence > maxSequence || name.sequence <= behind) continue;
    const bytes = await wholeObject(lane, archivedSnapshotName(lane, name), archive, ports);
    const snapshot = bytes === null ? null : await usable(lane, name.sequence, partsOfBytes(bytes), ports);
    const replica = snapshot === null ? null : await replicaOf(lane, snapshot, quarantines, ports);
    if (replica !== null) return replica;
  }
  return null;
}

/** A file that the system refuses to read is no reason to stay down: the state is in the log as well. */
export async function readable<T>(
  lane: number,
  { monitor }: { readonly monitor: AlarmMonitor },
  what: string,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LogError) throw error;
    monitor.alarm(
      lane,
      'snapshot_unreadable',
      `Cannot read ${what}, using an older state: ${errorText(error)}`,
    );
    return null;
  }
}

/** Null where the archive has lost a part of it: no repetition brings it back, and older ones are as good. */
export async function wholeObject(
  lane: number,
  name: string,
  archive: Archive,
  { monitor }: { readonly monitor: AlarmMonitor },
): Promise<Uint8Array | null> {
  try {
    return await archive.get(name);
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'corrupt')) throw error;
    monitor.alarm(lane, 'snapshot_torn', `${error.message} Using an older state.`);
    return null;
  }
}

async function usable(
  lane: number,
  sequence: number,
  parts: AsyncIterable<Uint8Array>,
  ports: ActorPorts,
): Promise<SnapshotChunks | null> {
  const snapshot = await readSnapshotOf(lane, sequence, parts, turnOf(ports));
  if (snapshot !== null) return snapshot;
  ports.monitor.alarm(
    lane,
    'snapshot_torn',
    `The snapshot of sequence ${sequence} is torn. Using an older one.`,
  );
  return null;
}

/** null where this engine cannot restore the snapshot. */
async function replicaOf(
  lane: number,
  { chunks, laneHead, sequence }: SnapshotChunks,
  quarantines: Quarantines,
  ports: ActorPorts,
): Promise<Replica | null> {
  try {
    const engine = await inTurns(ports.engines.restore(chunks), turnOf(ports));
    const replica = new Replica(lane, engine, ports.hashing, new Uint8Array(laneHead), quarantines);
    ports.monitor.notice(lane, `Continuing from the snapshot of sequence ${sequence}.`);
    return replica;
  } catch (error) {
    if (error instanceof UnsupportedEngineVersion) throw error;
    if (!(error instanceof OtherSnapshotVersion)) {
      const what = `Cannot restore the snapshot of sequence ${sequence}, using an older state: ${errorText(error)}`;
      ports.monitor.alarm(lane, 'snapshot_unreadable', what);
      return null;
    }
    ports.monitor.notice(lane, `Skipping the snapshot of sequence ${sequence}: ${error.message}.`);
    return null;
  }
}

/** By the stopwatch of the ports: a simulation has none, and takes no turns. */
export function turnOf({ monitor }: Pick<ActorPorts, 'monitor'>): LoopTurn {
  return new LoopTurn(() => 1000 * monitor.stopwatchSeconds());
}
