import { RepeatingAlarms } from '../../lib/repeating-alarms.ts';
import { startLaneClaims } from '../../log/lanes/lane-claims.ts';
import { type Clock, LogError, type Table } from '../../ports.ts';
import { StoreError } from '../base/errors.ts';
import type { ForgottenPlayers } from '../base/forgotten.ts';
import { reportingLimits } from '../base/limits.ts';
import type { SideStream } from '../base/side-tables.ts';
import type { Finding } from '../check/finding.ts';
import { Bookkeeper, type BookkeeperPorts } from '../lane/bookkeeper.ts';
import { alarmOfTrouble, type ReportingAlarm, type Trouble } from '../lane/trouble.ts';
import type { BooksStore } from '../store/store.ts';
import { StreamKeeper, type StreamKeeperPorts } from '../streams/stream-keeper.ts';
import { createReportingMetrics } from './metrics.ts';
import { NightlyCheck } from './nightly-check.ts';

interface ReportingPorts extends Omit<BookkeeperPorts, 'written' | 'trouble' | 'store'> {
  readonly store: BookkeeperPorts['store'] & StreamKeeperPorts['store'] & Pick<BooksStore, 'forget'>;
  readonly streams: StreamKeeperPorts['streams'];
  /** Players to forget; null: there are none. */
  readonly forgotten: () => ForgottenPlayers | null;
  readonly log: BookkeeperPorts['log'];
  readonly clock: Clock;
  /** KV LEASES. */
  readonly leases: Table;
  /** The same after a restart. */
  readonly holder: string;
  readonly lanes: number;
  /** When the books are checked, hour of the day in UTC; null: never. */
  readonly checkHour: number | null;
  readonly check: (lane: number) => AsyncIterable<Finding>;
  /** Removes rows that are too old; gives how many. */
  readonly removeOld: () => Promise<number>;
  readonly isConnected: () => boolean;
  readonly alarm: (code: ReportingAlarm, message: string, error: unknown) => void;
  readonly notice: (message: string) => void;
  readonly report: (error: unknown) => void;
}

