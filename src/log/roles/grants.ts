import type { ArchiveName, TableName } from '../../ports.ts';
import {
  apiSubject,
  archiveStream,
  archiveSubjects,
  auditEntriesSubject,
  auditStream,
  inboxSubjects,
  tableStream,
  tableSubject,
  tableSubjects,
} from '../base/names.ts';

/** What a user at nats-server may publish and subscribe; nothing else. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** One thing that a role does, as the subjects that it needs. */
export type Grant = Partial<Permissions>;

/** Publishing to these subjects. */
export const publishes = (...publish: string[]): Grant => ({ publish });
/** Subscribing to these subjects. */
export const subscribes = (...subscribe: string[]): Grant => ({ subscribe });

/** Answering questions on a subject, into the inboxes that roles have for such answers. */
export const answersQuestions = (question: string): Grant => ({
  publish: [inboxSubjects('*', question)],
  subscribe: [question],
});

/** Reading the configuration and state of a stream. */
export const inspects = (stream: string): Grant => publishes(apiSubject(`STREAM.INFO.${stream}`));

/** Reading messages of a stream, one or a batch, from a replica or the leader. */
export const reads = (stream: string): Grant =>
  publishes(
    apiSubject(`STREAM.INFO.${stream}`),
    apiSubject(`DIRECT.GET.${stream}`),
    apiSubject(`STREAM.MSG.GET.${stream}`),
  );

/** Following a stream by pull consumers with this filter. Only its creator knows the name of a consumer. */
export const follows = (stream: string, filter: string): Grant => ({
  publish: [
    apiSubject(`STREAM.INFO.${stream}`),
    apiSubject(`CONSUMER.CREATE.${stream}.*.${filter}`),
    apiSubject(`CONSUMER.MSG.NEXT.${stream}.*`),
    apiSubject(`CONSUMER.DELETE.${stream}.*`),
  ],
});

/** Creating and changing a stream. An update cannot lift its ban on deleting and purging. */
export const makes = (stream: string): Grant =>
  publishes(...['INFO', 'CREATE', 'UPDATE'].map((operation) => apiSubject(`STREAM.${operation}.${stream}`)));

/** Following all keys of a table. */
export const watchesTable = (table: TableName): Grant => follows(tableStream(table), tableSubjects(table));

/** Reading keys of a table. */
export const readsTable = (table: TableName): Grant => reads(tableStream(table));

/** Reading keys of a table and writing those that begin with one of `under`; without it, all. */
export const writesTable = (table: TableName, ...under: readonly string[]): Grant =>
  combined(
    readsTable(table),
    publishes(...(under.length === 0 ? ['>'] : under).map((keys) => tableSubject(table, keys))),
  );

/** Reading objects of an archive, and listing their names. */
export const readsArchive = (archive: ArchiveName): Grant => reads(archiveStream(archive));

/** Reading and writing objects. What was replaced or removed stays until `storage` frees its room. */
export const writesArchive = (archive: ArchiveName): Grant =>
  combined(readsArchive(archive), publishes(archiveSubjects(archive)));

/** Freeing the room of replaced and removed objects; only archives allow it. */
export const freesArchive = (archive: ArchiveName): Grant =>
  combined(readsArchive(archive), publishes(apiSubject(`STREAM.PURGE.${archiveStream(archive)}`)));

/** Reading what the streams of lanes have dropped. */
export const readsArchivedLog: Grant = combined(watchesTable('ARCHIVE'), readsArchive('SEGMENTS'));

/** Archiving lanes' streams. */
export const writesArchivedLog: Grant = combined(
  watchesTable('ARCHIVE'),
  writesTable('ARCHIVE'),
  writesArchive('SEGMENTS'),
);

/** Reading the audit trail. */
export const readsAudit: Grant = reads(auditStream);

/** Appending to the audit trail, which takes reading its end. */
export const writesAudit: Grant = combined(readsAudit, publishes(auditEntriesSubject));

/** All grants together, sorted and without repeats: the same grants give the same text. */
export function combined(...grants: readonly Grant[]): Permissions {
  const all = (of: 'publish' | 'subscribe'): string[] => [
    ...new Set(grants.flatMap((grant) => grant[of] ?? [])),
  ];
  return { publish: all('publish').sort(), subscribe: all('subscribe').sort() };
}
