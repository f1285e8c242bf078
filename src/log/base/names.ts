import type { ArchiveName, CommandChannel, OutcomeRouting, TableName } from '../../ports.ts';

/** All names that Potstream uses in NATS, and nowhere else (docs/rules/log.md "Streams"). */

/** In place of a lane's number in a subject: any lane. Streams have no such wildcard. */
type AllLanes = '*';

/** The stream of a lane's commands. */
export const commandStream = (lane: number): string => `CMD_${lane}`;

/** The stream of a lane's outcome records. */
export const outcomeStream = (lane: number): string => `OUT_${lane}`;

/** The stream of the parts of a lane's outcome records that are too large for one message. */
export const partStream = (lane: number): string => `PART_${lane}`;

/** `part.<lane>.<sequence>.<checksum>.<index>`, with the record's checksum: no owner overwrites another's. */
export const partSubject = (lane: number, sequence: number, checksum: string, index: number): string =>
  `part.${lane}.${sequence}.${checksum}.${index}`;

/** The sequence of the record that a part belongs to. */
export const sequenceOfPart = (subject: string): number => Number(subject.split('.', 3)[2]);

/** The subjects of a lane's stream of parts. */
export const partSubjects = (lane: number | AllLanes): string[] => [`part.${lane}.*.*.*`];

/** Administrators' actions, hash-chained. */
export const auditStream = 'AUDIT';
export const auditSubjects = 'audit.>';
/** The subject of every message of the trail. */
export const auditEntriesSubject = 'audit.entries';

/** Tries of wallet calls and of callbacks, as far as they fit: nothing follows from them. */
export const triesStream = 'TRIES';
export const triesSubjects = 'tries.*';
export const walletTriesSubject = 'tries.wallet';
export const callbackTriesSubject = 'tries.callback';

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
export const commandSubject = (lane: number | AllLanes, channel: CommandChannel): string =>
  `cmd.${lane}.${channelTokens[channel]}`;

/** The subjects of a lane's command stream, one for each channel. */
export const commandSubjects = (lane: number): string[] =>
  Object.values(channelTokens).map((token) => `cmd.${lane}.${token}`);

/** The filter for every command of a lane. */
export const commandFilter = (lane: number): string => `cmd.${lane}.*`;

/** The channel that a command subject ends with; undefined if it is unknown. */
export const channelOfSubject = (subject: string): CommandChannel | undefined =>
  channels.get(subject.slice(subject.lastIndexOf('.') + 1));

/** Whether a subject belongs to a command stream. */
export const isCommandSubject = (subject: string): boolean => subject.startsWith('cmd.');

/** Whether a subject is for batches: gateways may write any bytes there. */
export const isBatchSubject = (subject: string): boolean =>
  channelOfSubject(subject) === 'batch' && isCommandSubject(subject);

/** Whether a subject belongs to an outcome stream. */
export const isOutcomeSubject = (subject: string): boolean => subject.startsWith('out.');

/** `out.<lane>.<w or ->.<h or ->.<e or ->`: the subject of a record with this routing. */
export const outcomeSubject = (lane: number, routing: OutcomeRouting): string =>
  `out.${lane}.${routing.wallet ? 'w' : '-'}.${routing.hooks ? 'h' : '-'}.${routing.events ? 'e' : '-'}`;

/** The subjects of a lane's outcome stream. */
export const outcomeSubjects = (lane: number | AllLanes): string[] => [`out.${lane}.*.*.*`];

/** The filter for outcome records with this routing; absent members match everything. */
export function outcomeFilter(lane: number, filter: Partial<OutcomeRouting>): string {
  const token = (wanted: boolean | undefined, letter: string): string =>
    wanted === undefined ? '*' : wanted ? letter : '-';
  const { wallet, hooks, events } = filter;
  return `out.${lane}.${token(wallet, 'w')}.${token(hooks, 'h')}.${token(events, 'e')}`;
}

/** `reply.<gateway>`: answers to the batches of one gateway. */
export const replySubject = (gateway: string): string => `reply.${gateway}`;

/**
 * Whether a text is the name of a gateway: 1 to 64 letters, digits, `_` or `-`. A batch with another one
 * could lead its reply elsewhere.
 */
export const isGatewayName = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

export const allRepliesSubject = 'reply.*';

/** The subject of a lane's ticks (docs/rules/log.md "Ticks and queries"). */
export const tickSubject = (lane: number): string => `tick.${lane}`;

export const allTicksSubject = 'tick.*';

/** The subject of queries to a lane. */
export const querySubject = (lane: number): string => `query.${lane}`;

export const allQueriesSubject = 'query.*';

