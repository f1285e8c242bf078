import { archiveNames, tableNames } from '../../ports.ts';
import {
  allDeliveriesSubject,
  allFeedsSubject,
  allHeartbeatsSubject,
  allPresencesSubject,
  allQueriesSubject,
  allRepliesSubject,
  allSimulationsSubject,
  allTicksSubject,
  archiveStream,
  auditStream,
  booksSubject,
  callbackTriesSubject,
  commandFilter,
  commandStream,
  commandSubject,
  feedPlayersSubject,
  inboxSubjects,
  loginsSubject,
  outcomeFilter,
  outcomeStream,
  outcomeSubjects,
  partStream,
  partSubjects,
  storageSubject,
  tableStream,
  ticketsSubject,
  triesStream,
  walletAddressSubject,
  walletAuthenticateSubject,
  walletRevokedSubject,
  walletTriesSubject,
} from '../base/names.ts';
import {
  answersQuestions,
  combined,
  follows,
  freesArchive,
  type Grant,
  inspects,
  makes,
  type Permissions,
  publishes,
  reads,
  readsArchive,
  readsArchivedLog,
  readsAudit,
  readsTable,
  subscribes,
  watchesTable,
  writesArchive,
  writesArchivedLog,
  writesAudit,
  writesTable,
} from './grants.ts';

export type { Permissions } from './grants.ts';

/**
 * Users at nats-server, each with only the permissions that it needs. The embedded server and
 * deploy/nats/nats-roles.conf are both generated from this list. `storage` alone makes and changes streams.
 * `start` is `potstream up`, `admin bootstrap` and `admin reset-password`; `doctor`, `lane`, `audit` and
 * `reconcile` are the commands of these names; `replay` reads the lanes for `potstream replay`, `potstream
 * audit` and `potstream archive`.
 */
export const natsRoles = [
  'gateway',
  'actors',
  'fanout',
  'wallet',
  'outbox',
  'reporting',
  'storage',
  'start',
  'doctor',
  'lane',
  'audit',
  'reconcile',
  'replay',
] as const;
export type NatsRole = (typeof natsRoles)[number];

/** Whether a role makes streams, tables and archives; the other roles wait for them. */
export function makesStreams(role: NatsRole): boolean {
  return role === 'storage';
}

const processes: readonly (NatsRole | undefined)[] = [
  'gateway',
  'actors',
  'fanout',
  'wallet',
  'outbox',
  'reporting',
  'storage',
];

/** Whether it is a process that runs for long, and no command. */
export function staysConnected(role: NatsRole | undefined): boolean {
  return processes.includes(role);
}

const sharedStreams = [
  auditStream,
  triesStream,
  ...tableNames.map(tableStream),
  ...archiveNames.map(archiveStream),
];

/**
 * Grants for the whole system. A new subject is one line here. A subject of any lane names no lane: a number
 * that no lane has belongs to no stream, so nothing is stored there.
 */
