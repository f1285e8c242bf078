import { DirectoryWatch } from './directory-watch.ts';
import { LaneHost } from './lane-host.ts';
import type { LaneEnd, LaneStatus } from './lane-status.ts';
import type { LanePorts, LaneSettings } from './ports.ts';
import { RateAges } from './rate-ages.ts';
import { throughOutages } from './waiting.ts';

/** The lanes of one process and what they share: one watch of the directory. */
export class ActorHost {
  readonly lanes: readonly LaneHost[];
  /** Settles with the error of the first lane that crashed; a lane that stopped with an alarm leaves the others running. */
  readonly crashed: Promise<unknown>;
  readonly #ports: LanePorts;
  readonly #watch: DirectoryWatch;
  readonly #rateAges: RateAges;
  #stopped = false;

  constructor(lanes: readonly number[], ports: LanePorts, settings: LaneSettings) {
    this.#ports = ports;
    this.#watch = new DirectoryWatch((message) => ports.monitor.alarm(lanes[0] ?? 0, 'directory', message));
    this.#rateAges = new RateAges(this.#watch, ports, settings.rateAgeAlarmMs);
    this.lanes = lanes.map((lane) => new LaneHost(lane, ports, settings, this.#watch));
    this.crashed = new Promise((resolve) => {
      for (const host of this.lanes) {
        const judge = (end: LaneEnd): void => {
          if (end.kind === 'crashed') resolve(end.error);
        };
        host.ended.then(judge, resolve);
      }
    });
  }

  async start(): Promise<void> {
    const { clock, log } = this.#ports;
    await throughOutages(
      clock,
      () => this.#stopped,
      async () => this.#watch.start(await log.table('DIRECTORY')),
    );
    if (!this.#stopped) this.#rateAges.start();
    await Promise.all(this.lanes.map((host) => host.start()));
  }

  statuses(): LaneStatus[] {
    return this.lanes.map((host) => host.status());
  }

  /** Null when every lane is caught up and owned. */
  unready(): string | null {
    if (!this.#ports.bus.connected()) return 'nats_unreachable';
    for (const status of this.statuses()) {
      if (status.stopped !== null) return `lane_${status.lane}_${status.stopped}`;
      if (!status.caughtUp) return `lane_${status.lane}_catching_up`;
      if (status.ownership !== 'owning') return `lane_${status.lane}_${status.ownership}`;
    }
    return this.#watch.current ? null : 'directory_unread';
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#rateAges.stop();
    await Promise.all(this.lanes.map((host) => host.stop()));
    await this.#watch.stop();
  }

  /** Ends as a killed process would. For tests. */
  async abort(): Promise<void> {
    this.#stopped = true;
    this.#rateAges.stop();
    await Promise.all(this.lanes.map((host) => host.abort()));
    await this.#watch.stop();
  }
}
