import { type ArchiveName, archiveNames, type TableName, tableNames } from '../../ports.ts';
import {
  archiveChunks,
  archiveEntries,
  archiveStream,
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
  triesStream,
  triesSubjects,
} from '../base/names.ts';
import type { LogSettings } from '../roles/settings.ts';
import type { AskedLimits } from './stream-limits.ts';

const nanosPerMs = 1_000_000;
const dayMs = 86_400_000;
const retentionMs = 35 * dayMs;
const duplicateWindowMs = 600_000;
const nonceRetentionMs = 15 * 60_000;
/** Far longer than a ticket counts, whatever the clocks of two gateways say. */
const ticketRetentionMs = 10 * 60_000;
const approvalRetentionMs = 35 * dayMs;
/** How often a host failed is remembered for this long; whether it lives is counted by the others. */
const hostRetentionMs = 600_000;
const maxMessageBytes = 256 * 1024;
const defaultStreamBytes = 4 * 1024 * 1024 * 1024;
const triesBytes = 512 * 1024 * 1024;

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

/** The stream of tries: the oldest make room for new ones. */
export function triesStreamOf(settings: LogSettings): LimitedStream {
  const configuration = {
    ...retainedStream(settings),
    name: triesStream,
    subjects: [triesSubjects],
    discard: 'old',
    max_age: retentionMs * nanosPerMs,
    max_bytes: triesBytes,
    max_msg_size: maxMessageBytes,
  };
  return { configuration, asked: {} };
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
  TICKETS: ticketRetentionMs,
  HOSTS: hostRetentionMs,
};

/** Where entries expire one by one: each message of another table stays until its key is written again. */
const expiringTables: ReadonlySet<TableName> = new Set(['DELIVERIES']);

/** The stream of a table: the last message of each key. No message of a writer may remove those of others. */
export function tableStreamConfiguration(table: TableName, settings: LogSettings): StreamConfiguration {
  const retention = tableRetentionMs[table];
  return {
    ...retainedStream(settings),
    name: tableStream(table),
    subjects: [tableSubjects(table)],
    max_msgs_per_subject: 1,
    ...(expiringTables.has(table) ? { allow_msg_ttl: true } : {}),
    ...(retention === undefined ? {} : { max_age: retention * nanosPerMs }),
  };
}

/** The stream of an archive, as object stores have it. A purge frees the chunks of replaced objects. */
export function archiveStreamConfiguration(archive: ArchiveName, settings: LogSettings): StreamConfiguration {
  const { deny_purge: _, deny_delete: __, ...retained } = retainedStream(settings);
  return {
    ...retained,
    name: archiveStream(archive),
    subjects: [archiveChunks(archive, '>'), archiveEntries(archive)],
  };
}

/** Every stream of a system of `lanes` lanes. */
export function allStreams(lanes: number, settings: LogSettings): readonly LimitedStream[] {
  const unlimited = (configuration: StreamConfiguration): LimitedStream => ({ configuration, asked: {} });
  return [
    ...Array.from({ length: lanes }, (_, lane) => laneStreams(lane, settings)).flat(),
    auditStreamOf(settings),
    triesStreamOf(settings),
    ...tableNames.map((table) => unlimited(tableStreamConfiguration(table, settings))),
    ...archiveNames.map((archive) => unlimited(archiveStreamConfiguration(archive, settings))),
  ];
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

function retainedStream(settings: LogSettings): Omit<StreamConfiguration, 'name'> & {
  readonly deny_delete: true;
  readonly deny_purge: true;
} {
  return {
    retention: 'limits',
    storage: 'file',
    discard: 'new',
    num_replicas: settings.replicas,
    deny_delete: true,
    deny_purge: true,
    allow_rollup_hdrs: false,
    allow_direct: true,
  };
}
