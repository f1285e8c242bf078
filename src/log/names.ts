import type { ArchiveName, CommandChannel, OutcomeRouting, TableName } from '../lib/ports.ts';

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

/** The channel of a command's subject; undefined for a subject that is none of ours. */
export function channelOfSubject(subject: string): CommandChannel | undefined {
  return channels.get(subject.slice(subject.lastIndexOf('.') + 1));
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

export function tickSubject(lane: number): string {
  return `tick.${lane}`;
}

export const allTicksSubject = 'tick.*';

export function querySubject(lane: number): string {
  return `query.${lane}`;
}

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

export function tableSubjects(table: TableName): string {
  return `$KV.${table}.>`;
}

export function archiveBucket(archive: ArchiveName): string {
  return archive;
}

/** The stream of a bucket, as object stores name it. */
export function archiveStream(archive: ArchiveName): string {
  return `OBJ_${archiveBucket(archive)}`;
}

/** The subject of the chunks of one object; `nuid` is the one that its entry names. */
export function archiveChunks(archive: ArchiveName, nuid: string): string {
  return `$O.${archiveBucket(archive)}.C.${nuid}`;
}

/** The longest key names a segment of 128 characters beyond the BMP, in base64url, of a brand with the longest ids. */
const MOST_KEY_CHARACTERS = 1024;

/** Whether a key is made of `[A-Za-z0-9_=-]` parts joined by dots, not longer than any of ours. */
export function isTableKey(key: string): boolean {
  return key.length <= MOST_KEY_CHARACTERS && /^[A-Za-z0-9_=-]+(\.[A-Za-z0-9_=-]+)*$/.test(key);
}
