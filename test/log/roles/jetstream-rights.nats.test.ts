import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  headers,
  type NatsConnection,
  nkeyAuthenticator,
  PermissionViolationError,
} from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  archiveStream,
  auditStream,
  commandStream,
  inboxPrefix,
  outcomeFilter,
  outcomeStream,
  partStream,
  tableStream,
  triesStream,
} from '../../../src/log/base/names.ts';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import { type NatsRole, natsRoles } from '../../../src/log/roles/permissions.ts';
import { archiveNames, type Log, tableNames } from '../../../src/ports.ts';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import { makeSystemOn } from '../../support/made-system.ts';
import { startNatsCluster, type TestNatsCluster } from '../../support/nats-cluster.ts';

/** What docs/security.md says that each role may do, tried at real servers with the files that production starts from. */

const lane = 1;
const document = readFileSync(join(packageRoot, 'docs/security.md'), 'utf8');
const columns = ['looks at', 'reads', 'follows', 'makes', 'frees', 'writes'] as const;
type Column = (typeof columns)[number];

/** The names of the table, and the streams that they stand for. */
const streams = new Map<string, string>([
  ['CMD', commandStream(lane)],
  ['OUT', outcomeStream(lane)],
  ['PART', partStream(lane)],
  ['AUDIT', auditStream],
  ['TRIES', triesStream],
  ...tableNames.map((name) => [name, tableStream(name)] as const),
  ...archiveNames.map((name) => [`OBJ_${name}`, archiveStream(name)] as const),
]);

/** The filters of consumers, by what the table says. */
const filters = new Map<string, readonly [stream: string, filter: string]>([
  ['CMD', [commandStream(lane), `cmd.${lane}.*`]],
  ['OUT', [outcomeStream(lane), outcomeFilter(lane, {})]],
  ['OUT/wallet', [outcomeStream(lane), outcomeFilter(lane, { wallet: true })]],
  ['OUT/hooks', [outcomeStream(lane), outcomeFilter(lane, { hooks: true })]],
  ['OUT/events', [outcomeStream(lane), outcomeFilter(lane, { events: true })]],
  ['PART', [partStream(lane), `part.${lane}.*.*.*`]],
  ['AUDIT', [auditStream, 'audit.>']],
  ['TRIES', [triesStream, 'tries.*']],
  ...tableNames.map((name) => [name, [tableStream(name), `$KV.${name}.>`]] as const),
  ...archiveNames.map((name) => [`OBJ_${name}`, [archiveStream(name), `$O.${name}.M.>`]] as const),
]);

/** Of each stream, operations that the table knows. */
const operations: Readonly<Record<Exclude<Column, 'follows' | 'writes'>, readonly string[]>> = {
  'looks at': ['STREAM.INFO'],
  reads: ['DIRECT.GET', 'STREAM.MSG.GET'],
  makes: ['STREAM.CREATE', 'STREAM.UPDATE'],
  frees: ['STREAM.PURGE'],
};
/** Every other operation of a stream in the source of nats-server 2.15 (server/jetstream_api.go): nobody may. */
const forbidden = [
  ...['DELETE', 'SNAPSHOT', 'RESTORE', 'MSG.DELETE', 'PEER.REMOVE', 'PEER.EVACUATE', 'CANCEL_MOVE'].map(
    (operation) => `STREAM.${operation}.%`,
  ),
  ...['STREAM.LEADER.STEPDOWN.%', 'DIRECT.GET.%.subject'],
  ...['CONSUMER.CREATE.%', 'CONSUMER.CREATE.%.name', 'CONSUMER.DURABLE.CREATE.%.name'],
  ...['CONSUMER.NAMES.%', 'CONSUMER.LIST.%', 'CONSUMER.INFO.%.name', 'CONSUMER.PAUSE.%.name'],
  ...['CONSUMER.RESET.%.name', 'CONSUMER.UNPIN.%.name', 'CONSUMER.LEADER.STEPDOWN.%.name'],
];
const ofTheWhole = [
  ...['INFO', 'STREAM.NAMES', 'STREAM.LIST', 'META.LEADER.STEPDOWN', 'META.RESCUE', 'SERVER.REMOVE'],
  ...[
    'SERVER.EVACUATE',
    'ACCOUNT.PURGE.G',
    'ACCOUNT.STREAM.MOVE.G.CMD_1',
    'ACCOUNT.STREAM.CANCEL_MOVE.G.CMD_1',
  ],
];
/** Subjects of every stream. */
const subjects: readonly string[] = [
  ...['b', 'own', 'ctl', 'settle', 'quarantine', 'other'].map((channel) => `cmd.${lane}.${channel}`),
  ...[`out.${lane}.w.h.e`, `out.${lane}.-.-.-`, `part.${lane}.7.sum.0`, 'audit.entries', 'audit.other'],
  ...['tries.wallet', 'tries.callback', 'tries.other'],
  ...tableNames.flatMap((table) =>
    ['key', 'system.lanes', 'system.id', 'drain.host', 'drain.host.name', 'move.1', 'upgrade.max']
      .concat(['wallet.1', 'outbox.1', 'reporting.1', 'actors.move', 'storage.0'])
      .map((key) => `$KV.${table}.${key}`),
  ),
  ...archiveNames.flatMap((archive) => [`$O.${archive}.C.nuid`, `$O.${archive}.M.name`]),
];

