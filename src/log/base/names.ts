import type { ArchiveName, CommandChannel, OutcomeRouting, TableName } from '../../ports.ts';

/** All names that Potstream uses in NATS, and nowhere else (docs/rules/log.md "Streams"). */

/** In place of a lane's number in a subject: any lane. Streams have no such wildcard. */
type AllLanes = '*';

/** The stream of a lane's commands. */
export function commandStream(lane: number): string {
  return `CMD_${lane}`;
}

/** The stream of a lane's outcome records. */
export function outcomeStream(lane: number): string {
  return `OUT_${lane}`;
}

/** The stream of the parts of a lane's outcome records that are too large for one message. */
export function partStream(lane: number): string {
  return `PART_${lane}`;
}

/** `part.<lane>.<sequence>.<checksum>.<index>`, with the record's checksum: no owner overwrites another's. */
export function partSubject(lane: number, sequence: number, checksum: string, index: number): string {
  return `part.${lane}.${sequence}.${checksum}.${index}`;
}

/** The sequence of the record that a part belongs to. */
export function sequenceOfPart(subject: string): number {
  return Number(subject.split('.', 3)[2]);
}

/** The subjects of a lane's stream of parts. */
export function partSubjects(lane: number | AllLanes): string[] {
  return [`part.${lane}.*.*.*`];
}

/** Administrators' actions, hash-chained. */
export const auditStream = 'AUDIT';
export const auditSubjects = 'audit.>';
/** The subject of every message of the trail. */
export const auditEntriesSubject = 'audit.entries';

const channelTokens = {
  batch: 'b',
  own: 'own',
  control: 'ctl',
  settlement: 'settle',
  quarantine: 'quarantine',
} as const satisfies Record<CommandChannel, string>;
const channels: ReadonlyMap<string, CommandChannel> = new Map(
  Object.entries(channelTokens).map(([channel, token]) => [token, channel as CommandChannel]),
);

/** The subject of a lane's commands on one channel. */
export function commandSubject(lane: number | AllLanes, channel: CommandChannel): string {
  return `cmd.${lane}.${channelTokens[channel]}`;
}

/** The subjects of a lane's command stream, one for each channel. */
export function commandSubjects(lane: number): string[] {
  return Object.values(channelTokens).map((token) => `cmd.${lane}.${token}`);
}

/** The filter for every command of a lane. */
export function commandFilter(lane: number): string {
  return `cmd.${lane}.*`;
}

/** The channel that a command subject ends with; undefined if it is unknown. */
export function channelOfSubject(subject: string): CommandChannel | undefined {
  return channels.get(subject.slice(subject.lastIndexOf('.') + 1));
}

/** Whether a subject belongs to a command stream. */
export function isCommandSubject(subject: string): boolean {
  return subject.startsWith('cmd.');
}

/** Whether a subject is for batches: gateways may write any bytes there. */
export function isBatchSubject(subject: string): boolean {
  return channelOfSubject(subject) === 'batch' && isCommandSubject(subject);
}

/** Whether a subject belongs to an outcome stream. */
export function isOutcomeSubject(subject: string): boolean {
  return subject.startsWith('out.');
}

/** `out.<lane>.<w or ->.<h or ->.<e or ->`: the subject of a record with this routing. */
export function outcomeSubject(lane: number, routing: OutcomeRouting): string {
  return `out.${lane}.${routing.wallet ? 'w' : '-'}.${routing.hooks ? 'h' : '-'}.${routing.events ? 'e' : '-'}`;
}

/** The subjects of a lane's outcome stream. */
export function outcomeSubjects(lane: number | AllLanes): string[] {
  return [`out.${lane}.*.*.*`];
}

/** The filter for outcome records with this routing; absent members match everything. */
export function outcomeFilter(lane: number, filter: Partial<OutcomeRouting>): string {
  const token = (wanted: boolean | undefined, letter: string): string =>
    wanted === undefined ? '*' : wanted ? letter : '-';
  const { wallet, hooks, events } = filter;
  return `out.${lane}.${token(wallet, 'w')}.${token(hooks, 'h')}.${token(events, 'e')}`;
}

/** `reply.<gateway>`: answers to the batches of one gateway. */
export function replySubject(gateway: string): string {
  return `reply.${gateway}`;
}

/**
 * Whether a text is the name of a gateway: 1 to 64 letters, digits, `_` or `-`. A batch with another one
 * could lead its reply elsewhere.
 */
