import { decodeCommandBatch } from '../contracts/log/codec.ts';
import type { DrawGroup } from '../jackpot/draw/recorder.ts';
import type { LaneEngine } from '../jackpot/engine.ts';
import { type Follower, LogError, type StoredCommand } from '../lib/ports.ts';
import type { LanePorts } from './ports.ts';
import { archivedSnapshotName, archivedSnapshots } from './snapshot-archive.ts';
import { decodeSnapshot } from './snapshot-format.ts';

/**
 * Replays the log up to `lastMessage` from a snapshot before `firstMessage` and hands out every group of draws. `worked`
 * is told how many commands a message had, and may have the replay wait, as `take` may.
 */
export async function replayDraws(
  lane: number,
  ports: LanePorts,
  firstMessage: number,
  lastMessage: number,
  take: (group: DrawGroup) => Promise<void>,
  worked: (commands: number) => Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  const engine = await engineBefore(lane, ports, firstMessage);
  let follower: Follower | null = null;
  let isOver = false;
  await new Promise<void>((resolve, reject) => {
    const message = async (stored: StoredCommand): Promise<void> => {
      if (isOver || stored.sequence > lastMessage) return;
      try {
        if (stopped()) throw new LogError('stopped', 'The replay was stopped.');
        const { commands, groups } = replayOne(engine, stored);
        await worked(commands);
        for (const group of groups) await take(group);
        if (stored.sequence === lastMessage) resolve();
      } catch (error) {
        isOver = true;
        reject(error);
      }
    };
    follower = ports.log.follow(lane, engine.appliedSequence + 1, { message });
    follower.done.catch(reject);
  }).finally(() => follower?.stop());
}

function replayOne(engine: LaneEngine, stored: StoredCommand) {
  const { commands } = decodeCommandBatch(stored.bytes);
  const { sequence, timestampMs } = stored;
  const groups: DrawGroup[] = [];
  engine.apply({ sequence, timestampMs, commands }, { group: (group) => groups.push(group) });
  return { commands: commands.length, groups };
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
