/**
 * The thread that follows the lanes and publishes their epochs: it has an engine and connections of its own,
 * so what it computes and throws away never stops a lane (docs/decisions/0053). Started by
 * epochs/epoch-threads.ts.
 */
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Settings } from '../../config/settings.ts';
import { assert } from '../../lib/assert.ts';
import { connectReader } from '../../log/jetstream/connect.ts';
import { returnStartMemory } from '../../runtime/start-memory.ts';
import { logSettings, systemClock, systemRandom, withArchive } from '../../wiring.ts';
import type { EpochFollowing, FollowEpochs } from '../ports/epoch-ports.ts';
import { openSnapshotFiles } from '../recovery/snapshots/files.ts';
import { engineSettings, enginesOf } from '../replica/engines.ts';
import { followEpochs } from './follow.ts';
import { createHashing } from './keys/hashing.ts';
import { openKeyRing, requireKeyRing } from './keys/key-ring.ts';
import {
  appliedPlace,
  type FromFollower,
  recordedPlace,
  type SentError,
  sentError,
  type ToFollower,
} from './messages.ts';
import { spoolFileOpener } from './spool.ts';

const maxBehindMessagesEveryMs = 10_000;

// On Linux 0 is the calling thread: the lanes come first. Elsewhere it is the process, which keeps its
// priority.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
assert(parentPort !== null, 'this is a thread');
const parent = parentPort;
const send = (message: FromFollower): void => parent.postMessage(message);
const follow = await follower(workerData as Settings);
const followings = new Map<number, EpochFollowing>();
returnStartMemory();

parent.on('message', (message: ToFollower) => {
  const { id, kind } = message;
  if (kind === 'stop') {
    followings.get(id)?.stop();
    return;
  }
  const sequences = new BigInt64Array(message.sequences);
  let toldMs = Number.NEGATIVE_INFINITY;
  const following = follow(message.plan, () => Number(Atomics.load(sequences, appliedPlace)), {
    published: (instance, epoch) => send({ id, kind: 'published', instance, epoch }),
    failed: (instance, epoch, error) =>
      send({ id, kind: 'failed', instance, epoch, error: sentError(error) }),
    fellBehind(messages) {
      if (systemClock.elapsedMs() - toldMs < maxBehindMessagesEveryMs) return;
      toldMs = systemClock.elapsedMs();
      send({ id, kind: 'fellBehind', messages });
    },
    recorded: (sequence) => void Atomics.store(sequences, recordedPlace, BigInt(sequence)),
  });
  followings.set(id, following);
  const ended = (error: SentError | null): void => {
    followings.delete(id);
    send({ id, kind: 'ended', error });
  };
  following.done.then(
    () => ended(null),
    (error) => ended(sentError(error)),
  );
});

async function follower(settings: Settings): Promise<FollowEpochs> {
  // A ring that is made now would open nothing.
  requireKeyRing(settings.drawKeysDirectory);
  const hashing = createHashing(openKeyRing(settings.drawKeysDirectory, systemRandom));
  const log = withArchive(await connectReader(logSettings(settings, 'actors')), settings);
  const engine = engineSettings(settings);
  return followEpochs({
    clock: systemClock,
    log,
    monitor: {
      alarm: (lane, code, text) => send({ kind: 'alarm', lane, code, text }),
      stopwatchSeconds: () => performance.now() / 1000,
    },
    snapshots: openSnapshotFiles(join(settings.hostDirectory, 'snapshots')),
    openSpoolFile: spoolFileOpener(join(settings.hostDirectory, 'epochs'), systemRandom),
    engines: enginesOf(hashing, engine),
  });
}
