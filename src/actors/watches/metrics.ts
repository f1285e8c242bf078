import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { atomsPerUnit } from '../../lib/money.ts';
import { ProcessMetrics } from '../../lib/node-metrics.ts';
import type { ArchiveState } from '../archive/archiver.ts';
import type { AuditedLane } from '../audit/nightly-audit.ts';
import type { HostedLaneStatus } from '../lane/lane-status.ts';
import type { ActorMonitor } from '../ports/actor-ports.ts';
import { type RecoveryReport, recoveryPhases, recoveryText } from '../ports/recovery-report.ts';
import type { OpenPaymentsOfLane } from './payments/payment-watch.ts';
import type { StreamUse } from './streams/stream-watch.ts';

const prefix = 'potstream_actors_';
const applyBuckets = [0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
const snapshotBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 30];
const failoverBuckets = [0.1, 0.2, 0.4, 0.8, 1, 1.5, 2, 3, 5, 10, 30];

/** Where the lines go: the role's log. */
interface ActorLog {
  error(fields: { readonly lane: number; readonly code: string }, message: string): void;
  info(fields: { readonly lane: number; readonly recovery?: RecoveryReport }, message: string): void;
}

/** What the gauges show; each source is asked at every scrape. An absent one has no rows. */
interface ActorSources {
  statuses(): readonly HostedLaneStatus[];
  fills(): readonly StreamUse[];
  payments(): readonly OpenPaymentsOfLane[];
  /** The lanes that this host owns. */
  owned(): readonly { readonly lane: number; readonly engine: Pick<LaneEngine, 'keys' | 'timestampMs'> }[];
  audited(): readonly AuditedLane[];
  archives(): readonly ArchiveState[];
  oldRateTables(): number;
  /** Streams whose configuration is not what it should be. */
  differingStreams(): readonly string[];
  isStorageMissing(): boolean;
}

interface ActorMetrics {
  readonly monitor: ActorMonitor;
  tookOver(lane: number, seconds: number): void;
  text(): Promise<string>;
}

type Labels<L extends string> = Readonly<Record<L, string | number>>;
type LaneGauge<Row> = readonly [name: string, help: string, value: (row: Row) => number];

/** The metrics of an actor host, and the lines of its log. */
export function createActorMetrics(log: ActorLog, sources: Partial<ActorSources>): ActorMetrics {
  const metrics = new ProcessMetrics();
  const commands = metrics.counter(
    `${prefix}commands_applied_total`,
    'Commands applied, replayed ones included.',
    ['lane'],
  );
  const applySeconds = metrics.histogram(
    `${prefix}apply_seconds`,
    'Time to apply one message and to encode its outcome.',
    applyBuckets,
  );
  const snapshotSeconds = metrics.histogram(
    `${prefix}snapshot_seconds`,
    'Time from the beginning of a snapshot until it was kept.',
    snapshotBuckets,
  );
  const snapshotSequence = metrics.gauge(
    `${prefix}snapshot_sequence`,
    'Sequence of the last kept snapshot.',
    null,
    ['lane'],
  );
  const recoverySeconds = metrics.gauge(
    `${prefix}recovery_seconds`,
    'Time of the last recovery of a lane, by its phases.',
    null,
    ['lane', 'phase'],
  );
  const failoverSeconds = metrics.histogram(
    `${prefix}failover_seconds`,
    'How long a lane was without an owner before this host took it from another, planned moves included: between their heartbeats.',
    failoverBuckets,
  );
  const lastFailoverSeconds = metrics.gauge(
    `${prefix}last_failover_seconds`,
    'The same for the last time that this host took the lane.',
    null,
    ['lane'],
  );
  const alarms = metrics.counter(
    `${prefix}alarms_total`,
    'Conditions that a person must look at, by the codes of a closed list.',
    ['lane', 'code'],
  );
  addGauges(sources, (name, help, labelNames, rows) => {
    metrics.gauge(
      prefix + name,
      help,
      (gauge) => {
        // A lane that moved away leaves no row.
        gauge.reset();
        for (const [labels, value] of rows()) gauge.inc(labels, value);
      },
      labelNames,
    );
  });
  return {
    monitor: {
      applied(lane, count, seconds) {
        commands.inc({ lane }, count);
        applySeconds.observe(seconds);
      },
      snapshotStored(lane, sequence, seconds) {
        snapshotSequence.set({ lane }, sequence);
        snapshotSeconds.observe(seconds);
      },
      recovered(lane, report) {
        for (const phase of recoveryPhases) recoverySeconds.set({ lane, phase }, report.seconds[phase]);
        log.info({ lane, recovery: report }, `Recovered in ${recoveryText(report)}.`);
      },
      stopwatchSeconds: () => performance.now() / 1000,
      alarm(lane, code, message) {
        alarms.inc({ lane, code });
        log.error({ lane, code }, message);
      },
      notice: (lane, message) => log.info({ lane }, message),
    },
    tookOver(lane, seconds) {
      failoverSeconds.observe(seconds);
      lastFailoverSeconds.set({ lane }, seconds);
    },
    text: () => metrics.registry.metrics(),
  };
}

/** `rows` of the same labels are added up. */
type AddGauge = <L extends string = never>(
  name: string,
  help: string,
  labelNames: readonly L[],
  rows: () => readonly (readonly [labels: Labels<NoInfer<L>>, value: number])[],
) => void;

