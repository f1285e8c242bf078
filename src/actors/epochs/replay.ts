import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import type { DrawGroup } from '../../jackpot/state/lane/recorder.ts';
import { pause } from '../../lib/pauses.ts';
import type { LaneEvent } from '../../messages/events.ts';
import { type Follower, LogError, type StoredCommand } from '../../ports.ts';
import { BackgroundTurn, enginesUpTo, type RestorePorts } from '../recovery/snapshots/restored-replica.ts';
import { readCommands } from '../replica/channel-commands.ts';
import type { Quarantines } from '../replica/quarantines.ts';

/** The lane comes first: look again after this time for messages that it has not applied. */
const retryAfterMs = 5;

/** What a message of a replay did. */
export interface Replayed {
  readonly sequence: number;
  readonly commands: number;
  readonly groups: readonly DrawGroup[];
  readonly events: readonly LaneEvent[];
  readonly engine: LaneEngine;
}

/** A replay that goes on: at the log's end it follows the lane. */
export interface RunningReplay {
  /** Rejects with what ended it; resolves after stop(). */
  readonly done: Promise<void>;
  stop(): void;
}

/** Replays a lane's log on an engine of its own, beside the lane and never ahead of it. */
export class EpochReplay {
  readonly #lane: number;
  readonly #ports: RestorePorts;
  readonly #appliedByLane: () => number;
  readonly #stopped: () => boolean;
  readonly #quarantines: Quarantines;

  /** `quarantines`: those that the lane itself knows. */
  constructor(
    lane: number,
    ports: RestorePorts,
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
    const turn = new TurnOfOneStep(this.#ports, this.#stopped);
    for await (const { engine } of enginesUpTo(this.#lane, message - 1, this.#ports, turn))
      if (fits(engine)) return engine;
    return this.#ports.engines.create();
  }

  /** Every message after the engine's last one, with the draws of those from `recordFrom` on. */
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

  #requireRunning(): void {
    if (this.#stopped()) throw new LogError('stopped', 'The replay was stopped.');
  }
}

/** A step of a restoration takes a few milliseconds; then the lane has the core. */
class TurnOfOneStep extends BackgroundTurn {
  override get isOver(): boolean {
    return true;
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