/** The header, and whether a message with it is stored there. */
const headerRows: readonly (readonly [name: string, value: string])[] = [
  ['Nats-Rollup', 'all'],
  ['Nats-Rollup', 'sub'],
  ['Nats-TTL', '1s'],
  ['Nats-Incr', '+1'],
  ['Nats-Schedule', '@at 2099-01-01T00:00:00Z'],
  ['Nats-Batch-Id', 'batch'],
  ['Nats-Msg-Id', ''],
  ['Nats-Expected-Stream', ''],
  ['Nats-Marker-Reason', 'Purge'],
];

let cluster: TestNatsCluster;
let log: Log;
const connections = new Map<NatsRole, NatsConnection>();
const refused = new Map<NatsRole, Set<string>>();

beforeAll(async () => {
  cluster = await startNatsCluster({ asShipped: true });
  log = await connectLog({
    servers: cluster.urls,
    credentials: { kind: 'nkey', seedFile: cluster.seedFile('storage') },
    tls: { caFile: cluster.caFile, certificate: null },
    ...{ role: 'storage', replicas: 3, maxStreamBytes: 64 * 1024 * 1024 },
  });
  await makeSystemOn(log, lane + 1);
  for (const role of natsRoles) connections.set(role, await connectAs(role));
});

afterAll(async () => {
  await Promise.all([log?.close(), ...[...connections.values()].map((each) => each.close())]);
  await cluster?.stop();
});

async function connectAs(role: NatsRole): Promise<NatsConnection> {
  const seed = Buffer.from(readFileSync(cluster.seedFile(role), 'latin1').trim(), 'latin1');
  const connection = await connect({
    servers: [...cluster.urls],
    tls: { caFile: cluster.caFile },
    authenticator: nkeyAuthenticator(seed),
    inboxPrefix: inboxPrefix(role),
  });
  const seen = new Set<string>();
  refused.set(role, seen);
  void (async () => {
    for await (const { type, ...status } of connection.status()) {
      const error = 'error' in status ? status.error : null;
      if (type === 'error' && error instanceof PermissionViolationError) seen.add(error.subject);
    }
  })();
  return connection;
}

/** Those of the subjects that the servers let the role publish to. */
async function allowed(role: NatsRole, tried: readonly string[]): Promise<string[]> {
  const connection = connections.get(role)!;
  const seen = refused.get(role)!;
  // Not JSON: an operation that is allowed does nothing.
  for (const subject of tried) connection.publish(subject, 'x');
  // Whoever may ask for nothing is told so: what comes after everything else is refused last.
  const last = `nobody.may.${Math.random()}`;
  connection.publish(last, 'x');
  await expect.poll(() => seen.has(last), { timeout: 60_000 }).toBe(true);
  return tried.filter((subject) => !seen.has(subject)).toSorted();
}

/** A row of the table in docs/security.md: by column, what stands there in code. */
function rowOf(role: NatsRole): ReadonlyMap<Column, readonly string[]> {
  const row = new RegExp(`^\\| ${role} \\|(.*)\\|$`, 'm').exec(section())?.[1];
  if (row === undefined) throw new Error(`docs/security.md has no row for ${role}`);
  const cells = row
    .split('|')
    .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string));
  return new Map(columns.map((column, at) => [column, cells[at] ?? []]));
}

function section(): string {
  return document.slice(document.indexOf('## Rights at nats-server'));
}

function streamOf(name: string): string {
  const stream = streams.get(name);
  if (stream === undefined) throw new Error(`docs/security.md names ${name}, which is no stream`);
  return stream;
}

