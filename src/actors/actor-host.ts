import type { LaneReport } from '../contracts/lane-report.ts';
import type { LaneEngine } from '../jackpot/engine.ts';
import { errorText } from '../log/error-text.ts';
import { DirectoryWatch } from './directory/directory-watch.ts';
import { RateAges } from './directory/rate-ages.ts';
import { LaneHost } from './lane/lane-host.ts';
import type { LaneStatus } from './lane/lane-status.ts';
import type { LanePorts, LaneSettings } from './ports.ts';
import { throughOutages } from './waiting.ts';

/** The lanes of one process and what they share: one watch of the directory. A lane that halts leaves the others running. */
export class ActorHost {
  readonly #lanes: LaneHost[];
  readonly #ports: LanePorts;
  readonly #settings: LaneSettings;
  readonly #watch: DirectoryWatch;
  readonly #rateAges: RateAges;
  #lives = 0;
  #stopped = false;

  constructor(lanes: readonly number[], ports: LanePorts, settings: LaneSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#watch = new DirectoryWatch((message) => ports.monitor.alarm(lanes[0] ?? 0, 'directory', message));
    this.#rateAges = new RateAges(this.#watch, ports, settings.rateAgeAlarmMs);
    this.#lanes = lanes.map((lane, index) => this.#createLane(lane, index, settings));
  }

  async start(): Promise<void> {
    const { clock, log } = this.#ports;
    await throughOutages(
      clock,
      () => this.#stopped,
      async () => this.#watch.start(await log.table('DIRECTORY')),
    );
    if (!this.#stopped) this.#rateAges.start();
    await Promise.all(this.#lanes.map((host) => host.start()));
  }

  statuses(): LaneStatus[] {
    return this.#lanes.map((host) => host.status());
  }

  /** The engines of the lanes that this host owns. */
  ownedLanes(): { readonly lane: number; readonly engine: LaneEngine }[] {
    return this.#lanes.flatMap(({ lane, ownedEngine: engine }) =>
      engine === null ? [] : [{ lane, engine }],
    );
  }

  owns(lane: number): boolean {
    return this.statuses().some((each) => each.lane === lane && each.ownership === 'owning' && !each.halted);
  }

  /** Keeps a lane's state as it is: what the log holds of it is damaged. */
  requestSnapshot(lane: number): void {
    this.#lanes.find((host) => host.lane === lane)?.requestSnapshot();
  }

  /** Null when every lane is caught up and owned. */
  unready(): string | null {
    return this.#unreadyBut(() => false);
  }

  /** As `unready`, where a lane that halted keeps nobody waiting while another one serves. */
  unreadyForAll(): string | null {
    const halted = this.statuses().filter((status) => status.halted);
    const allHalted = halted.length === this.#lanes.length;
    return this.#unreadyBut((status) => status.halted && !allHalted);
  }

  reports(): LaneReport[] {
    return this.statuses().map(({ lane, stopped, halted, ownership, caughtUp }) => {
      if (halted) return { lane, condition: 'stopped', code: stopped ?? '' };
      if (ownership === 'owning' && caughtUp) return { lane, condition: 'serving', code: '' };
      return { lane, condition: 'starting', code: caughtUp ? ownership : 'catching_up' };
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#rateAges.stop();
    await Promise.all(this.#lanes.map((host) => host.stop()));
    await this.#watch.stop();
  }

  /** Ends as a killed process would. For tests. */
  async abort(): Promise<void> {
    this.#stopped = true;
    this.#rateAges.stop();
    await Promise.all(this.#lanes.map((host) => host.abort()));
    await this.#watch.stop();
  }

  #unreadyBut(passes: (status: LaneStatus) => boolean): string | null {
    if (!this.#ports.bus.connected()) return 'nats_unreachable';
    for (const status of this.statuses()) {
      if (passes(status)) continue;
      if (status.stopped !== null) return `lane_${status.lane}_${status.stopped}`;
      if (!status.caughtUp) return `lane_${status.lane}_catching_up`;
      if (status.ownership !== 'owning') return `lane_${status.lane}_${status.ownership}`;
    }
    return this.#watch.current ? null : 'directory_unread';
  }

  #createLane(lane: number, index: number, settings: LaneSettings): LaneHost {
    const host = new LaneHost(lane, this.#ports, settings, this.#watch);
    const lost = (error: unknown): void => this.#ports.monitor.alarm(lane, 'host_fault', errorText(error));
    host.superseded.then(() => this.#restartRecovery(lane, index)).catch(lost);
    return host;
  }

  /** Its state begins at a snapshot or at the log's beginning again; a claim of the life before is not this one's. */
  async #restartRecovery(lane: number, index: number): Promise<void> {
    if (this.#stopped) return;
    await this.#lanes[index]?.stop();
    if (this.#stopped) return;
    this.#lives += 1;
    const host = this.#createLane(lane, index, {
      ...this.#settings,
      host: `${this.#settings.host}-${this.#lives}`,
    });
    this.#lanes[index] = host;
    this.#ports.monitor.notice(lane, 'Recovering: a quarantine was written.');
    await host.start();
  }
}
