import type { TableName } from '../../ports.ts';
import {
  auditStream,
  auditSubjects,
  commandStream,
  commandSubjects,
  outcomeStream,
  outcomeSubjects,
  partStream,
  partSubjects,
  tableStream,
  tableSubjects,
} from '../names.ts';
import type { LogSettings } from '../settings.ts';
import type { AskedLimits } from './stream-limits.ts';

const nanosPerMs = 1_000_000;
const dayMs = 86_400_000;
const retentionMs = 35 * dayMs;
const duplicateWindowMs = 600_000;
const nonceRetentionMs = 15 * 60_000;
const approvalRetentionMs = 35 * dayMs;
/** How often a host failed is remembered for so long; whether it lives is counted by the others. */
const hostRetentionMs = 600_000;
const maxMessageBytes = 256 * 1024;
const defaultStreamBytes = 4 * 1024 * 1024 * 1024;

/** The configuration of a stream, in the names of the JetStream API. */
export type StreamConfiguration = Readonly<Record<string, unknown>> & { readonly name: string };

/** A stream and the limits that settings name for it. */
export interface LimitedStream {
  readonly configuration: StreamConfiguration;
  readonly asked: AskedLimits;
}

/** All streams of a lane: commands, outcomes and parts of outcome records (docs/rules/log.md "Streams"). */
export function laneStreams(lane: number, settings: LogSettings): readonly LimitedStream[] {
  const { maxStreamBytes, maxStreamAgeMs } = settings;
  const ofOutcomes = { maxBytes: maxOutcomeBytesOf(settings), maxAgeMs: maxStreamAgeMs };
  return [
    {
      configuration: commandStreamConfiguration(lane, settings),
      asked: { maxBytes: maxStreamBytes, maxAgeMs: maxStreamAgeMs },
    },
    { configuration: outcomeStreamConfiguration(lane, settings), asked: ofOutcomes },
    { configuration: partStreamConfiguration(lane, settings), asked: ofOutcomes },
  ];
}

/** The stream of administrators' actions. */
export function auditStreamOf(settings: LogSettings): LimitedStream {
  const { maxAuditBytes, maxAuditAgeMs } = settings;
  return {
    configuration: auditStreamConfiguration(settings),
    asked: { maxBytes: maxAuditBytes, maxAgeMs: maxAuditAgeMs },
  };
}

function commandStreamConfiguration(lane: number, settings: LogSettings): StreamConfiguration {
  return {
    ...laneStream(settings, settings.maxStreamBytes),
    name: commandStream(lane),
    subjects: commandSubjects(lane),
    duplicate_window: duplicateWindowMs * nanosPerMs,
  };
}

function outcomeStreamConfiguration(lane: number, settings: LogSettings): StreamConfiguration {
  return {
    ...laneStream(settings, maxOutcomeBytesOf(settings)),
    name: outcomeStream(lane),
    subjects: outcomeSubjects(lane),
  };
}

/** As durable as the records. A part is written once: its subject names its bytes. */
function partStreamConfiguration(lane: number, settings: LogSettings): StreamConfiguration {
  return {
    ...laneStream(settings, maxOutcomeBytesOf(settings)),
    name: partStream(lane),
    subjects: partSubjects(lane),
    max_msgs_per_subject: 1,
  };
}

function maxOutcomeBytesOf({ maxOutcomeBytes, maxStreamBytes }: LogSettings): number | undefined {
  return maxOutcomeBytes ?? maxStreamBytes;
}

/** Without limits: `followLimits` sets them once it exists. */
function auditStreamConfiguration(settings: LogSettings): StreamConfiguration {
  return { ...retainedStream(settings), name: auditStream, subjects: [auditSubjects] };
}

/** How long entries of a table live after they were written; other tables keep them. */
const tableRetentionMs: Partial<Record<TableName, number>> = {
  NONCES: nonceRetentionMs,
  APPROVALS: approvalRetentionMs,
  HOSTS: hostRetentionMs,
};

/** The stream of a table: the last message of each key. */
export function tableStreamConfiguration(table: TableName, settings: LogSettings): StreamConfiguration {
  const retention = tableRetentionMs[table];
  return {
    name: tableStream(table),
    subjects: [tableSubjects(table)],
    retention: 'limits',
    storage: 'file',
    discard: 'new',
    num_replicas: settings.replicas,
    max_msgs_per_subject: 1,
    deny_delete: true,
    allow_rollup_hdrs: true,
    allow_direct: true,
    allow_msg_ttl: true,
    ...(retention === undefined ? {} : { max_age: retention * nanosPerMs }),
  };
}

/** Common to the streams of a lane: at `max_bytes` they refuse new messages and keep the old ones. */
function laneStream(settings: LogSettings, maxBytes = defaultStreamBytes): Omit<StreamConfiguration, 'name'> {
  return {
    ...retainedStream(settings),
    max_age: (settings.maxStreamAgeMs ?? retentionMs) * nanosPerMs,
    max_bytes: maxBytes,
    max_msg_size: maxMessageBytes,
  };
}

function retainedStream(settings: LogSettings): Omit<StreamConfiguration, 'name'> {
  return {
    retention: 'limits',
    storage: 'file',
    discard: 'new',
    num_replicas: settings.replicas,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
  };
}