function addGauges(sources: Partial<ActorSources>, add: AddGauge): void {
  const ofLanes = <Row extends { readonly lane: number }>(
    rows: () => readonly Row[],
    ...gauges: readonly LaneGauge<Row>[]
  ): void => {
    for (const [name, help, value] of gauges)
      add(name, help, ['lane'], () => rows().map((row) => [{ lane: row.lane }, value(row)]));
  };
  ofLanes(
    () => sources.statuses?.() ?? [],
    ['applied_sequence', 'Last applied sequence of the lane.', (status) => status.appliedSequence],
    ['stored_outcome_sequence', 'Last stored OUT record of the lane.', (status) => status.storedOutcome],
    ['journal_pending_records', 'OUT records that are not stored yet.', (status) => status.pendingRecords],
    ['lane_owned', '1 where this host owns the lane and works for it.', (status) => Number(isOwned(status))],
    ['lane_full', '1 where contributions are refused for want of room.', ({ full }) => Number(full !== '')],
    ['lane_stopped', '1 where the lane stopped with an alarm.', ({ stopped }) => Number(stopped !== null)],
    ['lane_engine_version', 'Version of the engine that the lane has.', (status) => status.engineVersion],
  );
  addPaymentGauges(() => sources.payments?.() ?? [], add);
  ofLanes(
    () => sources.owned?.() ?? [],
    [
      'idempotency_keys',
      'Idempotency keys of the lane; from 2^25 on the oldest are forgotten before 24 hours.',
      ({ engine }) => engine.keys().count,
    ],
    [
      'oldest_idempotency_key_seconds',
      'Age of the oldest idempotency key in log time.',
      ({ engine }) => {
        const { oldestMs } = engine.keys();
        return oldestMs === null ? 0 : Math.max(0, engine.timestampMs - oldestMs) / 1000;
      },
    ],
  );
  ofLanes(
    () => sources.audited?.() ?? [],
    [
      'lane_audit_verified',
      '1 where the last nightly audit of the lane found nothing wrong, 0 where it did.',
      ({ verified }) => Number(verified),
    ],
    [
      'lane_audit_timestamp_seconds',
      'When the last nightly audit of the lane ended.',
      ({ finishedMs }) => finishedMs / 1000,
    ],
    [
      'lane_audit_messages',
      'Messages that the last nightly audit of the lane replayed.',
      ({ messages }) => messages,
    ],
  );
  ofLanes(
    () => sources.archives?.() ?? [],
    ['archived_sequence', 'Last message of the lane that is archived.', ({ archivedTo }) => archivedTo],
    ['archive_bytes', 'Bytes of the segments of the lane, compressed.', ({ storedBytes }) => storedBytes],
    ['archive_segments', 'Segments of the lane in the archive.', ({ segments }) => segments],
    [
      'archive_behind_seconds',
      'Age of the oldest message that is not archived.',
      (row) => row.behindMs / 1000,
    ],
    ['first_kept_sequence', 'First message that the command stream still has.', ({ firstKept }) => firstKept],
  );
  add(
    'stream_differs',
    '1 for a stream, table or archive whose configuration is not what it should be.',
    ['stream'],
    () => (sources.differingStreams?.() ?? []).map((stream) => [{ stream }, 1]),
  );
  add('storage_missing', '1 where no process of the role storage works.', [], () => [
    [{}, Number(sources.isStorageMissing?.() ?? false)],
  ]);
  add(
    'old_rate_tables',
    'Tables of currency rates in force that were not replaced for longer than POTSTREAM_RATE_AGE_ALARM_SECONDS.',
    [],
    () => [[{}, sources.oldRateTables?.() ?? 0]],
  );
  add(
    'stream_fill_ratio',
    'Part of max_bytes that a stream of a lane holds. At 1 it takes nothing more.',
    ['lane', 'stream'],
    () => (sources.fills?.() ?? []).map(({ lane, stream, ratio }) => [{ lane, stream }, ratio]),
  );
  add(
    'stream_full_in_seconds',
    'When a stream of a lane has no room for contributions, as it grew in the last hour; absent while it does not grow or is trimmed.',
    ['lane', 'stream'],
    () =>
      (sources.fills?.() ?? []).flatMap(({ lane, stream, fullInMs }) =>
        fullInMs === undefined ? [] : [[{ lane, stream }, fullInMs / 1000] as const],
      ),
  );
}

/** Labels come from closed sets and a bounded set of currencies. */
function addPaymentGauges(payments: () => readonly OpenPaymentsOfLane[], add: AddGauge): void {
  const rows = () =>
    payments().flatMap(({ lane, countedMs, rows }) =>
      rows.map(({ kind, state, ...row }) => ({ labels: { lane, kind, state }, countedMs, ...row })),
    );
  add('open_payments', 'Debits and credits that are not settled.', ['lane', 'kind', 'state'], () =>
    rows().map(({ labels, count }) => [labels, count]),
  );
  add(
    'open_payments_units',
    'Sum of the debits and credits that are not settled, in units of their currency.',
    ['lane', 'kind', 'state', 'currency'],
    () =>
      rows().map(({ labels, currency, atoms }) => [
        { ...labels, currency },
        Number(atoms) / Number(atomsPerUnit),
      ]),
  );
  add(
    'open_payments_oldest_seconds',
    'Age of the oldest debit or credit that is not settled.',
    ['lane', 'kind', 'state'],
    () => {
      const oldest = new Map<string, readonly [Labels<'lane' | 'kind' | 'state'>, number]>();
      for (const { labels, countedMs, oldestMs } of rows()) {
        const key = Object.values(labels).join(' ');
        const seconds = Math.max(0, countedMs - oldestMs) / 1000;
        if (seconds >= (oldest.get(key)?.[1] ?? 0)) oldest.set(key, [labels, seconds]);
      }
      return [...oldest.values()];
    },
  );
}

/** A stopped lane is not our work, whatever its last claim says. */
function isOwned({ ownership, stopped }: HostedLaneStatus): boolean {
  return ownership === 'owning' && stopped === null;
}
