import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { collectNodeMetrics } from '../../lib/node-metrics.ts';
import { addArchiveGauges } from '../archive/archive-metrics.ts';
import type { ArchiveState } from '../archive/archiver.ts';
import { addAuditGauges } from '../audit/audit-metrics.ts';
import type { AuditedLane } from '../audit/nightly-audit.ts';
import type { HostedLaneStatus } from '../lane/lane-status.ts';
import type { ActorMonitor } from '../ports/actor-ports.ts';
import { type RecoveryReport, recoveryPhases, recoveryText } from '../ports/recovery-report.ts';
import { addPaymentGauges } from './payments/payment-metrics.ts';
import type { OpenPaymentsOfLane } from './payments/payment-watch.ts';
import { addConfigurationGauges, type ConfigurationState } from './streams/configuration-metrics.ts';
import type { StreamUse } from './streams/stream-watch.ts';

const applyBuckets = [0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
const snapshotBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/** Where the lines go: the role's log. */
export interface ActorLog {
  error(fields: { readonly lane: number; readonly code: string }, message: string): void;
  info(fields: { readonly lane: number; readonly recovery?: RecoveryReport }, message: string): void;
}

interface KeyedLane {
  readonly lane: number;
  readonly engine: Pick<LaneEngine, 'keys' | 'timestampMs'>;
}

interface ActorMetrics {
  readonly monitor: ActorMonitor;
  /** This host took a lane from another one. */
  tookOver(lane: number, seconds: number): void;
  text(): Promise<string>;
}

/** The metrics of an actor host, and the lines of its log; the sources are asked at each scrape. */
export function createActorMetrics(
  statuses: () => readonly HostedLaneStatus[],
  fills: () => readonly StreamUse[],
  log: ActorLog,
  payments: () => readonly OpenPaymentsOfLane[] = () => [],
  owned: () => readonly KeyedLane[] = () => [],
  audited: () => readonly AuditedLane[] = () => [],
  archives: () => readonly ArchiveState[] = () => [],
  oldRateTables: () => number = () => 0,
  configurations: () => ConfigurationState = () => ({ differing: () => [], isStorageMissing: () => false }),
): ActorMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectNodeMetrics(registry);
  const labelNames = ['lane'] as const;
  const commands = new Counter({
    name: 'potstream_actors_commands_applied_total',
    help: 'Commands applied, replayed ones included.',
    labelNames,
    registers,
  });
  const applySeconds = new Histogram({
    name: 'potstream_actors_apply_seconds',
    help: 'Time to apply one message and to encode its outcome.',
    buckets: applyBuckets,
    registers,
  });
  const snapshotSeconds = new Histogram({
    name: 'potstream_actors_snapshot_seconds',
    help: 'Time from the beginning of a snapshot until it was kept.',
    buckets: snapshotBuckets,
    registers,
  });
  const snapshotSequence = new Gauge({
    name: 'potstream_actors_snapshot_sequence',
    help: 'Sequence of the last kept snapshot.',
    labelNames,
    registers,
  });
  const recoverySeconds = new Gauge({
    name: 'potstream_actors_recovery_seconds',
    help: 'Time of the last recovery of a lane, by its phases.',
    labelNames: ['lane', 'phase'],
    registers,
  });
  const failoverSeconds = new Histogram({
    name: 'potstream_actors_failover_seconds',
    help: 'How long a lane was without an owner before this host took it from another, planned moves included: between their heartbeats.',
    buckets: [0.1, 0.2, 0.4, 0.8, 1, 1.5, 2, 3, 5, 10, 30],
    registers,
  });
  const lastFailoverSeconds = new Gauge({
    name: 'potstream_actors_last_failover_seconds',
    help: 'The same for the last time that this host took the lane.',
    labelNames,
    registers,
  });
  const alarms = new Counter({
    name: 'potstream_actors_alarms_total',
    help: 'Conditions that a person must look at, by the codes of a closed list.',
    labelNames: ['lane', 'code'],
    registers,
  });
  laneGauges(registers, statuses);
  addPaymentGauges(registers, payments);
  addKeyGauges(registers, owned);
  addAuditGauges(registers, audited);
  addArchiveGauges(registers, archives);
  addConfigurationGauges(registers, configurations);
  new Gauge({
    name: 'potstream_actors_old_rate_tables',
    help: 'Tables of currency rates in force that were not replaced for longer than POTSTREAM_RATE_AGE_ALARM_SECONDS.',
    registers,
    collect() {
      this.set(oldRateTables());
    },
  });
  new Gauge({
    name: 'potstream_actors_stream_fill_ratio',
    help: 'Part of max_bytes that a stream of a lane holds. At 1 it takes nothing more.',
    labelNames: ['lane', 'stream'],
    registers,
    collect() {
      for (const { lane, stream, ratio } of fills()) this.set({ lane, stream }, ratio);
    },
  });
  new Gauge({
    name: 'potstream_actors_stream_full_in_seconds',
    help: 'When a stream of a lane has no room for contributions, as it grew in the last hour; absent while it does not grow or is trimmed.',
    labelNames: ['lane', 'stream'],
    registers,
    collect() {
      this.reset();
      for (const { lane, stream, fullInMs } of fills()) {
        if (fullInMs !== undefined) this.set({ lane, stream }, fullInMs / 1000);
      }
    },
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
    text: () => registry.metrics(),
  };
}

/** Repeats of a contribution are recognised by its key. */
function addKeyGauges(registers: Registry[], owned: () => readonly KeyedLane[]): void {
  const labelNames = ['lane'] as const;
  const count = new Gauge({
    name: 'potstream_actors_idempotency_keys',
    help: 'Idempotency keys of the lane; from 2^25 on the oldest are forgotten before 24 hours.',
    labelNames,
    registers,
  });
  new Gauge({
    name: 'potstream_actors_oldest_idempotency_key_seconds',
    help: 'Age of the oldest idempotency key in log time.',
    labelNames,
    registers,
    collect() {
      for (const { lane, engine } of owned()) {
        const { count: keys, oldestMs } = engine.keys();
        count.set({ lane }, keys);
        this.set({ lane }, oldestMs === null ? 0 : Math.max(0, engine.timestampMs - oldestMs) / 1000);
      }
    },
  });
}

function laneGauges(registers: Registry[], statuses: () => readonly HostedLaneStatus[]): void {
  const rows: readonly [name: string, help: string, value: (status: HostedLaneStatus) => number][] = [
    ['applied_sequence', 'Last applied sequence of the lane.', (status) => status.appliedSequence],
    ['stored_outcome_sequence', 'Last stored OUT record of the lane.', (status) => status.storedOutcome],
    ['journal_pending_records', 'OUT records that are not stored yet.', (status) => status.pendingRecords],
    ['lane_owned', '1 where this host owns the lane and works for it.', (status) => Number(isOwned(status))],
    [
      'lane_full',
      '1 where contributions are refused for want of room.',
      (status) => Number(status.full !== ''),
    ],
    ['lane_stopped', '1 where the lane stopped with an alarm.', (status) => Number(status.stopped !== null)],
    ['lane_engine_version', 'Version of the engine that the lane has.', (status) => status.engineVersion],
  ];
  for (const [name, help, value] of rows) {
    new Gauge({
      name: `potstream_actors_${name}`,
      help,
      labelNames: ['lane'],
      registers,
      collect() {
        // A lane that moved away leaves no row behind.
        this.reset();
        for (const status of statuses()) this.set({ lane: status.lane }, value(status));
      },
    });
  }
}

/** A stopped lane is not our work, whatever its last claim says. */
function isOwned({ ownership, stopped }: HostedLaneStatus): boolean {
  return ownership === 'owning' && stopped === null;
}
