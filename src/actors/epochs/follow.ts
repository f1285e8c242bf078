import type { ActorPorts } from '../ports/actor-ports.ts';
import type { EpochFollowing, EpochPlan, FollowEpochs, FollowingEvents } from '../ports/epoch-ports.ts';
import type { RestorePorts } from '../recovery/snapshots/restored-replica.ts';
import { Throttle } from '../recovery/throttle.ts';
import { Quarantines } from '../replica/quarantines.ts';
import { AdaptiveSpeed } from './adaptive-speed.ts';
import { EpochRecording } from './recording.ts';
import { EpochReplay, type RunningReplay } from './replay.ts';
import { isBeforeAll } from './revealed.ts';
import { Spool } from './spool.ts';
import { EpochStore } from './store.ts';

type FollowingPorts = RestorePorts & Pick<ActorPorts, 'openSpoolFile'>;

/** Follows on the thread that asks for it. */
export function followEpochs(ports: FollowingPorts): FollowEpochs {
  return (plan, applied, events) => new Following(plan, applied, events, ports);
}

class Following implements EpochFollowing {
  readonly done: Promise<void>;
  readonly #plan: EpochPlan;
  readonly #applied: () => number;
  readonly #events: FollowingEvents;
  readonly #ports: FollowingPorts;
  #recorded = 0;
  #running: RunningReplay | null = null;
  #stopped = false;

  constructor(plan: EpochPlan, applied: () => number, events: FollowingEvents, ports: FollowingPorts) {
    this.#plan = plan;
    this.#applied = applied;
    this.#events = events;
    this.#ports = ports;
    this.done = this.#run().catch((error) => {
      if (!this.#stopped) throw error;
    });
  }

  recorded(): number {
    return this.#recorded;
  }

  stop(): void {
    this.#stopped = true;
    this.#running?.stop();
  }

  async #run(): Promise<void> {
    const { first, lane, unknown } = this.#plan;
    const { clock, log, openSpoolFile } = this.#ports;
    const stopped = (): boolean => this.#stopped;
    const replay = new EpochReplay(
      lane,
      this.#ports,
      this.#applied,
      stopped,
      await Quarantines.read(log, lane),
    );
    const spool = new Spool(() => openSpoolFile(lane));
    try {
      const engine = await replay.restored(first, (found) => isBeforeAll(found, unknown));
      const speed = new AdaptiveSpeed(clock.elapsedMs());
      this.#noteRecorded(engine.appliedSequence);
      const recording = this.#recording(spool, speed);
      this.#running = replay.follow(engine, unknown.length > 0 ? 0 : first, async (replayed) => {
        const behind = this.#applied() - replayed.sequence;
        speed.adjust(clock.elapsedMs(), behind);
        if (speed.isTooSlow) this.#events.fellBehind(behind);
        await recording.take(replayed);
        this.#noteRecorded(replayed.sequence);
      });
      if (this.#stopped) this.#running.stop();
      await this.#running.done;
    } finally {
      await spool.close();
    }
  }

  #noteRecorded(sequence: number): void {
    this.#recorded = sequence;
    this.#events.recorded?.(sequence);
  }

  #recording(spool: Spool, speed: AdaptiveSpeed): EpochRecording {
    const { clock } = this.#ports;
    return new EpochRecording({
      store: new EpochStore(this.#ports, () => this.#stopped),
      spool,
      throttle: new Throttle(clock, () => speed.pausePerSliceMs),
      pageLimit: this.#plan.pageLimit,
      published: (instance, epoch) => this.#events.published(instance, epoch),
      failed: (instance, epoch, error) => this.#events.failed(instance, epoch, error),
    });
  }
}
