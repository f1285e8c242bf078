import { decodeCommandBatch } from '../contracts/log/codec.ts';
import type { Command } from '../contracts/log/commands.ts';
import type { DrawGroup } from '../jackpot/draw/recorder.ts';
import type { LaneEngine } from '../jackpot/engine.ts';
import { OtherSnapshotVersion } from '../jackpot/snapshot/restore.ts';
import { type Follower, LogError, type StoredCommand } from '../lib/ports.ts';
import type { Steps } from '../lib/steps.ts';
import type { LanePorts } from './ports.ts';
import { archivedSnapshotName, archivedSnapshots } from './snapshot-archive.ts';
import { decodeSnapshotInSteps } from './snapshot-format.ts';
import type { SnapshotName } from './snapshot-store.ts';
import { pause } from './waiting.ts';

/** A step of a restoration takes a few milliseconds; the lane has the core for as long and a little longer. */
const pausePerStepMs = 8;

/** What a message of a replay did. */
export interface Replayed {
  readonly commands: readonly Command[];
  readonly groups: readonly DrawGroup[];
  readonly engine: LaneEngine;
}

/**
 * Replays stretches of a lane's log on an engine of its own, beside the lane. Where one stretch follows another, the engine
 * goes on from where it is, else it begins at a snapshot; `forget` gives it up.
 */
export class EpochReplay {
  readonly #lane: number;
  readonly #ports: LanePorts;
  readonly #stopped: () => boolean;
  #engine: LaneEngine | null = null;

  constructor(lane: number, ports: LanePorts, stopped: () => boolean) {
    this.#lane = lane;
    this.#ports = ports;
    this.#stopped = stopped;
  }

  /** Every message from `firstMessage` or earlier up to `lastMessage`; `take` may have the replay wait. */
  async from(
    firstMessage: number,
    lastMessage: number,
    take: (replayed: Replayed) => Promise<void>,
  ): Promise<void> {
    const engine = (await this.#ahead(firstMessage)) ?? (await this.#restored(firstMessage, () => true));
    await this.#replay(engine, lastMessage, async (replayed) => {
      await take(replayed);
      return false;
    });
  }

  /**
   * From the newest snapshot of which `fits` holds, else from the beginning, until `take` says that this is enough, or up
   * to `lastMessage`. It is given what the snapshot says, as if that were a message, and then each message.
   */
  async since(
    fits: (engine: LaneEngine) => boolean,
    lastMessage: number,
    take: (replayed: Replayed) => Promise<boolean>,
  ): Promise<void> {
    const engine = await this.#restored(lastMessage, fits);
    if (!(await take({ commands: [], groups: [], engine }))) await this.#replay(engine, lastMessage, take);
  }

  forget(): void {
    this.#engine = null;
  }

  /** The engine that is there, where no snapshot is nearer. */
  async #ahead(firstMessage: number): Promise<LaneEngine | null> {
    const engine = this.#engine;
    if (engine === null || engine.appliedSequence >= firstMessage) return null;
    const nearer = (await this.#ports.snapshots.list(this.#lane)).some(
      ({ sequence }) => sequence > engine.appliedSequence && sequence < firstMessage,
    );
    return nearer ? null : engine;
  }

  async #replay(
    engine: LaneEngine,
    lastMessage: number,
    take: (replayed: Replayed) => Promise<boolean>,
  ): Promise<void> {
    // What is broken off leaves an engine nobody knows the place of.
    this.#engine = null;
    let follower: Follower | null = null;
    let isOver = engine.appliedSequence >= lastMessage;
    await new Promise<void>((resolve, reject) => {
      if (isOver) return resolve();
      const message = async (stored: StoredCommand): Promise<void> => {
        if (isOver) return;
        try {
          this.#requireRunning();
          const isEnough = await take(replayOne(engine, stored));
          isOver = isEnough || stored.sequence >= lastMessage;
          if (isOver) resolve();
        } catch (error) {
          isOver = true;
          reject(error);
        }
      };
      follower = this.#ports.log.follow(this.#lane, engine.appliedSequence + 1, { message });
      follower.done.catch(reject);
    }).finally(() => follower?.stop());
    this.#engine = engine;
  }

  async #restored(before: number, fits: (engine: LaneEngine) => boolean): Promise<LaneEngine> {
    this.#engine = null;
    for await (const bytes of this.#snapshotsBefore(before)) {
      const engine = await this.#restoredFrom(bytes);
      if (engine !== null && fits(engine)) return engine;
    }
    return this.#ports.engines.create();
  }

  /** The newest first: this host's files, then the archive's. Null where one cannot be read. */
  async *#snapshotsBefore(message: number): AsyncGenerator<Uint8Array | null> {
    const lane = this.#lane;
    const { log, snapshots } = this.#ports;
    const isBefore = ({ sequence }: SnapshotName): boolean => sequence < message;
    for (const name of (await snapshots.list(lane)).filter(isBefore))
      yield await snapshots.read(lane, name).catch(() => null);
    const archive = await log.archive('SNAPSHOTS');
    for (const name of (await archivedSnapshots(archive, lane)).filter(isBefore))
      yield await archive.get(archivedSnapshotName(lane, name));
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

function replayOne(engine: LaneEngine, stored: StoredCommand): Replayed {
  const { commands } = decodeCommandBatch(stored.bytes);
  const { sequence, timestampMs } = stored;
  const groups: DrawGroup[] = [];
  engine.apply({ sequence, timestampMs, commands }, { group: (group) => groups.push(group) });
  return { commands, groups, engine };
}
