import { decodeCommandBatch } from '../contracts/log/codec.ts';
import type { DrawGroup } from '../jackpot/draw/recorder.ts';
import type { LaneEngine } from '../jackpot/engine.ts';
import { type Follower, LogError, type StoredCommand } from '../lib/ports.ts';
import type { LanePorts } from './ports.ts';
import { archivedSnapshotName, archivedSnapshots } from './snapshot-archive.ts';
import { decodeSnapshot } from './snapshot-format.ts';
import { pause } from './waiting.ts';

/** The replay works in slices, so that the lane's own messages do not wait for it. */
const messagesPerSlice = 16;
const pauseBetweenSlicesMs = 5;

/** Replays the log up to `lastMessage` from a snapshot before `firstMessage` and hands out every group of draws. */
export async function replayDraws(
  lane: number,
  ports: LanePorts,
  firstMessage: number,
  lastMessage: number,
  take: (group: DrawGroup) => void,
  stopped: () => boolean,
): Promise<void> {
  const engine = await engineBefore(lane, ports, firstMessage);
  let follower: Follower | null = null;
  let applied = 0;
  await new Promise<void>((resolve, reject) => {
    const message = (stored: StoredCommand): Promise<void> | undefined => {
      try {
        if (stopped()) throw new LogError('stopped', 'The replay was stopped.');
        if (stored.sequence > lastMessage) return undefined;
        replayOne(engine, stored, take);
        applied += 1;
        if (stored.sequence === lastMessage) resolve();
        return applied % messagesPerSlice === 0 ? pause(ports.clock, pauseBetweenSlicesMs) : undefined;
      } catch (error) {
        reject(error);
        return undefined;
      }
    };
    follower = ports.log.follow(lane, engine.appliedSequence + 1, { message });
    follower.done.catch(reject);
  }).finally(() => follower?.stop());
}

function replayOne(engine: LaneEngine, stored: StoredCommand, take: (group: DrawGroup) => void): void {
  const { commands } = decodeCommandBatch(stored.bytes);
  const { sequence, timestampMs } = stored;
  engine.apply({ sequence, timestampMs, commands }, { group: take });
}

/** An engine of its own, restored from the newest whole snapshot before `firstMessage`. */
async function engineBefore(lane: number, ports: LanePorts, firstMessage: number): Promise<LaneEngine> {
  for (const name of await ports.snapshots.list(lane)) {
    if (name.sequence >= firstMessage) continue;
    const restored = restoredFrom(ports, await ports.snapshots.read(lane, name));
    if (restored !== null) return restored;
  }
  const archive = await ports.log.archive('SNAPSHOTS');
  for (const name of await archivedSnapshots(archive, lane)) {
    if (name.sequence >= firstMessage) continue;
    const restored = restoredFrom(ports, await archive.get(archivedSnapshotName(lane, name)));
    if (restored !== null) return restored;
  }
  return ports.engines.create();
}

function restoredFrom(ports: LanePorts, bytes: Uint8Array | null): LaneEngine | null {
  const snapshot = bytes === null ? null : decodeSnapshot(bytes);
  return snapshot === null ? null : ports.engines.restore(snapshot.chunks);
}
