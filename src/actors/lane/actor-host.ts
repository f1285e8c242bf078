import type { LaneReport } from '../../contracts/lanes/lane-report.ts';
import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { errorText } from '../../log/base/error-text.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import { firstUnrevealedMessage } from '../epochs/revealed.ts';
import type { ActorPorts, ActorSettings } from '../ports/actor-ports.ts';
import { throughOutages } from '../ports/outages.ts';
import { DirectoryWatch } from './directory/directory-watch.ts';
import { RateAges } from './directory/rate-ages.ts';
import { LaneHost } from './lane-host.ts';
import type { HostedLaneStatus } from './lane-status.ts';
import { aloneOnLanes, type PlacementEvents } from './placement-events.ts';

/**
 * The lanes of one process and what they share: one watch of the directory. A lane that halts leaves the
 * others running. Hosts `lanes` from its start, and those that are added, until they are removed.
 */
export class ActorHost {
  readonly #lanes = new Map<number, LaneHost>();
  readonly #ports: ActorPorts;
  readonly #settings: ActorSettings;
  readonly #events: PlacementEvents;
  readonly #watch: DirectoryWatch;
  readonly #rateAges: RateAges;
  #lives = 0;
  #started = false;
  #stopped = false;

  constructor(
    lanes: readonly number[],
    ports: ActorPorts,
    settings: ActorSettings,
    events: PlacementEvents = aloneOnLanes,
  ) {
    this.#ports = ports;
    this.#settings = settings;
    this.#events = events;
    this.#watch = new DirectoryWatch((message) => ports.monitor.alarm(lanes[0] ?? 0, 'directory', message));
    this.#rateAges = new RateAges(this.#watch, ports, settings.rateAgeAlarmMs);
    for (const lane of lanes) this.#createLane(lane);
  }

  async start(): Promise<void> {
    const { clock, log } = this.#ports;
    await throughOutages(
      clock,
      () => this.#stopped,
      async () => this.#watch.start(await log.table('DIRECTORY')),
    );
    this.#started = true;
    if (this.#stopped) return;
    this.#rateAges.start();
    await Promise.all([...this.#lanes.values()].map((host) => host.start()));
  }

  statuses(): HostedLaneStatus[] {
    return [...this.#lanes.values()].map((host) => host.status());
  }

  status(lane: number): HostedLaneStatus | null {
    return this.#lanes.get(lane)?.status() ?? null;
  }

  add(lane: number): void {
    if (this.#stopped || this.#lanes.has(lane)) return;
    this.#lives += 1;
    const host = this.#createLane(lane);
    if (this.#started) host.start().catch((error) => this.#lost(lane, error));
  }

  async remove(lane: number): Promise<void> {
    const host = this.#lanes.get(lane);
    this.#lanes.delete(lane);
    await host?.stop();
  }

  /** Claims a lane that has caught up, while `isWanted`, unless another host claims it first. */
  claim(lane: number, isWanted: () => boolean): void {
    this.#lanes.get(lane)?.claim(isWanted);
  }

  ownerObserved(beat: Heartbeat): void {
    this.#lanes.get(beat.lane)?.ownerObserved(beat);
  }

  ownedLanes(): { readonly lane: number; readonly engine: LaneEngine }[] {
    return [...this.#lanes.values()].flatMap(({ lane, ownedEngine: engine }) =>
      engine === null ? [] : [{ lane, engine }],
    );
  }

  owns(lane: number): boolean {
    const status = this.status(lane);
    return status?.ownership === 'owning' && !status.halted;
  }

  /** The first message of an epoch that is not revealed yet; infinite: there is none. */
  firstUnrevealed(lane: number): number {
    const engine = this.#lanes.get(lane)?.ownedEngine ?? null;
    return engine === null ? 0 : firstUnrevealedMessage(engine);
  }

  oldRateTables(): number {
    return this.#rateAges.oldTables();
  }

  /** Keeps a lane's state as it is: what the log holds of it is damaged. */
  requestSnapshot(lane: number): void {
    this.#lanes.get(lane)?.requestSnapshot();
  }

  unready(): string | null {
    return this.#unreadyBut(() => false);
  }

  /**
   * As `unready`, where a halted lane does not count while another one serves, and neither does one whose
   * owner is another host.
   */
  unreadyForAll(): string | null {
    const halted = this.statuses().filter((status) => status.halted);
    const allHalted = halted.length > 0 && halted.length === this.#lanes.size;
    return this.#unreadyBut((status) => status.halted && !allHalted);
  }

  /** Whether every lane has caught up or halted: what is not ready now needs a person. */
  settled(): boolean {
    return this.#unreadyBut((status) => status.halted) === null;
  }

  reports(): LaneReport[] {
    return this.statuses().flatMap(({ lane, stopped, halted, ownership, caughtUp }): LaneReport[] => {
      if (ownership !== 'owning' && this.#events.isServedElsewhere(lane)) return [];
      if (halted) return [{ lane, condition: 'stopped', code: stopped ?? '' }];
      if (ownership === 'owning' && caughtUp) return [{ lane, condition: 'serving', code: '' }];
      return [{ lane, condition: 'starting', code: caughtUp ? ownership : 'catching_up' }];
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#rateAges.stop();
    await Promise.all([...this.#lanes.values()].map((host) => host.stop()));
    await this.#watch.stop();
  }

  /** Ends as a killed process would. For tests. */
  async abort(): Promise<void> {
    this.#stopped = true;
    this.#rateAges.stop();
    await Promise.all([...this.#lanes.values()].map((host) => host.abort()));
    await this.#watch.stop();
  }

  #unreadyBut(passes: (status: HostedLaneStatus) => boolean): string | null {
    if (!this.#ports.bus.connected()) return 'nats_unreachable';
    for (const status of this.statuses()) {
      if (passes(status)) continue;
      if (status.stopped !== null) return `lane_${status.lane}_${status.stopped}`;
      if (!status.caughtUp) return `lane_${status.lane}_catching_up`;
      if (status.ownership !== 'owning' && !this.#events.isServedElsewhere(status.lane))
        return `lane_${status.lane}_${status.ownership}`;
    }
    return this.#watch.current ? null : 'directory_unread';
  }

  /** Each life of a lane has a name of its own: a claim of another one is not its claim. */
  #createLane(lane: number): LaneHost {
    const life = this.#lives === 0 ? '' : `-${this.#lives}`;
    const settings = { ...this.#settings, host: `${this.#settings.host}${life}` };
    const host = new LaneHost(lane, this.#ports, settings, this.#watch, this.#events);
    this.#lanes.set(lane, host);
    host.superseded
      .then(() => this.#restartRecovery(lane, host))
      .catch((error: unknown) => this.#lost(lane, error));
    return host;
  }

  #lost(lane: number, error: unknown): void {
    this.#ports.monitor.alarm(lane, 'host_fault', errorText(error));
  }

  /** The lane's next life recovers from a snapshot or the log's beginning. */
  async #restartRecovery(lane: number, superseded: LaneHost): Promise<void> {
    const isCurrent = (): boolean => !this.#stopped && this.#lanes.get(lane) === superseded;
    if (!isCurrent()) return;
    await superseded.stop();
    if (!isCurrent()) return;
    this.#lives += 1;
    const host = this.#createLane(lane);
    this.#ports.monitor.notice(lane, 'Recovering: a quarantine was written.');
    await host.start();
  }
}
