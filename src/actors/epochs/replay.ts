import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import type { DrawGroup } from '../../jackpot/state/lane/recorder.ts';
import { pause } from '../../lib/pauses.ts';
import type { LaneEvent } from '../../messages/events.ts';
import { LogError, type StoredCommand } from '../../ports.ts';
import { BackgroundTurn, enginesUpTo, type RestorePorts } from '../recovery/snapshots/restored-replica.ts';
import { readCommands } from '../replica/channel-commands.ts';
import type { Quarantines } from '../replica/quarantines.ts';

/** How often the replay looks for messages that the lane has applied. */
const burstMs = 100;
/** A server may be behind; a message that cannot be read for so long is gone. */
const maxEmptyReads = 100;

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

  /**
   * Every message after the engine's last one, with the draws of those from `recordFrom` on. At the log's end
   * it reads what has come in bursts: nothing waits for epochs as for answers.
   */
  follow(engine: LaneEngine, recordFrom: number, take: (replayed: Replayed) => Promise<void>): RunningReplay {
    let isOver = false;
    let stop: () => void = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = () => {
        isOver = true;
        resolve();
      };
    });
    const run = async (): Promise<void> => {
      for (let emptyReads = 0; !isOver; ) {
        const next = engine.appliedSequence + 1;
        const messages = await this.#appliedFrom(next);
        for (const stored of messages) {
          if (isOver) return;
          await take(replayOne(engine, stored, recordFrom, this.#quarantines));
        }
        if (messages.length > 0) emptyReads = 0;
        else {
          if (this.#appliedByLane() >= next) emptyReads += 1;
          if (emptyReads > maxEmptyReads)
            throw new LogError('hole', `Message ${next} of lane ${this.#lane} cannot be read.`);
          await pause(this.#ports.clock, burstMs);
        }
      }
    };
    return { done: Promise.race([run(), stopped]), stop };
  }

  /** Some of the messages from `next` on that the lane has applied; none while they cannot be read. */
  async #appliedFrom(next: number): Promise<readonly StoredCommand[]> {
    this.#requireRunning();
    const applied = this.#appliedByLane();
    if (applied < next) return [];
    try {
      const messages = await this.#ports.log.readCommands(this.#lane, next);
      this.#requireRunning();
      return messages.filter(({ sequence }) => sequence <= applied);
    } catch (error) {
      if (error instanceof LogError && error.retryable) return [];
      throw error;
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
