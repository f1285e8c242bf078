import { OtherSnapshotVersion } from '../../jackpot/snapshot/restore.ts';
import { pause } from '../../lib/pause.ts';
import { finish } from '../../lib/steps.ts';
import { errorText } from '../../log/error-text.ts';
import { type Archive, LogError } from '../../ports.ts';
import type { LanePorts } from '../ports.ts';
import { Quarantines } from '../quarantine/quarantines.ts';
import { firstLaneHead, LaneReplica } from '../replica/lane-replica.ts';
import { archivedSnapshotName, archivedSnapshots } from '../snapshots/archive.ts';
import { decodeSnapshot, type Snapshot } from '../snapshots/format.ts';
import type { SnapshotName } from '../snapshots/store.ts';
import type { SnapshotOrigin } from '../snapshots/taker.ts';
import { HeadChecks } from '../witness/head-checks.ts';
import { behindWitness, requireWitnessed } from '../witness/witness-check.ts';

/** A server that was elected just now may not know its whole stream yet. */
const lostEndAttempts = 10;
const retryAfterMs = 500;

/** null where the snapshot leads nowhere. */
type Restore = (snapshot: Snapshot) => LaneReplica | null;

export interface Recovered {
  readonly replica: LaneReplica;
  /** OUT's last sequence at the start: nothing up to here is emitted again. */
  readonly storedOutcome: number;
  readonly headChecks: HeadChecks;
  readonly quarantines: Quarantines;
  /** The snapshot that the replica came from. */
  readonly origin: SnapshotOrigin;
}

/** The replayed state is not the one whose outcomes were stored. The lane must not go on. */
export class HeadMismatch extends Error {
  readonly code = 'head_mismatch';
  readonly retryable = false;
}

/**
 * The state to replay from: the newest whole snapshot that is not ahead of OUT (a local file, else from the archive)
 * and that this engine reads, else an empty lane.
 * @throws HeadMismatch if its lane head is not that of OUT; LogError `hole` if the log ends before the snapshot, others
 * on outages
 */
export async function recoverLane(lane: number, ports: LanePorts): Promise<Recovered> {
  const storedOutcome = await ports.log.lastOutcome(lane);
  const names = (await readable(lane, ports, 'the snapshots', () => ports.snapshots.list(lane))) ?? [];
  const snapshotNames = await requireWholeLog(lane, storedOutcome, names, ports);
  await requireWitnessed(ports.log, lane, storedOutcome, ports.witness);
  const quarantines = await Quarantines.read(ports.log, lane);
  const restore: Restore = (snapshot) => replicaOf(lane, snapshot, quarantines, ports);
  const replica =
    (await localSnapshot(lane, storedOutcome, snapshotNames, restore, ports)) ??
    (await archived(lane, storedOutcome, restore, ports)) ??
    new LaneReplica(lane, ports.engines.create(), ports.hashing, firstLaneHead, quarantines);
  const { appliedSequence, timestampMs } = replica.engine;
  const origin = {
    timestampMs: appliedSequence === 0 ? null : timestampMs,
    isReplacement: snapshotNames.some(({ sequence }) => sequence > appliedSequence),
  };
  const witnessed = ports.witness.heads(lane);
  noticeWitness(lane, storedOutcome, ports);
  const headChecks = await HeadChecks.read(
    ports.log,
    lane,
    replica.appliedSequence,
    storedOutcome,
    witnessed,
  );
  if (headChecks.check(replica.appliedSequence, replica.laneHead) === 'different') {
    throw new HeadMismatch(
      `The snapshot of sequence ${replica.appliedSequence} has another lane head than OUT.`,
    );
  }
  return { replica, storedOutcome, headChecks, origin, quarantines };
}

/**
 * Commands would take the places of those that are gone, beside outcomes and snapshots that know of the others. Gives the
 * snapshots that are of this log: where somebody took a log as it is, those of the other one are removed.
 */
async function requireWholeLog(
  lane: number,
  storedOutcome: number,
  names: readonly SnapshotName[],
  ports: LanePorts,
): Promise<readonly SnapshotName[]> {
  const acceptedMs = ports.witness.acceptance(lane)?.atMs ?? Number.NEGATIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    const last = await ports.log.lastCommand(lane);
    const isOfOther = (name: SnapshotName): boolean => name.sequence > last && name.timestampMs <= acceptedMs;
    const ofThis = names.filter((name) => !isOfOther(name));
    const known = Math.max(storedOutcome, await wholeSnapshotBeyond(last, lane, ofThis, ports));
    const behind = behindWitness(lane, last, ports.witness.heads(lane));
    if (last >= known && behind === null) {
      await removeOthers(lane, names.filter(isOfOther), ports);
      return ofThis;
    }
    if (attempt === lostEndAttempts) {
      if (last >= known && behind !== null) throw behind;
      throw new LogError(
        'hole',
        `The log ends at ${last}, but what was made of ${known} is there: its last messages are gone.`,
      );
    }
    await pause(ports.clock, retryAfterMs);
  }
}

