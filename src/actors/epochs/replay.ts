import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { OtherSnapshotVersion } from '../../jackpot/lane/snapshots/restore.ts';
import type { DrawGroup } from '../../jackpot/state/lane/recorder.ts';
import { pause } from '../../lib/pauses.ts';
import type { Steps } from '../../lib/turns.ts';
import type { LaneEvent } from '../../messages/events.ts';
import { type Follower, LogError, type StoredCommand } from '../../ports.ts';
import type { ActorPorts, AlarmMonitor } from '../ports/actor-ports.ts';
import { decodeSnapshotInSteps } from '../recovery/snapshots/format.ts';
import { snapshotsUpTo } from '../recovery/snapshots/restored-replica.ts';
import { readCommands } from '../replica/channel-commands.ts';
import type { Quarantines } from '../replica/quarantines.ts';

/** A step of a restoration takes a few milliseconds; the lane has the core for as long and a little longer. */
const pausePerStepMs = 8;
/** The lane comes first: look again after this time for messages that it has not applied. */
const retryAfterMs = 5;

export type EpochReplayPorts = Pick<ActorPorts, 'clock' | 'log' | 'snapshots' | 'engines'> & {
  readonly monitor: AlarmMonitor;
};

/** What a message of a replay did. */
export interface Replayed {
  readonly sequence: number;
  readonly commands: number;
  readonly groups: readonly DrawGroup[];
  readonly events: readonly LaneEvent[];
  readonly engine: LaneEngine;
}

/** A replay that goes on: behind the log's end it follows the lane. */
export interface RunningReplay {
  /** Rejects with what ended it; resolves after stop(). */
  readonly done: Promise<void>;
  stop(): void;
}

/** Replays a lane's log on an engine of its own, beside the lane and never ahead of it. */
export class EpochReplay {
  readonly #lane: number;
  readonly #ports: EpochReplayPorts;
  readonly #appliedByLane: () => number;
  readonly #stopped: () => boolean;
  readonly #quarantines: Quarantines;

  /** `quarantines`: those that the lane itself knows. */
  constructor(
    lane: number,
    ports: EpochReplayPorts,
    appliedByLane: () => number,
    stopped: () => boolean,
    quarantines: Quarantines,
  ) {
    this.#quarantines = quarantines;
    this.#lane = lane;
    this.#ports = ports;
    this.#appliedByLane = appliedByLane;
    this.#stopped = stopped;
  }

  /** The newest snapshot before `message` of which `fits` holds, else the lane's beginning. */
  async restored(message: number, fits: (engine: LaneEngine) => boolean): Promise<LaneEngine> {
    for await (const [, bytes] of snapshotsUpTo(this.#lane, message - 1, this.#ports)) {
      const engine = await this.#restoredFrom(bytes);
      if (engine !== null && fits(engine)) return engine;
    }
    return this.#ports.engines.create();
  }

  /** Every message behind the engine's last one, with the draws of those from `recordFrom` on. */
  follow(engine: LaneEngine, recordFrom: number, take: (replayed: Replayed) => Promise<void>): RunningReplay {
    let follower: Follower | null = null;
    let isOver = false;
    let resolve: () => void = () => {};
    const ended = new Promise<void>((resolveEnded, reject) => {
      resolve = resolveEnded;
      const message = async (stored: StoredCommand): Promise<void> => {
        if (isOver || stored.sequence <= engine.appliedSequence) return;
        try {
          await this.#laneApplied(stored.sequence);
          if (!isOver) await take(replayOne(engine, stored, recordFrom, this.#quarantines));
        } catch (error) {
          isOver = true;
          reject(error);
        }
      };
      follower = this.#ports.log.follow(this.#lane, engine.appliedSequence + 1, { message });
      follower.done.catch(reject);
    });
    const stop = (): void => {
      isOver = true;
      resolve();
    };
    return { done: ended.finally(() => follower?.stop()), stop };
  }

  async #laneApplied(sequence: number): Promise<void> {
    this.#requireRunning();
    while (this.#appliedByLane() < sequence) {
      await pause(this.#ports.clock, retryAfterMs);
      this.#requireRunning();
    }
  }

  /** null where the snapshot is gone, torn, or of another version. */
  async #restoredFrom(bytes: Uint8Array | null): Promise<LaneEngine | null> {
    const snapshot = bytes === null ? null : await this.#paced(decodeSnapshotInSteps(bytes));
    if (snapshot === null) return null;
    try {
      return await this.#paced(this.#ports.engines.restore(snapshot.chunks));
    } catch (error) {
      if (error instanceof OtherSnapshotVersion) return null;
      throw error;
    }
  }

  async #paced<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      this.#requireRunning();
      await pause(this.#ports.clock, pausePerStepMs);
    }
  }

  #requireRunning(): void {
    if (this.#stopped()) throw new LogError('stopped', 'The replay was stopped.');
  }
}

function replayOne(
  engine: LaneEngine,
  stored: StoredCommand,
  recordFrom: number,
  quarantines: Quarantines,
): Replayed {
  const { sequence, timestampMs } = stored;
  if (sequence !== engine.appliedSequence + 1)
    throw new LogError('hole', `Sequence ${sequence} came after ${engine.appliedSequence}.`);
  const batch = quarantines.of(stored) === null ? readCommands(stored) : { commands: [] };
  const groups: DrawGroup[] = [];
  const recorder = sequence < recordFrom ? null : { group: (group: DrawGroup) => void groups.push(group) };
  const { events } = engine.apply({ sequence, timestampMs, ...batch }, recorder);
  return { sequence, commands: batch.commands.length, groups, events, engine };
}
