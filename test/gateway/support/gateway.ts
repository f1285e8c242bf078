import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, openAccess } from '../../../src/access/access.ts';
import { entryTurns } from '../../../src/access/accounts/table-turns.ts';
import { AuditTrail } from '../../../src/audit/trail.ts';
import type { AdministratorRole } from '../../../src/contracts/accounts/users.ts';
import { encodeDirectoryValue } from '../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../src/contracts/directory/directory-keys.ts';
import { decodeForeignEvent, type ForeignEvent } from '../../../src/contracts/feeds/feed.ts';
import { ReadModel } from '../../../src/directory/read-model.ts';
import type { Operation } from '../../../src/gateway/api/operation/operation.ts';
import { operations as allOperations } from '../../../src/gateway/api/operations/index.ts';
import { BulkUploads } from '../../../src/gateway/api/services/bulk-uploads.ts';
import { createTicketLimit } from '../../../src/gateway/api/services/feed-tickets.ts';
import { OptInStatuses } from '../../../src/gateway/api/services/opt-in-statuses.ts';
import { createPlatformEvents } from '../../../src/gateway/api/services/platform-events.ts';
import { createReaders } from '../../../src/gateway/api/services/readers.ts';
import { RefusedLogins } from '../../../src/gateway/api/services/refused-logins.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { ConsoleOptions } from '../../../src/gateway/http/console.ts';
import type { LaneAnswer, LaneClient } from '../../../src/gateway/lanes/lane-client.ts';
import { startServer } from '../../../src/gateway/routes/serve.ts';
import { feedSubject } from '../../../src/log/base/names.ts';
import type { ReceivedReply } from '../../../src/messages/bus-messages.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { InstanceDescription } from '../../../src/messages/records.ts';
import type { Clock } from '../../../src/ports.ts';
import { type MemoryAudit, memoryAudit } from '../../audit/memory-audit.ts';
import { described } from '../../directory/support/read-model.ts';
import { makeAdministrator, makeServiceUser } from '../../support/accounts.ts';
import { answerCheck } from './described.ts';
import { memoryTable } from './memory-table.ts';
import { patientMs } from './patience.ts';
import { type TestPlayers, testPlayers } from './players.ts';
import { anyProvider, publicTestUrl } from './providers.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
  readonly json: any;
}

