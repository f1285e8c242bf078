import type { ArchiveName, TableName } from '../../ports.ts';
import {
  apiSubject,
  archiveEntries,
  archiveStream,
  archiveSubjects,
  auditStream,
  auditSubject,
  inboxSubjects,
  tableStream,
  tableSubjects,
} from '../names.ts';

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
export const answers = (question: string): Grant => ({
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

/** Creating a stream. */
export const creates = (stream: string): Grant =>
  publishes(apiSubject(`STREAM.INFO.${stream}`), apiSubject(`STREAM.CREATE.${stream}`));

/** Updating the limits of a stream. An update cannot lift its ban on deleting and purging. */
export const updates = (stream: string): Grant => publishes(apiSubject(`STREAM.UPDATE.${stream}`));

/** Following all keys of a table. */
export const watchesTable = (table: TableName): Grant => follows(tableStream(table), tableSubjects(table));

/** Reading keys of a table. */
export const readsTable = (table: TableName): Grant => reads(tableStream(table));

/** Reading and writing keys of a table. */
export const writesTable = (table: TableName): Grant =>
  combined(readsTable(table), publishes(tableSubjects(table)));

/** Creating a table. */
export const createsTable = (table: TableName): Grant => creates(tableStream(table));

/** Reading objects of an archive by name. */
export const readsArchive = (archive: ArchiveName): Grant => {
  const stream = archiveStream(archive);
  // The client asks for the newest entry of a name by its subject.
  return combined(reads(stream), publishes(apiSubject('INFO'), apiSubject(`DIRECT.GET.${stream}.>`)));
};

/** Reading objects of an archive and listing their names, by a consumer of the client. */
export const listsArchive = (archive: ArchiveName): Grant => {
  const stream = archiveStream(archive);
  return combined(
    readsArchive(archive),
    publishes(
      apiSubject(`CONSUMER.CREATE.${stream}.*.${archiveEntries(archive)}`),
      apiSubject(`CONSUMER.INFO.${stream}.*`),
      apiSubject(`CONSUMER.DELETE.${stream}.*`),
    ),
  );
};

/**
 * Creating, reading and writing an archive. Purging frees the room of replaced and removed objects; only archives allow
 * it.
 */
export const writesArchive = (archive: ArchiveName): Grant =>
  combined(
    listsArchive(archive),
    creates(archiveStream(archive)),
    publishes(archiveSubjects(archive), apiSubject(`STREAM.PURGE.${archiveStream(archive)}`)),
  );

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
export const writesAudit: Grant = combined(readsAudit, publishes(auditSubject));

/** Creating the stream of the audit trail. */
export const createsAudit: Grant = creates(auditStream);

/** Creating the stream of the audit trail, and changing its limits. */
export const managesAudit: Grant = combined(createsAudit, updates(auditStream));

/** All grants together, sorted and without repeats: the same grants give the same text. */
export function combined(...grants: readonly Grant[]): Permissions {
  const all = (of: 'publish' | 'subscribe'): string[] => [
    ...new Set(grants.flatMap((grant) => grant[of] ?? [])),
  ];
  return { publish: all('publish').sort(), subscribe: all('subscribe').sort() };
}
