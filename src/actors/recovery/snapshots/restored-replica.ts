import { OtherSnapshotVersion } from '../../../jackpot/lane/snapshots/restore.ts';
import { pause } from '../../../lib/pauses.ts';
import { inTurns, LoopTurn } from '../../../lib/turns.ts';
import {
  archivedSnapshotName,
  archivedSnapshots,
  type SnapshotName,
} from '../../../log/archive/snapshot-names.ts';
import { LogError } from '../../../ports.ts';
import type { ActorMonitor, ActorPorts } from '../../ports/actor-ports.ts';
import { Quarantines } from '../../replica/quarantines.ts';
import { firstLaneHead, Replica } from '../../replica/replica.ts';
import { readable, wholeObject } from '../newest-snapshot.ts';
import { BrokenFrames, partsOfBytes, readSnapshotOf, type SnapshotChunks } from './parts.ts';

/** After some milliseconds of work; the lane has the core for as long and a little longer. */
const pausePerTurnMs = 8;

/** What a restoration beside the lane needs. */
export type RestorePorts = Pick<ActorPorts, 'clock' | 'log' | 'snapshots' | 'engines'> & {
  readonly monitor: Pick<ActorMonitor, 'alarm' | 'stopwatchSeconds'>;
};

/** Turns of a restoration beside the lane, which has the core between them. */
export class BackgroundTurn extends LoopTurn {
  readonly #ports: RestorePorts;
  readonly #stopped: () => boolean;

  constructor(ports: RestorePorts, stopped: () => boolean) {
    super(() => 1000 * ports.monitor.stopwatchSeconds());
    this.#ports = ports;
    this.#stopped = stopped;
  }

  override get isOver(): boolean {
    return this.#stopped() || super.isOver;
  }

  override async next(): Promise<void> {
    if (this.#stopped()) throw new LogError('stopped', 'The restoration was stopped.');
    await pause(this.#ports.clock, pausePerTurnMs);
    this.begin();
  }
}

/**
 * A separate replica beside the lane, from the newest usable snapshot at or before `atMost`, else empty.
 * @throws LogError; `stopped` once `stopped` says so
 */
export async function restoreSeparately(
  lane: number,
  atMost: number,
  ports: RestorePorts & Pick<ActorPorts, 'hashing'>,
  stopped: () => boolean,
): Promise<Replica> {
  const quarantines = await Quarantines.read(ports.log, lane);
  const turn = new BackgroundTurn(ports, stopped);
  for await (const { engine, laneHead } of enginesUpTo(lane, atMost, ports, turn))
    return new Replica(lane, engine, ports.hashing, new Uint8Array(laneHead), quarantines);
  return new Replica(lane, ports.engines.create(), ports.hashing, firstLaneHead, quarantines);
}

/**
 * The lane as its snapshots at or before `sequence` have it, the newest first: this host's files, then the
 * archive's. Leaves out what is torn, unreadable, or of another version.
 * @throws LogError, and what the turn throws
 */
export async function* enginesUpTo(lane: number, sequence: number, ports: RestorePorts, turn: LoopTurn) {
  const { engines, log, snapshots } = ports;
  const fits = (name: SnapshotName): boolean => name.sequence <= sequence;
  const restored = async (snapshot: SnapshotChunks | null) => {
    if (snapshot === null) return [];
    try {
      return [{ engine: await inTurns(engines.restore(snapshot.chunks), turn), laneHead: snapshot.laneHead }];
    } catch (error) {
      if (error instanceof OtherSnapshotVersion || error instanceof BrokenFrames) return [];
      throw error;
    }
  };
  const kept = (await readable(lane, ports, 'the snapshots', () => snapshots.list(lane))) ?? [];
  for (const name of kept.filter(fits)) {
    const what = `the snapshot of sequence ${name.sequence}`;
    const snapshot = await readable(lane, ports, what, async () => {
      const parts = await snapshots.readParts(lane, name);
      return parts === null ? null : readSnapshotOf(lane, name.sequence, parts, turn);
    });
    yield* await restored(snapshot);
  }
  const archive = await log.archive('SNAPSHOTS');
  for (const name of (await archivedSnapshots(archive, lane)).filter(fits)) {
    const bytes = await wholeObject(lane, archivedSnapshotName(lane, name), archive, ports);
    if (bytes === null) continue;
    yield* await restored(await readSnapshotOf(lane, name.sequence, partsOfBytes(bytes), turn));
  }
}
