import { OtherSnapshotVersion } from '../../../jackpot/lane/snapshots/restore.ts';
import { pause } from '../../../lib/pauses.ts';
import type { Steps } from '../../../lib/turns.ts';
import {
  archivedSnapshotName,
  archivedSnapshots,
  type SnapshotName,
} from '../../../log/archive/snapshot-names.ts';
import type { ActorPorts, AlarmMonitor } from '../../ports/actor-ports.ts';
import { Quarantines } from '../../replica/quarantines.ts';
import { firstLaneHead, Replica } from '../../replica/replica.ts';
import { readable, turnOf, wholeObject } from '../newest-snapshot.ts';
import { decodeSnapshotInSteps } from './format.ts';

/** Behind some milliseconds of work; the lane has the core for as long and a little longer. */
const pausePerTurnMs = 8;

/**
 * A separate replica beside the lane, from the newest usable snapshot at or before `atMost`, else empty. null once
 * `stopped` says so.
 * @throws LogError
 */
export async function restoreSeparately(
  lane: number,
  atMost: number,
  ports: ActorPorts,
  stopped: () => boolean,
): Promise<Replica | null> {
  const quarantines = await Quarantines.read(ports.log, lane);
  for await (const [name, bytes] of snapshotsUpTo(lane, atMost, ports)) {
    const replica = bytes === null ? null : await restored(lane, name, bytes, quarantines, ports, stopped);
    if (stopped()) return null;
    if (replica !== null) return replica;
  }
  return new Replica(lane, ports.engines.create(), ports.hashing, firstLaneHead, quarantines);
}

/** The newest first: this host's files, then the archive's. Null where one cannot be read. */
export async function* snapshotsUpTo(
  lane: number,
  sequence: number,
  ports: Pick<ActorPorts, 'log' | 'snapshots'> & { readonly monitor: AlarmMonitor },
): AsyncGenerator<readonly [SnapshotName, Uint8Array | null]> {
  const { log, snapshots } = ports;
  const fits = (name: SnapshotName): boolean => name.sequence <= sequence;
  const kept = (await readable(lane, ports, 'the snapshots', () => snapshots.list(lane))) ?? [];
  for (const name of kept.filter(fits)) {
    const what = `the snapshot of sequence ${name.sequence}`;
    yield [name, await readable(lane, ports, what, () => snapshots.read(lane, name))];
  }
  const archive = await log.archive('SNAPSHOTS');
  for (const name of (await archivedSnapshots(archive, lane)).filter(fits))
    yield [name, await wholeObject(lane, archivedSnapshotName(lane, name), archive, ports)];
}

/** Null where it is torn, another one, or of another version. */
async function restored(
  lane: number,
  name: SnapshotName,
  bytes: Uint8Array,
  quarantines: Quarantines,
  ports: ActorPorts,
  stopped: () => boolean,
): Promise<Replica | null> {
  const snapshot = await inSteps(decodeSnapshotInSteps(bytes), ports, stopped);
  if (snapshot?.lane !== lane || snapshot.sequence !== name.sequence) return null;
  try {
    const engine = await inSteps(ports.engines.restore(snapshot.chunks), ports, stopped);
    return engine === null
      ? null
      : new Replica(lane, engine, ports.hashing, new Uint8Array(snapshot.laneHead), quarantines);
  } catch (error) {
    if (error instanceof OtherSnapshotVersion) return null;
    throw error;
  }
}

async function inSteps<Result>(
  steps: Steps<Result>,
  ports: ActorPorts,
  stopped: () => boolean,
): Promise<Result | null> {
  const turn = turnOf(ports);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (stopped()) return null;
    if (!turn.isOver) continue;
    await pause(ports.clock, pausePerTurnMs);
    turn.begin();
  }
}