export function isGatewayName(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

export const allRepliesSubject = 'reply.*';

/** The subject of a lane's ticks (docs/rules/log.md "Ticks and queries"). */
export function tickSubject(lane: number): string {
  return `tick.${lane}`;
}

export const allTicksSubject = 'tick.*';

/** The subject of queries to a lane. */
export function querySubject(lane: number): string {
  return `query.${lane}`;
}

export const allQueriesSubject = 'query.*';

/** The subject of a lane's heartbeats. */
export function heartbeatSubject(lane: number): string {
  return `heartbeat.${lane}`;
}

export const allHeartbeatsSubject = 'heartbeat.*';

/**
 * Only the process of this name subscribes to it, as long as it is connected. Nothing is published there. In
 * base64url: a name may have characters that a subject must not.
 */
export function presenceSubject(process: string): string {
  return `presence.${Buffer.from(process, 'utf8').toString('base64url')}`;
}

export const allPresencesSubject = 'presence.*';

/** Questions of lanes' owners to `storage`. */
export const storageSubject = 'storage.lanes';

export const walletAuthenticateSubject = 'wallet.authenticate';

/** Whether a wallet's address may be called. */
export const walletAddressSubject = 'wallet.address';

/** Tokens that a wallet revoked. */
export const walletRevokedSubject = 'wallet.revoked';

/** What gateways tell each other about log-ins. */
export const loginsSubject = 'gateway.logins';

/** Questions of gateways about the deliveries of a lane. */
export function deliveriesSubject(lane: number): string {
  return `deliveries.${lane}`;
}

export const allDeliveriesSubject = 'deliveries.*';

/** `feed.<operator>`, the operator in base64url: its id may have characters that a subject must not. */
export function feedSubject(operator: string): string {
  return `feed.${Buffer.from(operator, 'utf8').toString('base64url')}`;
}

export const allFeedsSubject = 'feed.*';

/** The stream of a table, named like every KV bucket. */
export function tableStream(table: TableName): string {
  return `KV_${table}`;
}

/** The subject of one key of a table. */
export function tableSubject(table: TableName, key: string): string {
  return `$KV.${table}.${key}`;
}

/** Whether a subject belongs to a table. */
export function isTableSubject(subject: string): boolean {
  return subject.startsWith('$KV.');
}

/** The filter for all keys of a table. */
export function tableSubjects(table: TableName): string {
  return `$KV.${table}.>`;
}

/** The subject of an operation of the JetStream API, such as `STREAM.INFO.<stream>`. */
export function apiSubject(operation: string): string {
  return `$JS.API.${operation}`;
}

/** The bucket of an archive. */
export function archiveBucket(archive: ArchiveName): string {
  return archive;
}

/** The stream of an archive's bucket, named like every object store. */
export function archiveStream(archive: ArchiveName): string {
  return `OBJ_${archiveBucket(archive)}`;
}

/** The filter for everything in an archive's stream. */
export function archiveSubjects(archive: ArchiveName): string {
  return `$O.${archiveBucket(archive)}.>`;
}

/** The filter for the entries that describe an archive's objects. */
export function archiveEntries(archive: ArchiveName): string {
  return `$O.${archiveBucket(archive)}.M.>`;
}

/** The subject of an object's entry. In base64url: a name may have characters that a subject must not. */
export function archiveEntry(archive: ArchiveName, name: string): string {
  const text = Buffer.from(name, 'utf8').toString('base64url');
  return `$O.${archiveBucket(archive)}.M.${text.padEnd(4 * Math.ceil(text.length / 4), '=')}`;
}

/** The subject of the chunks of one object, whose entry names the `nuid`. */
export function archiveChunks(archive: ArchiveName, nuid: string): string {
  return `$O.${archiveBucket(archive)}.C.${nuid}`;
}

/**
 * `_INBOX.<role>.<kind of question>`: a role receives only its own answers, and a process that answers one
 * kind of question cannot answer another. `log` is nats-server.
 */
export function inboxPrefix(role: string, question: string = 'log'): string {
  return `_INBOX.${role}.${questionKind(question)}`;
}

/** The filter for a role's inboxes; with `question`, for those of its answers. */
export function inboxSubjects(role: string, question?: string): string {
  return question === undefined ? `_INBOX.${role}.>` : `${inboxPrefix(role, question)}.>`;
}

/**
 * Whether an answer to `question` may go to `subject`. On any other subject a caller could make us write in
 * our name.
 */
export function isInboxFor(question: string, subject: string): boolean {
  const [root, , kind] = subject.split('.', 3);
  return root === '_INBOX' && kind === questionKind(question);
}

function questionKind(question: string): string {
  return question.split('.', 1)[0] as string;
}

/**
 * The longest key is that of a segment of 128 characters beyond the BMP, in base64url, and a brand with the
 * longest ids.
 */
const maxKeyCharacters = 1024;

/** Whether a key has at most 1,024 characters: parts of `[A-Za-z0-9_=-]` joined by dots. */
export function isTableKey(key: string): boolean {
  return key.length <= maxKeyCharacters && /^[A-Za-z0-9_=-]+(\.[A-Za-z0-9_=-]+)*$/.test(key);
}
