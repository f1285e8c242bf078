import type { ArchiveName, CommandChannel, OutcomeRouting, TableName } from '../ports.ts';

/** Every name that Potstream gives to something in NATS, and nowhere else. */

export function commandStream(lane: number): string {
  return `CMD_${lane}`;
}

export function outcomeStream(lane: number): string {
  return `OUT_${lane}`;
}

/** Parts of outcome records that are too large for one message of `OUT_<lane>`. */
export function partStream(lane: number): string {
  return `PART_${lane}`;
}

/** `part.<lane>.<sequence>.<checksum>.<index>`: other bytes are other parts, so nobody can overwrite anybody's. */
export function partSubject(lane: number, sequence: number, checksum: string, index: number): string {
  return `part.${lane}.${sequence}.${checksum}.${index}`;
}

export function partSubjects(lane: number): string[] {
  return [`part.${lane}.*.*.*`];
}

/** Administrators' actions, hash-chained. */
export const auditStream = 'AUDIT';
export const auditSubjects = 'audit.>';

const channelTokens = {
  batch: 'b',
  own: 'own',
  control: 'ctl',
  quarantine: 'quarantine',
} as const satisfies Record<CommandChannel, string>;
const channels: ReadonlyMap<string, CommandChannel> = new Map(
  Object.entries(channelTokens).map(([channel, token]) => [token, channel as CommandChannel]),
);

export function commandSubject(lane: number, channel: CommandChannel): string {
  return `cmd.${lane}.${channelTokens[channel]}`;
}

export function commandSubjects(lane: number): string[] {
  return Object.values(channelTokens).map((token) => `cmd.${lane}.${token}`);
}

/** Every command of a lane. */
export function commandFilter(lane: number): string {
  return `cmd.${lane}.*`;
}

/** The channel of a command's subject; undefined for a subject that is none of ours. */
export function channelOfSubject(subject: string): CommandChannel | undefined {
  return channels.get(subject.slice(subject.lastIndexOf('.') + 1));
}

export function isCommandSubject(subject: string): boolean {
  return subject.startsWith('cmd.');
}

/** Where gateways write commands: everything that they like. */
export function isBatchSubject(subject: string): boolean {
  return channelOfSubject(subject) === 'batch' && isCommandSubject(subject);
}

export function isOutcomeSubject(subject: string): boolean {
  return subject.startsWith('out.');
}

export function outcomeSubject(lane: number, routing: OutcomeRouting): string {
  return `out.${lane}.${routing.wallet ? 'w' : '-'}.${routing.hooks ? 'h' : '-'}.${routing.events ? 'e' : '-'}`;
}

export function outcomeSubjects(lane: number): string[] {
  return [`out.${lane}.*.*.*`];
}

/** Matches the outcome records that have what the filter says; what it does not name is free. */
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

/** A batch says who wants its reply: what is no name of a gateway would lead elsewhere, or nowhere. */
export function isGatewayName(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

export const allRepliesSubject = 'reply.*';

export function tickSubject(lane: number): string {
  return `tick.${lane}`;
}

export const allTicksSubject = 'tick.*';

export function querySubject(lane: number): string {
  return `query.${lane}`;
}

export const allQueriesSubject = 'query.*';

export function heartbeatSubject(lane: number): string {
  return `heartbeat.${lane}`;
}

export const allHeartbeatsSubject = 'heartbeat.*';

export const walletAuthenticateSubject = 'wallet.authenticate';

/** Whether a wallet's address may be called. */
export const walletAddressSubject = 'wallet.address';

/** Tokens that a wallet has taken back. */
export const walletRevokedSubject = 'wallet.revoked';

/** The identity of the operator is encoded: it may hold what a subject may not. */
export function feedSubject(operator: string): string {
  return `feed.${Buffer.from(operator, 'utf8').toString('base64url')}`;
}

export const allFeedsSubject = 'feed.*';

export function tableStream(table: TableName): string {
  return `KV_${table}`;
}

export function tableSubject(table: TableName, key: string): string {
  return `$KV.${table}.${key}`;
}

export function isTableSubject(subject: string): boolean {
  return subject.startsWith('$KV.');
}

export function tableSubjects(table: TableName): string {
  return `$KV.${table}.>`;
}

/** What JetStream is asked, `STREAM.INFO.<stream>` say. */
export function apiSubject(operation: string): string {
  return `$JS.API.${operation}`;
}

export function archiveBucket(archive: ArchiveName): string {
  return archive;
}

/** The stream of a bucket, as object stores name it. */
export function archiveStream(archive: ArchiveName): string {
  return `OBJ_${archiveBucket(archive)}`;
}

export function archiveSubjects(archive: ArchiveName): string {
  return `$O.${archiveBucket(archive)}.>`;
}

/** What the objects of a bucket are called. */
export function archiveEntries(archive: ArchiveName): string {
  return `$O.${archiveBucket(archive)}.M.>`;
}

/** The subject of the chunks of one object; `nuid` is the one that its entry names. */
export function archiveChunks(archive: ArchiveName, nuid: string): string {
  return `$O.${archiveBucket(archive)}.C.${nuid}`;
}

/**
 * Where answers go: `_INBOX.<role>.<kind of question>.…`, so that a role hears its own answers alone, and who answers questions of
 * one kind can answer no others. `log` is nats-server itself.
 */
export function inboxPrefix(role: string, question: string = 'log'): string {
  return `_INBOX.${role}.${questionKind(question)}`;
}

export function inboxSubjects(role: string, question?: string): string {
  return question === undefined ? `_INBOX.${role}.>` : `${inboxPrefix(role, question)}.>`;
}

/** Whether an answer to a question on this subject may go there: anywhere else somebody wants something written in our name. */
export function isInboxFor(question: string, subject: string): boolean {
  const [root, , kind] = subject.split('.', 3);
  return root === '_INBOX' && kind === questionKind(question);
}

function questionKind(question: string): string {
  return question.split('.', 1)[0] as string;
}

/** The longest key names a segment of 128 characters beyond the BMP, in base64url, of a brand with the longest ids. */
const maxKeyCharacters = 1024;

/** Whether a key is made of `[A-Za-z0-9_=-]` parts joined by dots, not longer than any of ours. */
export function isTableKey(key: string): boolean {
  return key.length <= maxKeyCharacters && /^[A-Za-z0-9_=-]+(\.[A-Za-z0-9_=-]+)*$/.test(key);
}