const systemGrants: Readonly<Record<NatsRole, readonly Grant[]>> = {
  gateway: [
    publishes(allQueriesSubject, walletAuthenticateSubject, walletAddressSubject, allFeedsSubject),
    publishes(allDeliveriesSubject, booksSubject, allSimulationsSubject, loginsSubject),
    publishes(commandSubject('*', 'batch')),
    subscribes(allRepliesSubject, allTicksSubject, allHeartbeatsSubject, walletRevokedSubject),
    subscribes(loginsSubject),
    answersQuestions(ticketsSubject),
    readsTable('PLACEMENT'),
    watchesTable('DIRECTORY'),
    writesTable('DIRECTORY'),
    watchesTable('ACCOUNTS'),
    writesTable('ACCOUNTS'),
    writesTable('NONCES'),
    writesTable('TICKETS'),
    watchesTable('APPROVALS'),
    writesTable('APPROVALS'),
    writesTable('FORGOTTEN'),
    writesAudit,
    readsTable('EPOCHS'),
    readsArchive('EPOCHS'),
    readsArchivedLog,
  ],
  actors: [
    publishes(allRepliesSubject, allTicksSubject, allHeartbeatsSubject, allPresencesSubject),
    answersQuestions(allQueriesSubject),
    subscribes(allHeartbeatsSubject, allPresencesSubject),
    publishes(storageSubject),
    publishes(commandSubject('*', 'own'), commandSubject('*', 'control')),
    publishes(...outcomeSubjects('*'), ...partSubjects('*')),
    readsTable('PLACEMENT'),
    watchesTable('PLACEMENT'),
    writesTable('PLACEMENT', 'drain.>', 'move.*'),
    writesTable('HOSTS'),
    watchesTable('HOSTS'),
    writesTable('LEASES', 'actors.*'),
    watchesTable('DIRECTORY'),
    writesTable('EPOCHS'),
    writesArchive('SNAPSHOTS'),
    writesArchive('EPOCHS'),
    writesArchivedLog,
    // What differs from what it should be.
    ...sharedStreams.map(inspects),
    readsAudit,
  ],
  fanout: [
    publishes(allQueriesSubject, walletAuthenticateSubject, feedPlayersSubject, ticketsSubject),
    subscribes(feedPlayersSubject),
    subscribes(allTicksSubject, allHeartbeatsSubject, allFeedsSubject, walletRevokedSubject),
    readsTable('PLACEMENT'),
    watchesTable('DIRECTORY'),
    watchesTable('ACCOUNTS'),
  ],
  wallet: [
    answersQuestions(walletAuthenticateSubject),
    answersQuestions(walletAddressSubject),
    publishes(walletRevokedSubject, allQueriesSubject, commandSubject('*', 'settlement')),
    publishes(walletTriesSubject),
    readsTable('PLACEMENT'),
    writesTable('LEASES', 'wallet.*'),
    watchesTable('ACCOUNTS'),
  ],
  outbox: [
    publishes(allQueriesSubject, commandSubject('*', 'settlement')),
    publishes(callbackTriesSubject),
    subscribes(allTicksSubject),
    answersQuestions(allDeliveriesSubject),
    readsTable('PLACEMENT'),
    writesTable('LEASES', 'outbox.*'),
    watchesTable('DELIVERIES'),
    writesTable('DELIVERIES'),
    watchesTable('DIRECTORY'),
    watchesTable('ACCOUNTS'),
    readsArchivedLog,
  ],
  reporting: [
    answersQuestions(booksSubject),
    answersQuestions(allSimulationsSubject),
    readsTable('PLACEMENT'),
    // Whether its server has a cluster (docs/decisions/0284).
    inspects(tableStream('ACCOUNTS')),
    writesTable('LEASES', 'reporting.*'),
    readsArchive('SNAPSHOTS'),
    readsArchivedLog,
    readsAudit,
    reads(triesStream),
    watchesTable('FORGOTTEN'),
  ],
  storage: [
    answersQuestions(storageSubject),
    ...sharedStreams.map(makes),
    ...archiveNames.map(freesArchive),
    // The number of lanes and the id of the system.
    writesTable('PLACEMENT', 'system.*'),
    writesTable('LEASES', 'storage.*'),
    watchesTable('ARCHIVE'),
  ],
  start: [readsTable('PLACEMENT'), watchesTable('ACCOUNTS'), writesTable('ACCOUNTS'), writesAudit],
  doctor: [
    subscribes(allHeartbeatsSubject),
    readsTable('PLACEMENT'),
    inspects(tableStream('DIRECTORY')),
    inspects(tableStream('ACCOUNTS')),
    readsArchive('SNAPSHOTS'),
    readsArchivedLog,
  ],
  lane: [
    subscribes(allHeartbeatsSubject),
    publishes(commandSubject('*', 'quarantine')),
    writesTable('PLACEMENT', 'drain.>', 'move.*', 'upgrade.*'),
    watchesTable('PLACEMENT'),
    watchesTable('HOSTS'),
    writesAudit,
  ],
  audit: [readsAudit, readsTable('PLACEMENT')],
  // The wallets of brands: their secrets are sealed.
  reconcile: [readsTable('PLACEMENT'), watchesTable('ACCOUNTS'), readsArchivedLog],
  replay: [readsTable('PLACEMENT'), readsArchive('SNAPSHOTS'), readsArchivedLog],
};

/** Grants for the streams of each lane, by their names: nats-server has no wildcard for a part of a name. */
const laneGrants: Readonly<Record<NatsRole, (lane: number) => readonly Grant[]>> = {
  gateway: (lane) => [reads(commandStream(lane)), ...readsOutcomes(lane), ...followsOutcomes(lane)],
  actors: (lane) => [
    ...streamsOf(lane).map(reads),
    follows(commandStream(lane), commandFilter(lane)),
    ...followsOutcomes(lane),
  ],
  fanout: (lane) => [inspects(commandStream(lane)), ...readsOutcomes(lane), ...followsOutcomes(lane)],
  wallet: (lane) => [
    inspects(commandStream(lane)),
    ...readsOutcomes(lane),
    follows(outcomeStream(lane), outcomeFilter(lane, { wallet: true })),
  ],
  outbox: (lane) => [
    reads(commandStream(lane)),
    ...readsOutcomes(lane),
    follows(outcomeStream(lane), outcomeFilter(lane, { hooks: true })),
    follows(outcomeStream(lane), outcomeFilter(lane, { events: true })),
  ],
  reporting: (lane) => [reads(commandStream(lane)), ...readsOutcomes(lane)],
  storage: (lane) => streamsOf(lane).flatMap((stream) => [makes(stream), reads(stream)]),
  start: (lane) => [inspects(commandStream(lane))],
  doctor: (lane) => [
    reads(commandStream(lane)),
    follows(commandStream(lane), commandFilter(lane)),
    ...readsOutcomes(lane),
  ],
  lane: (lane) => [
    reads(commandStream(lane)),
    follows(commandStream(lane), commandFilter(lane)),
    ...readsOutcomes(lane),
  ],
  audit: () => [],
  reconcile: (lane) => [reads(commandStream(lane)), ...readsOutcomes(lane)],
  replay: (lane) => [reads(commandStream(lane)), ...readsOutcomes(lane)],
};

/** Everything that a role may do in a system of `lanes` lanes. */
export function permissionsOf(role: NatsRole, lanes: number): Permissions {
  const perLane = Array.from({ length: lanes }, (_, lane) => laneGrants[role](lane)).flat();
  return combined(subscribes(inboxSubjects(role)), ...systemGrants[role], ...perLane);
}

function streamsOf(lane: number): readonly string[] {
  return [commandStream(lane), outcomeStream(lane), partStream(lane)];
}

function readsOutcomes(lane: number): Grant[] {
  return [reads(outcomeStream(lane)), reads(partStream(lane))];
}

/** The whole lane, and only the records with events: each filter of a consumer needs its grant. */
function followsOutcomes(lane: number): Grant[] {
  return [{}, { events: true }].map((filter) => follows(outcomeStream(lane), outcomeFilter(lane, filter)));
}
