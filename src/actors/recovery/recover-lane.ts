import { pause } from '../../lib/pauses.ts';
import type { SnapshotName } from '../../log/archive/snapshot-names.ts';
import { LogError } from '../../ports.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import { Quarantines } from '../replica/quarantines.ts';
import { firstLaneHead, Replica } from '../replica/replica.ts';
import { HeadChecks } from '../witness/head-checks.ts';
import { behindWitness, requireWitnessed } from '../witness/witness-check.ts';
import { fromNewestSnapshot, readable, turnOf } from './newest-snapshot.ts';
import type { RecoveryTimes } from './recovery-times.ts';
import { readSnapshotOf } from './snapshots/parts.ts';
import type { SnapshotOrigin } from './snapshots/taker.ts';

/** A server that was elected just now may not know its whole stream yet. */
const lostEndAttempts = 10;
const retryAfterMs = 500;

export interface Recovered {
  readonly replica: Replica;
  /** OUT's last sequence at the start: nothing up to here is emitted again. */
  readonly storedOutcome: number;
  readonly headChecks: HeadChecks;
  readonly quarantines: Quarantines;
  readonly origin: SnapshotOrigin;
}

/** The replayed state is not the one whose outcomes were stored. The lane must not go on. */
export class HeadMismatch extends Error {
  readonly code = 'head_mismatch';
  readonly retryable = false;
}

/**
 * The state to replay from: the newest whole snapshot that is not ahead of OUT (a local file, else from the
 * archive) and that this engine reads, else an empty lane.
 * @throws HeadMismatch if its lane head is not that of OUT; LogError `hole` if the log ends before the
 * snapshot, others on outages
 */
export async function recoverLane(
  lane: number,
  ports: ActorPorts,
  times: Pick<RecoveryTimes, 'begin'> = { begin: () => {} },
): Promise<Recovered> {
  const storedOutcome = await ports.log.lastOutcome(lane);
  const names = (await readable(lane, ports, 'the snapshots', () => ports.snapshots.list(lane))) ?? [];
  const snapshotNames = await requireWholeLog(lane, storedOutcome, names, ports);
  await requireWitnessed(ports.log, lane, storedOutcome, ports.witness);
  const quarantines = await Quarantines.read(ports.log, lane);
  times.begin('restore');
  const replica =
    (await fromNewestSnapshot(lane, storedOutcome, snapshotNames, quarantines, ports)) ??
    new Replica(lane, ports.engines.create(), ports.hashing, firstLaneHead, quarantines);
  times.begin('compare');
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
  times.begin('replay');
  return { replica, storedOutcome, headChecks, origin, quarantines };
}

/**
 * Commands would take the places of those that are gone, beside outcomes and snapshots that know of the
 * others. Gives the snapshots that are of this log: where a person accepted a log as it is, those of the
 * other one are removed.
 */
async function requireWholeLog(
  lane: number,
  storedOutcome: number,
  names: readonly SnapshotName[],
  ports: ActorPorts,
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

function noticeWitness(lane: number, storedOutcome: number, { monitor, witness }: ActorPorts): void {
  if (storedOutcome === 0 || witness.heads(lane).length > 0) return;
  const accepted = witness.acceptance(lane);
  const why =
    accepted === null
      ? 'This host has no witness of the log'
      : `${accepted.by} took the log as it is (${new Date(accepted.atMs).toISOString()}: ${accepted.reason})`;
  monitor.notice(lane, `${why}: what it was before sequence ${storedOutcome} is not known here.`);
}

async function removeOthers(lane: number, names: readonly SnapshotName[], ports: ActorPorts): Promise<void> {
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
  ports: ActorPorts,
): Promise<number> {
  for (const name of names) {
    if (name.sequence <= last) break;
    const parts = await ports.snapshots.readParts(lane, name).catch(() => null);
    if (parts === null) continue;
    const snapshot = await readSnapshotOf(lane, name.sequence, parts, turnOf(ports)).catch(() => null);
    if (snapshot !== null) return name.sequence;
  }
  return 0;
}