function follows(stream: string, filter: string): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.name.${filter}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.name`,
    `$JS.API.CONSUMER.DELETE.${stream}.name`,
  ];
}

function covers(pattern: string, subject: string): boolean {
  const [wanted, found] = [pattern.replaceAll('<lane>', String(lane)).split('.'), subject.split('.')];
  for (const [at, token] of wanted.entries()) {
    if (token === '>') return found.length > at;
    if (token !== '*' && token !== found[at]) return false;
  }
  return wanted.length === found.length;
}

describe.each(natsRoles)('%s', (role) => {
  test('may use of the JetStream API what docs/security.md lists, and nothing else', async () => {
    const row = rowOf(role);
    const tried = new Set<string>([
      ...ofTheWhole.map((operation) => `$JS.API.${operation}`),
      ...[...streams.values()].flatMap((stream) => [
        ...forbidden.map((operation) => `$JS.API.${operation.replace('%', stream)}`),
        ...Object.values(operations).flatMap((all) =>
          all.map((operation) => `$JS.API.${operation}.${stream}`),
        ),
      ]),
      ...[...filters.values()].flatMap(([stream, filter]) => follows(stream, filter)),
    ]);
    const listed = new Set([
      ...Object.entries(operations).flatMap(([column, all]) =>
        row
          .get(column as Column)!
          .flatMap((name) => all.map((operation) => `$JS.API.${operation}.${streamOf(name)}`)),
      ),
      ...row
        .get('follows')!
        .flatMap((name) =>
          [...filters]
            .filter(([each]) => each === name || each.startsWith(`${name}/`))
            .flatMap(([, target]) => follows(...target)),
        ),
    ]);
    expect(await allowed(role, [...tried])).toEqual([...listed].toSorted());
  });

  test('may write the subjects that docs/security.md lists, and no other', async () => {
    const listed = rowOf(role).get('writes')!;
    const may = await allowed(role, subjects);
    expect(may).toEqual(
      subjects.filter((subject) => listed.some((each) => covers(each, subject))).toSorted(),
    );
  });

  test('changes nothing but its own message by a header', async () => {
    const connection = connections.get(role)!;
    const listed = rowOf(role).get('writes')!;
    const own = subjects.filter((subject) => listed.some((each) => covers(each, subject)));
    for (const subject of own) {
      const stored = await stateOf(subject);
      const taken: string[] = [];
      for (const [name, value] of headerRows) {
        const message = headers();
        const unique = `${role} ${subject} ${Math.random()}`;
        message.set(name, value === '' ? (name === 'Nats-Msg-Id' ? unique : stored.stream) : value);
        if (name === 'Nats-Batch-Id') message.set('Nats-Batch-Sequence', '1');
        if (name === 'Nats-Schedule') message.set('Nats-Schedule-Target', subject);
        const answer = await connection.request(subject, '1', { headers: message, timeout: 10_000 });
        if (answer.json<{ error?: unknown }>().error === undefined) taken.push(`${name}: ${value}`);
      }
      expect(taken, subject).toEqual(headersTaken(subject));
      const after = await stateOf(subject);
      expect(after.others, subject).toEqual(stored.others);
    }
  });
});

/** As the table of headers in docs/security.md says. */
function headersTaken(subject: string): string[] {
  const rows = [...section().matchAll(/^\| `(Nats-[A-Za-z-]+)`[^|]*\| ([^|]+) \|/gm)];
  return headerRows
    .filter(([name]) => {
      const where = rows.find(([, header]) => header === name)?.[2] ?? `${name} is missing`;
      if (where.startsWith('everywhere')) return true;
      if (where.startsWith('nowhere')) return false;
      return [...where.matchAll(/`([^`]+)`/g)].some(([, pattern]) => covers(pattern as string, subject));
    })
    .map(([name, value]) => `${name}: ${value}`);
}

/** The stream that a subject belongs to, and how many messages its other subjects have. */
async function stateOf(
  subject: string,
): Promise<{ stream: string; others: Readonly<Record<string, number>> }> {
  const stream = streamOfSubject(subject);
  const request = JSON.stringify({ subjects_filter: '>' });
  const answer = await connections.get('storage')!.request(`$JS.API.STREAM.INFO.${stream}`, request);
  const { state } = answer.json<{ state: { subjects?: Record<string, number> } }>();
  const { [subject]: _, ...others } = state.subjects ?? {};
  return { stream, others };
}

function streamOfSubject(subject: string): string {
  const [first = '', second = ''] = subject.split('.');
  if (first === '$KV') return `KV_${second}`;
  if (first === '$O') return `OBJ_${second}`;
  if (first === 'tries') return triesStream;
  return first === 'audit' ? auditStream : `${first.toUpperCase()}_${lane}`;
}