export interface TestGateway {
  readonly port: number;
  /** Tunnels to the fan-out. */
  readonly feedSockets: () => number;
  readonly openStreams: () => number;
  readonly access: Access;
  readonly players: TestPlayers;
  /** The stream of the audit trail. */
  readonly audit: MemoryAudit;
  readonly readModel: ReadModel;
  readonly tables: Readonly<Record<'directory' | 'accounts' | 'forgotten', ReturnType<typeof memoryTable>>>;
  /** Every command that reached a lane. */
  readonly commands: Command[];
  /** Other platforms' events on the bus. */
  readonly published: { readonly subject: string; readonly event: ForeignEvent | null }[];
  busConnected: boolean;
  /** Tells what a lane says of a batch of this gateway. */
  replied(reply: Partial<ReceivedReply>): void;
  /** Replaceable: what the lane says to a command. */
  respond: (command: Command) => Promise<CommandOutcome> | CommandOutcome;
  /** Recorded commands by sequence, for readBack. */
  readonly recorded: Map<number, { command: Command; outcome: CommandOutcome }>;
  serviceToken(operator?: string, brands?: readonly string[] | null): Promise<string>;
  adminToken(roles: readonly AdministratorRole[], owners: readonly string[]): Promise<string>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Sends bytes as they are, waits for an answer, and gives back all that came until the server closed or fell silent. */
  raw(bytes: string | Buffer): Promise<string>;
  nowMs: number;
  /** From now on the gateway's time moves only where `nowMs` is set. */
  stopClock(): void;
  /** So many connections go to another gateway. */
  readonly moveConnections: (connections: number) => void;
  readonly movableConnections: () => number;
  stop(drain?: 'end' | 'hand_over'): Promise<void>;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every answer is compared with the OpenAPI document. */
const undescribed = answerCheck(allOperations);

/** How many questions a test asks within a second is a matter of the machine: only tests of the limit have one. */
export const unlimitedGets = 1_000_000;

const noReply: ReceivedReply = {
  batchId: new Uint8Array(16),
  lane: 2,
  sequence: 1,
  timestampMs: 1,
  outcomes: [],
  allLiveValues: [],
  events: [],
  wins: [],
  late: [],
};

const approvalLifetimeMs = 3_600_000;

export const laneTimestampMs = 1_700_000_000_123;

export async function startTestGateway(
  options: {
    port?: number;
    fanoutPort?: number;
    operations?: readonly Operation[];
    notReady?: () => PublicError | null;
    publicGetsPerSecond?: number;
    administratorWritesPerSecond?: number;
    clientDirectory?: string;
    console?: ConsoleOptions;
    connectionsPerAddress?: number;
    feedsPerAddress?: number;
    publicFeedsPerAddress?: number;
    drainWaitMs?: number;
    ticketsPerSecond?: number;
    eventsPerSecond?: number;
    trustedProxies?: readonly string[];
    fastPaths?: boolean;
    requestTimeoutMs?: number;
    /** In place of timers. */
    after?: (delayMs: number, task: () => void) => () => void;
    /** Of the four: nobody has told of them yet. */
    unreadLanes?: readonly number[];
  } = {},
): Promise<TestGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-'));
  const tables = { directory: memoryTable(), accounts: memoryTable(), forgotten: memoryTable() };
  for (const id of ['acme', 'rival', 'asleep'])
    await tables.directory.put(
      directoryKey.operator(id),
      encodeDirectoryValue('operator', { name: 'n', created_timestamp: 1, enabled: id !== 'asleep' }),
      0,
    );
  const time = { offsetMs: 0, stoppedAtMs: null as number | null, setBackMs: 0 };
  const clock: Clock = {
    nowMs: () => time.stoppedAtMs ?? Date.now() + time.offsetMs,
    elapsedMs: () => clock.nowMs() + time.setBackMs,
    after(delayMs: number, task: () => void) {
      if (options.after !== undefined) return options.after(delayMs, task);
      const timer = setTimeout(task, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
  const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
  const approvals = memoryTable();
  const access = await openAccess(tables.accounts, {
    clock,
    random,
    keysDirectory: directory,
    nonces: memoryTable(),
    tickets: memoryTable(),
    approvals,
    hashingMs: patientMs,
  });
  const auditLog = memoryAudit();
  const audit = new AuditTrail(auditLog, { clock, random });
  const players = testPlayers();
  const readModel = demoReadModel(options.unreadLanes ?? []);
  const commands: Command[] = [];
  const recorded: TestGateway['recorded'] = new Map();
  const bugs: unknown[] = [];
  const listeners: ((reply: ReceivedReply) => void)[] = [];
  let names = 0;

  const lanes: LaneClient = {
    lanes: 4,
    laneOf: () => 2,
    async send(lane, command, stored): Promise<LaneAnswer> {
      commands.push(command);
      stored?.({ sequence: commands.length, index: 0 });
      const outcome = await gateway.respond(command);
      recorded.set(commands.length, { command, outcome });
      return { outcome, lane, sequence: commands.length, index: 0, timestampMs: laneTimestampMs };
    },
    pastEnd: () => 0,
    submit(lane, command, caller) {
      lanes.send(lane, command).then(
        (answer) => caller.resolve(answer),
        (error) => caller.reject(error),
      );
    },
    async readBack(lane, sequence, index) {
      const found = recorded.get(sequence);
      if (found === undefined) throw new Error('nothing recorded there');
      return { ...found, lane, sequence, index, timestampMs: laneTimestampMs };
    },
    timeOf: async () => laneTimestampMs,
    query: async () => ({ kind: 'refused', code: 'internal_error', message: '' }),
    onReply: (listener) => void listeners.push(listener),
  };
  const server = await startServer({
    host: '127.0.0.1',
    port: options.port ?? 0,
    handlerTimeoutMs: patientMs,
    fanoutPort: options.fanoutPort ?? 1,
    operations: options.operations ?? allOperations,
    context: {
      directory: readModel,
      lanes,
      tables,
      directoryTurns: entryTurns(),
      epochDocument: async () => null,
      revealedEpochs: { known: async () => null, isPublished: async () => false },
      access,
      audit,
      approvalLifetimeMs,
      requiresSecondFactor: false,
      players,
      walletAddress: async () => 'callable',
      deliveries: () => Promise.reject(new PublicError('overloaded')),
      books: () => Promise.reject(new PublicError('overloaded')),
      simulations: () => Promise.reject(new PublicError('overloaded')),
      platformEvents: createPlatformEvents(
        {
          connected: () => gateway.busConnected,
          publish: (subject, bytes) =>
            void gateway.published.push({ subject, event: decodeForeignEvent(bytes) }),
        },
        clock,
        { perSecond: options.eventsPerSecond ?? unlimitedGets, subjectOf: feedSubject },
      ),
      ticketLimit: createTicketLimit(clock, options.ticketsPerSecond ?? unlimitedGets),
      optIns: new OptInStatuses(lanes, clock),
      bulkUploads: new BulkUploads(),
      readers: createReaders(clock),
      refusedLogins: new RefusedLogins(),
      providers: anyProvider,
      publicUrl: publicTestUrl,
      clock,
      random,
      development: true,
    },
    pagesDirectory: directory,
    clientDirectory: options.clientDirectory ?? directory,
    console: options.console ?? null,
    notReady: options.notReady ?? (() => null),
    report: (error) => void bugs.push(error),
    publicGetsPerSecond: options.publicGetsPerSecond ?? unlimitedGets,
    administratorWritesPerSecond: options.administratorWritesPerSecond ?? unlimitedGets,
    ...(options.connectionsPerAddress === undefined
      ? {}
      : { connectionsPerAddress: options.connectionsPerAddress }),
    ...(options.feedsPerAddress === undefined ? {} : { feedsPerAddress: options.feedsPerAddress }),
    ...(options.publicFeedsPerAddress === undefined
      ? {}
      : { publicFeedsPerAddress: options.publicFeedsPerAddress }),
    trustedProxies: options.trustedProxies ?? [],
    drainWaitMs: options.drainWaitMs ?? 0,
    fastPaths: options.fastPaths ?? true,
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
  });

  const gateway: TestGateway = {
    published: [],
    busConnected: true,
    port: server.port,
    feedSockets: server.feedSockets,
    openStreams: server.openStreams,
    access,
    audit: auditLog,
    players,
    readModel,
    tables,
    commands,
    recorded,
    replied(reply) {
      for (const listener of listeners) listener({ ...noReply, ...reply });
    },
    respond: quiet,
    get nowMs() {
      return clock.nowMs();
    },
    set nowMs(value: number) {
      time.setBackMs += Math.max(0, clock.nowMs() - value);
      if (time.stoppedAtMs === null) time.offsetMs = value - Date.now();
      else time.stoppedAtMs = value;
    },
    stopClock() {
      time.stoppedAtMs = clock.nowMs();
    },
    async serviceToken(operator = 'acme', brands = null) {
      names += 1;
      const user = { username: `service-${names}`, operator, brands };
      return access.tokens.issueService(await makeServiceUser({ access, clock, random }, user));
    },
    async adminToken(roles, owners) {
      names += 1;
      const user = { username: `admin-${names}`, roles, owners };
      return access.tokens.issueAdministrator(await makeAdministrator({ access, clock, random }, user));
    },
    async call(method, path, callOptions = {}) {
      const answer = await call(server.port, method, path, callOptions);
      const fault = method === 'HEAD' ? null : undescribed(method, path, answer.status, answer.text);
      if (fault !== null) throw new Error(`Not as /v1/openapi.json says. ${fault}`);
      return answer;
    },
    raw: (bytes) => raw(server.port, bytes),
    moveConnections: server.moveConnections,
    movableConnections: server.movableConnections,
    async stop(drain) {
      await server.stop(drain);
      await access.stop();
      rmSync(directory, { recursive: true, force: true });
      if (bugs.length > 0) throw new AggregateError(bugs, 'requests met bugs');
    },
  };
  return gateway;
}

/** A quiet contribution of 0.10, whatever was asked. */
export function quiet(command: Command): CommandOutcome {
  if (command.kind !== 'Contribute') return { kind: 'Done', instance: '', version: 1 };
  return {
    kind: 'Contributed',
    results: [
      {
        instance: command.target.type === 'instance' ? command.target.id : 'gold',
        sequence: 1,
        contributionAtoms: 10_000_000n,
        requestAtoms: 10_000_000n,
        bonusAtoms: 0n,
        win: null,
        tickets: 0,
      },
    ],
  };
}

/**
 * acme with the brands main, second and closed (disabled), the source slot-1, and the instances gold (Active), old (Paused);
 * rival with a brand and the instance foreign; rival's network names acme:second.
 */
function demoReadModel(unreadLanes: readonly number[]): ReadModel {
  const readModel = new ReadModel(4);
  let revision = 0;
  const set = (entry: object) => {
    revision += 1;
    readModel.directoryChanged({ kind: 'set', entry: entry as never }, revision);
  };
  const common = { name: 'n', created_timestamp: 1, enabled: true };
  const brand = {
    ...common,
    kind: 'brand',
    salt: '',
    wallet: false,
    verification_limit: null,
    verification_currency: '',
  };
  set({ ...common, kind: 'operator', id: 'acme' });
  set({ ...common, kind: 'operator', id: 'rival' });
  set({ ...common, kind: 'operator', id: 'asleep', enabled: false });
  for (const path of ['acme:main', 'acme:second', 'rival:main', 'asleep:main']) set({ ...brand, path });
  set({ ...brand, path: 'acme:closed', enabled: false });
  set({ kind: 'source', owner: 'acme', id: 'slot-1', name: 'n', created_timestamp: 1 });
  set({ kind: 'source', owner: 'rival', id: 'rival-slot', name: 'n', created_timestamp: 1 });
  const instance = (id: string, owner: string, status: string, allowed?: string[]) => ({
    description: description(id, owner, status, allowed),
    liveValues: {
      instance: id,
      sequence: 0,
      version: 1,
      status,
      pots: [],
      head: new Uint8Array(32),
      epoch: 0,
      lastUpdatedMs: 1,
    },
  });
  const instances = [
    instance('gold', 'acme', 'Active'),
    instance('old', 'acme', 'Paused'),
    instance('foreign', 'rival', 'Active'),
    instance('network', 'rival', 'Active', ['rival:main', 'acme:second']),
  ];
  readModel.laneState(2, 1, instances, []);
  readModel.directoryCurrent();
  for (let lane = 0; lane < 4; lane += 1) if (!unreadLanes.includes(lane)) readModel.laneCurrent(lane);
  return readModel;
}

function description(id: string, owner: string, status: string, allowed?: string[]): InstanceDescription {
  const rules = allowed === undefined ? {} : { allowed_brands: allowed };
  const configuration = { currency: 'EUR', jackpot_type: 'Jackpot', contribution_rules: rules, pots: [] };
  return described(id, { group: owner, owner, status, configuration });
}

function call(port: number, method: string, path: string, options: CallOptions): Promise<Answer> {
  const payload = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        agent: false,
        headers: {
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
          ...options.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          let json: unknown = null;
          try {
            json = JSON.parse(text);
          } catch {
            json = null;
          }
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

/** How long a server that keeps its connection open has to say nothing more. */
const quietMs = 1500;

function raw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const finish = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.once('data', () => socket.setTimeout(quietMs, finish));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', finish);
    socket.on('error', finish);
  });
}
