import { crash } from '../lib/crash.ts';
import type { ArchiveLimits } from '../log/archive/limits.ts';
import { storageSubject } from '../log/base/names.ts';
import { startLaneClaims } from '../log/lanes/lane-claims.ts';
import { decodeLaneNeed } from '../log/lanes/storage-question.ts';
import { type ArchiveName, type Bus, LogError, type Table } from '../ports.ts';
import { LaneStreams, type LaneStreamsPorts } from './lane-streams.ts';
import { alarmFrom } from './pushed-out.ts';
import { StreamWidener } from './stream-widener.ts';

interface StoragePorts extends Omit<LaneStreamsPorts, 'index'> {
  /** null: the log is not archived, and nothing is trimmed. */
  readonly index: LaneStreamsPorts['index'] | null;
  readonly bus: Bus;
  readonly leases: Table;
  readonly holder: string;
  /** Frees the room of what was replaced or removed before `beforeMs`. @throws LogError */
  readonly free: (archive: ArchiveName, beforeMs: number) => Promise<void>;
  /** A bug of ours. */
  readonly report: (error: unknown) => void;
}

interface StorageSettings {
  readonly lanes: number;
  /** Lanes whose streams are not what they should be: they are left alone. */
  readonly leftAlone: ReadonlySet<number>;
  readonly limits: ArchiveLimits;
}

/** What this process does with one lane, for its metrics. */
export interface StorageLane {
  readonly lane: number;
  readonly checkedTo: number;
}

export interface RunningStorage {
  works(): boolean;
  lanes(): readonly StorageLane[];
  stop(): Promise<void>;
}

const freeEveryMs = 60_000;
/** They leave after days, if at all. */
const freeSegmentsEveryMs = 3_600_000;
const answer = Buffer.from('taken', 'utf8');

/** One process of the role works, the holder of a lease. Steps may be repeated: two do no harm. */
export function startStorage(ports: StoragePorts, settings: StorageSettings): RunningStorage {
  let work: Work | null = null;
  const claims = startLaneClaims({
    ...{ table: ports.leases, clock: ports.clock, holder: ports.holder, report: ports.report },
    ...{ role: 'storage', lanes: 1 },
    gained: () => {
      work = new Work(ports, settings);
    },
    lost: () => {
      work?.stop().catch(crash);
      work = null;
    },
  });
  return {
    works: () => work !== null,
    lanes: () => work?.lanes() ?? [],
    async stop() {
      const working = work;
      await claims.stop();
      await working?.stop();
    },
  };
}

class Work {
  readonly #ports: StoragePorts;
  readonly #settings: StorageSettings;
  readonly #lanes: ReadonlyMap<number, LaneStreams>;
  readonly #widener: StreamWidener;
  readonly #subscription: { stop(): void };
  #cancel: () => void = () => {};
  #freeing: Promise<void> = Promise.resolve();
  #freedSegmentsMs = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(ports: StoragePorts, settings: StorageSettings) {
    this.#ports = ports;
    this.#settings = settings;
    const all = Array.from({ length: settings.lanes }, (_, lane) => lane);
    const numbers = all.filter((lane) => !settings.leftAlone.has(lane));
    const { index } = ports;
    const trimmed = index === null ? [] : numbers;
    const streamsOf = (lane: number) => new LaneStreams(lane, { ...ports, index: index! }, settings.limits);
    this.#lanes = new Map(trimmed.map((lane) => [lane, streamsOf(lane)]));
    this.#widener = new StreamWidener(ports, numbers, alarmFrom(settings.limits.spareMessages));
    this.#widener.start();
    this.#subscription = ports.bus.subscribe(storageSubject, ({ bytes, respond }) => {
      const need = decodeLaneNeed(bytes, settings.lanes);
      if (need === null) return;
      respond(answer);
      this.#lanes.get(need.lane)?.asked(need).catch(crash);
    });
    this.#free();
  }

  lanes(): readonly StorageLane[] {
    return [...this.#lanes].map(([lane, { checkedTo }]) => ({ lane, checkedTo }));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#subscription.stop();
    await Promise.all([
      this.#widener.stop(),
      this.#freeing,
      ...[...this.#lanes.values()].map((lane) => lane.stop()),
    ]);
  }

  #free(): void {
    this.#freeing = this.#freeAll().catch(crash);
  }

  /** Segments stay as long as the operator says: nothing else has what the streams dropped. */
  async #freeAll(): Promise<void> {
    const { clock, free } = this.#ports;
    const { archiveMs } = this.#settings.limits;
    const always = Number.POSITIVE_INFINITY;
    await this.#guarded('SNAPSHOTS', () => free('SNAPSHOTS', always));
    await this.#guarded('EPOCHS', () => free('EPOCHS', always));
    if (archiveMs !== null && clock.elapsedMs() - this.#freedSegmentsMs >= freeSegmentsEveryMs) {
      this.#freedSegmentsMs = clock.elapsedMs();
      await this.#guarded('SEGMENTS', () => free('SEGMENTS', clock.nowMs() - archiveMs));
    }
    if (!this.#stopped) this.#cancel = clock.after(freeEveryMs, () => this.#free());
  }

  async #guarded(archive: ArchiveName, work: () => Promise<void>): Promise<void> {
    if (this.#stopped) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      if (error.retryable || this.#stopped) return;
      this.#ports.monitor.alarm(0, 'archive_not_freed', `Room of ${archive} is not freed: ${error.message}`);
    }
  }
}