interface ReportingRole {
  /** null when it works; otherwise one word why not. The database is no reason: nothing waits for it. */
  unready(): string | null;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/** The keeper of this lane's books does what is done once: the streams beside the lanes, forgetting. */
const laneOfAll = 0;
const sideStreams: readonly SideStream[] = ['TRIES', 'AUDIT'];

/** How far the books of a lane are behind its log. */
export interface BooksLag {
  readonly lane: number;
  readonly messages: number;
  /** Age of the last message in the books while there are later ones. */
  readonly ageMs: number;
}

/** Keeps the books of the lanes that this process holds. */
export function startReporting(ports: ReportingPorts): ReportingRole {
  const { log, clock, leases, holder, lanes, report } = ports;
  const keepers = new Map<number, Bookkeeper>();
  let streamKeepers: readonly StreamKeeper[] = [];
  const troubles = new Map<number, Trouble>();
  const ending = new Set<Promise<void>>();
  const due = new RepeatingAlarms(reportingLimits.alarmEveryMs);
  let lags: readonly BooksLag[] = [];
  const nightly = new NightlyCheck({
    ...{ clock, hour: ports.checkHour, check: ports.check },
    lanes: () => keepers.keys(),
    ended: () => judge(),
    async tidy() {
      if (!keepers.has(laneOfAll)) return;
      const removed = await ports.removeOld().catch((error: unknown) => {
        // The next night tries again.
        if (!(error instanceof StoreError)) report(error);
        return 0;
      });
      if (removed > 0) ports.notice(`${removed} rows were older than they are kept.`);
    },
  });
  const metrics = createReportingMetrics({
    lags: () => lags,
    troubles: () => troubles,
    checked: () => nightly.checked(),
  });

  function judge(): void {
    due.begin();
    for (const [lane, trouble] of troubles) {
      const code = alarmOfTrouble(trouble);
      if (code === null || !due.isDue(`${code} ${lane}`, clock.elapsedMs())) continue;
      metrics.alarm(code);
      const runbook = 'docs/operate.md#potstreambooksstand';
      ports.alarm(code, `The books of lane ${lane} do not go on. Runbook: ${runbook}`, trouble.error);
    }
    for (const { key, code, message } of nightly.conditions()) {
      if (!due.isDue(`${code} ${key}`, clock.elapsedMs())) continue;
      metrics.alarm(code);
      ports.alarm(code, message, undefined);
    }
  }

  function trouble(lane: number, found: Trouble | null): void {
    if (!keepers.has(lane)) return;
    const before = troubles.get(lane);
    if (found === null) troubles.delete(lane);
    else troubles.set(lane, found);
    if (found !== null && found.code !== before?.code && alarmOfTrouble(found) === null)
      ports.notice(`The books of lane ${lane} wait (${found.code}): ${String(found.error)}`);
    if (found === null && before !== undefined) ports.notice(`The books of lane ${lane} go on.`);
    judge();
  }

  function gained(lane: number): void {
    keepers.set(lane, new Bookkeeper(lane, { ...ports, written: metrics.written, trouble }));
    if (lane === laneOfAll) streamKeepers = sideStreams.map((each) => new StreamKeeper(each, ports));
  }

  function lost(lane: number): void {
    const keeper = keepers.get(lane);
    if (keeper === undefined) return;
    keepers.delete(lane);
    troubles.delete(lane);
    nightly.forget(lane);
    const stopping = [keeper, ...(lane === laneOfAll ? streamKeepers : [])];
    if (lane === laneOfAll) streamKeepers = [];
    const ended = Promise.all(stopping.map((each) => each.stop()))
      .then(() => {})
      .catch(report);
    ending.add(ended);
    ended.finally(() => ending.delete(ended)).catch(() => {});
  }

  /** The keeper of the first lane does it: the database has the writers of all lanes know. */
  async function forget(): Promise<void> {
    const players = keepers.has(laneOfAll) ? ports.forgotten() : null;
    if (players === null) return;
    try {
      for (const { pseudonym } of await ports.store.forget(players))
        ports.notice(`The books have ${pseudonym} in place of a player.`);
    } catch (error) {
      // The next look tries again; the lanes tell what is the matter.
      if (!(error instanceof StoreError)) throw error;
    }
  }

  async function look(): Promise<void> {
    const found: BooksLag[] = [];
    for (const [lane, keeper] of keepers) {
      const last = await log.lastCommand(lane);
      const { sequence = 0, timestampMs = null } = keeper.position ?? {};
      const messages = Math.max(0, last - sequence);
      const ageMs = messages === 0 || timestampMs === null ? 0 : Math.max(0, clock.nowMs() - timestampMs);
      found.push({ lane, messages, ageMs });
    }
    lags = found;
    judge();
    await forget();
  }

  let cancel = (): void => {};
  let looking: Promise<void> = Promise.resolve();
  const lookSoon = (): void => {
    cancel = clock.after(
      reportingLimits.watchEveryMs,
      () => {
        looking = look()
          .catch((error: unknown) => {
            // The next look has it again.
            if (!(error instanceof LogError)) report(error);
          })
          .finally(lookSoon);
      },
      'aligned',
    );
  };
  lookSoon();
  const claims = startLaneClaims({
    table: leases,
    role: 'reporting',
    holder,
    clock,
    lanes,
    gained,
    lost,
    report,
  });
  return {
    unready: () => (ports.isConnected() ? null : 'nats_disconnected'),
    metrics: () => metrics.registry.metrics(),
    async stop() {
      await looking;
      cancel();
      await nightly.stop();
      await Promise.all([...keepers.values(), ...streamKeepers].map((keeper) => keeper.stop()));
      await claims.stop();
      await Promise.all(ending);
    },
  };
}