/** The subject of a lane's heartbeats. */
export const heartbeatSubject = (lane: number): string => `heartbeat.${lane}`;

export const allHeartbeatsSubject = 'heartbeat.*';

/**
 * Only the process of this name subscribes to it, as long as it is connected. Nothing is published there. In
 * base64url: a name may have characters that a subject must not.
 */
export const presenceSubject = (process: string): string =>
  `presence.${Buffer.from(process, 'utf8').toString('base64url')}`;

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

/** How many sockets players have, told among fan-outs. */
export const feedPlayersSubject = 'feeds.players';

/** Tickets that the fan-out has gateways redeem (docs/rules/feeds.md "Tickets"). */
export const ticketsSubject = 'tickets.redeem';

/** Questions of gateways about the deliveries of a lane. */
export const deliveriesSubject = (lane: number): string => `deliveries.${lane}`;

export const allDeliveriesSubject = 'deliveries.*';

/** Questions of gateways about the books. */
export const booksSubject = 'reporting.ask';

/** New simulations, and questions about those that a process plays or has played. */
export const simulationsSubject = (process?: string): string => `simulations.${process ?? 'new'}`;

export const allSimulationsSubject = 'simulations.*';

/** `feed.<operator>`, the operator in base64url: its id may have characters that a subject must not. */
export const feedSubject = (operator: string): string =>
  `feed.${Buffer.from(operator, 'utf8').toString('base64url')}`;

export const allFeedsSubject = 'feed.*';

/** The stream of a table, named like every KV bucket. */
export const tableStream = (table: TableName): string => `KV_${table}`;

/** The subject of one key of a table. */
export const tableSubject = (table: TableName, key: string): string => `$KV.${table}.${key}`;

/** Whether a subject belongs to a table. */
export const isTableSubject = (subject: string): boolean => subject.startsWith('$KV.');

/** The filter for all keys of a table. */
export const tableSubjects = (table: TableName): string => `$KV.${table}.>`;

/** The subject of an operation of the JetStream API, such as `STREAM.INFO.<stream>`. */
export const apiSubject = (operation: string): string => `$JS.API.${operation}`;

/** The bucket of an archive. */
export const archiveBucket = (archive: ArchiveName): string => archive;

/** The stream of an archive's bucket, named like every object store. */
export const archiveStream = (archive: ArchiveName): string => `OBJ_${archiveBucket(archive)}`;

/** The filter for everything in an archive's stream. */
export const archiveSubjects = (archive: ArchiveName): string => `$O.${archiveBucket(archive)}.>`;

/** The filter for the entries that describe an archive's objects. */
export const archiveEntries = (archive: ArchiveName): string => `$O.${archiveBucket(archive)}.M.>`;

/** The subject of an object's entry. In base64url: a name may have characters that a subject must not. */
export function archiveEntry(archive: ArchiveName, name: string): string {
  const text = Buffer.from(name, 'utf8').toString('base64url');
  return `$O.${archiveBucket(archive)}.M.${text.padEnd(4 * Math.ceil(text.length / 4), '=')}`;
}

/** The subject of the chunks of one object, whose entry names the `nuid`. */
export const archiveChunks = (archive: ArchiveName, nuid: string): string =>
  `$O.${archiveBucket(archive)}.C.${nuid}`;

/**
 * `_INBOX.<role>.<kind of question>`: a role receives only its own answers, and a process that answers one
 * kind of question cannot answer another. `log` is nats-server.
 */
export const inboxPrefix = (role: string, question: string = 'log'): string =>
  `_INBOX.${role}.${questionKind(question)}`;

/** The filter for a role's inboxes; with `question`, for those of its answers. */
export const inboxSubjects = (role: string, question?: string): string =>
  question === undefined ? `_INBOX.${role}.>` : `${inboxPrefix(role, question)}.>`;

/**
 * Whether an answer to `question` may go to `subject`. On any other subject a caller could make us write in
 * our name.
 */
export function isInboxFor(question: string, subject: string): boolean {
  const [root, , kind] = subject.split('.', 3);
  return root === '_INBOX' && kind === questionKind(question);
}

const questionKind = (question: string): string => question.split('.', 1)[0] as string;

/**
 * The longest key is that of a segment of 128 characters beyond the BMP, in base64url, and a brand with the
 * longest ids.
 */
const maxKeyCharacters = 1024;

/** Whether a key has at most 1,024 characters: parts of `[A-Za-z0-9_=-]` joined by dots. */
export const isTableKey = (key: string): boolean =>
  key.length <= maxKeyCharacters && /^[A-Za-z0-9_=-]+(\.[A-Za-z0-9_=-]+)*$/.test(key);
