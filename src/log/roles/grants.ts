import type { ArchiveName, TableName } from '../../ports.ts';
import {
  apiSubject,
  archiveEntries,
  archiveStream,
  archiveSubjects,
  auditStream,
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

export const publishes = (...publish: string[]): Grant => ({ publish });
export const subscribes = (...subscribe: string[]): Grant => ({ subscribe });

/** Answers to questions of one kind: they go to the inboxes that whoever asks such questions has for them. */
export const answers = (question: string): Grant => ({
  publish: [inboxSubjects('*', question)],
  subscribe: [question],
});

export const inspects = (stream: string): Grant => publishes(apiSubject(`STREAM.INFO.${stream}`));

/** Single messages and batches of them, from any replica or, of several, from the leader. */
export const reads = (stream: string): Grant =>
  publishes(
    apiSubject(`STREAM.INFO.${stream}`),
    apiSubject(`DIRECT.GET.${stream}`),
    apiSubject(`STREAM.MSG.GET.${stream}`),
  );

/** By pull consumers with this filter; a consumer's name is known to who made it alone. */
export const follows = (stream: string, filter: string): Grant => ({
  publish: [
    apiSubject(`STREAM.INFO.${stream}`),
    apiSubject(`CONSUMER.CREATE.${stream}.*.${filter}`),
    apiSubject(`CONSUMER.MSG.NEXT.${stream}.*`),
    apiSubject(`CONSUMER.DELETE.${stream}.*`),
  ],
});

export const creates = (stream: string): Grant =>
  publishes(apiSubject(`STREAM.INFO.${stream}`), apiSubject(`STREAM.CREATE.${stream}`));

/** Its limits may follow the settings. That nothing is deleted or purged cannot be taken back by an update. */
export const updates = (stream: string): Grant => publishes(apiSubject(`STREAM.UPDATE.${stream}`));

export const watchesTable = (table: TableName): Grant => follows(tableStream(table), tableSubjects(table));

export const readsTable = (table: TableName): Grant => reads(tableStream(table));

export const writesTable = (table: TableName): Grant =>
  combined(readsTable(table), publishes(tableSubjects(table)));

export const createsTable = (table: TableName): Grant => creates(tableStream(table));

export const readsArchive = (archive: ArchiveName): Grant => {
  const stream = archiveStream(archive);
  // By the store's own client: the newest entry of a name is asked for by its subject.
  return combined(reads(stream), publishes(apiSubject('INFO'), apiSubject(`DIRECT.GET.${stream}.>`)));
};

/** The names of all objects, by a consumer of the store's own client. */
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

/** An object that is replaced or removed gives back its room: of archives alone messages are purged. */
export const writesArchive = (archive: ArchiveName): Grant =>
  combined(
    listsArchive(archive),
    creates(archiveStream(archive)),
    publishes(archiveSubjects(archive), apiSubject(`STREAM.PURGE.${archiveStream(archive)}`)),
  );

export const managesAudit: Grant = combined(creates(auditStream), updates(auditStream));

/** Without repeats, in order: the same grants give the same text. */
export function combined(...grants: readonly Grant[]): Permissions {
  const all = (of: 'publish' | 'subscribe'): string[] => [
    ...new Set(grants.flatMap((grant) => grant[of] ?? [])),
  ];
  return { publish: all('publish').sort(), subscribe: all('subscribe').sort() };
}