function noticeWitness(lane: number, storedOutcome: number, { monitor, witness }: LanePorts): void {
  if (storedOutcome === 0 || witness.heads(lane).length > 0) return;
  const accepted = witness.acceptance(lane);
  const why =
    accepted === null
      ? 'This host has no witness of the log'
      : `${accepted.by} took the log as it is (${new Date(accepted.atMs).toISOString()}: ${accepted.reason})`;
  monitor.notice(lane, `${why}: what it was before sequence ${storedOutcome} is not known here.`);
}

async function removeOthers(lane: number, names: readonly SnapshotName[], ports: LanePorts): Promise<void> {
  for (const name of names) {
    await ports.snapshots.remove(lane, name);
    ports.monitor.notice(lane, `Removed the snapshot of sequence ${name.sequence}: its log was given up.`);
  }
}

/** Its sequence, 0 where there is none. Files that are torn or another lane's prove nothing. */
async function wholeSnapshotBeyond(
  last: number,
  lane: number,
  names: readonly SnapshotName[],
  ports: LanePorts,
): Promise<number> {
  for (const name of names) {
    if (name.sequence <= last) break;
    const bytes = await ports.snapshots.read(lane, name).catch(() => null);
    const snapshot = bytes === null ? null : decodeSnapshot(bytes);
    if (snapshot?.lane === lane && snapshot.sequence === name.sequence) return name.sequence;
  }
  return 0;
}

async function localSnapshot(
  lane: number,
  notBehind: number,
  names: readonly SnapshotName[],
  restore: Restore,
  ports: LanePorts,
): Promise<LaneReplica | null> {
  for (const name of names) {
    if (name.sequence > notBehind) continue;
    const what = `the snapshot of sequence ${name.sequence}`;
    const bytes = await readable(lane, ports, what, () => ports.snapshots.read(lane, name));
    const snapshot = usable(lane, name.sequence, bytes, ports);
    const replica = snapshot === null ? null : restore(snapshot);
    if (replica !== null) return replica;
  }
  return null;
}

/** A file that the system refuses to read is no reason to stay down: the state is in the log as well. */
export async function readable<T>(
  lane: number,
  { monitor }: LanePorts,
  what: string,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    monitor.alarm(
      lane,
      'snapshot_unreadable',
      `Cannot read ${what}, using an older state: ${errorText(error)}`,
    );
    return null;
  }
}

async function archived(
  lane: number,
  notBehind: number,
  restore: Restore,
  ports: LanePorts,
): Promise<LaneReplica | null> {
  if (notBehind === 0) return null;
  const archive: Archive = await ports.log.archive('SNAPSHOTS');
  for (const name of await archivedSnapshots(archive, lane)) {
    if (name.sequence > notBehind) continue;
    const bytes = await wholeObject(lane, archivedSnapshotName(lane, name), archive, ports);
    const snapshot = usable(lane, name.sequence, bytes, ports);
    const replica = snapshot === null ? null : restore(snapshot);
    if (replica !== null) return replica;
  }
  return null;
}

/** Null where the archive has lost a part of it: no repetition brings it back, and older ones are as good. */
export async function wholeObject(
  lane: number,
  name: string,
  archive: Archive,
  { monitor }: LanePorts,
): Promise<Uint8Array | null> {
  try {
    return await archive.get(name);
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'corrupt')) throw error;
    monitor.alarm(lane, 'snapshot_torn', `${error.message} Using an older state.`);
    return null;
  }
}

function usable(lane: number, sequence: number, bytes: Uint8Array | null, ports: LanePorts): Snapshot | null {
  if (bytes === null) return null;
  const snapshot = decodeSnapshot(bytes);
  if (snapshot !== null && snapshot.lane === lane && snapshot.sequence === sequence) return snapshot;
  ports.monitor.alarm(
    lane,
    'snapshot_torn',
    `The snapshot of sequence ${sequence} is torn. Using an older one.`,
  );
  return null;
}

/** null where the snapshot was written by an engine with another form of state, or this engine cannot restore it. */
function replicaOf(
  lane: number,
  snapshot: Snapshot,
  quarantines: Quarantines,
  ports: LanePorts,
): LaneReplica | null {
  const { chunks, laneHead, sequence } = snapshot;
  try {
    const engine = finish(ports.engines.restore(chunks));
    const replica = new LaneReplica(lane, engine, ports.hashing, new Uint8Array(laneHead), quarantines);
    ports.monitor.notice(lane, `Continuing from the snapshot of sequence ${sequence}.`);
    return replica;
  } catch (error) {
    if (!(error instanceof OtherSnapshotVersion)) {
      const what = `Cannot restore the snapshot of sequence ${sequence}, using an older state: ${errorText(error)}`;
      ports.monitor.alarm(lane, 'snapshot_unreadable', what);
      return null;
    }
    ports.monitor.notice(lane, `Skipping the snapshot of sequence ${sequence}: ${error.message}.`);
    return null;
  }
}
