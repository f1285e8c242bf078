import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, openAccess } from '../../../src/access/access.ts';
import { entryTurns } from '../../../src/access/accounts/table-turns.ts';
import type { PlayerTokens } from '../../../src/access/players/player-tokens.ts';
import { answerQuery, ticketPage } from '../../../src/actors/queries/answers.ts';
import { TicketLists } from '../../../src/actors/queries/tickets/ticket-lists.ts';
import { AuditTrail } from '../../../src/audit/trail.ts';
import type { AdministratorRole, ServiceRight } from '../../../src/contracts/accounts/users.ts';
import {
  brandSalt,
  rateMultipliers,
  readDirectoryChange,
} from '../../../src/contracts/directory/directory.ts';
import { ReadModel } from '../../../src/directory/read-model.ts';
import type { GatewayContext } from '../../../src/gateway/api/operation/operation.ts';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { BulkUploads } from '../../../src/gateway/api/services/bulk-uploads.ts';
import { createTicketLimit } from '../../../src/gateway/api/services/feed-tickets.ts';
import { OptInStatuses } from '../../../src/gateway/api/services/opt-in-statuses.ts';
import { createRevealedEpochs, publishedPage } from '../../../src/gateway/api/services/published-epochs.ts';
import type { AskWalletAddress } from '../../../src/gateway/api/services/questions.ts';
import { createReaders } from '../../../src/gateway/api/services/readers.ts';
import { RefusedLogins } from '../../../src/gateway/api/services/refused-logins.ts';
import type { LaneAnswer, LaneClient, RecordedCommand } from '../../../src/gateway/lanes/lane-client.ts';
import type { ProviderClient } from '../../../src/gateway/providers/provider-client.ts';
import { startServer } from '../../../src/gateway/routes/serve.ts';
import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import { fnv1a32 } from '../../../src/lib/hashes.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { isReadModelEvent } from '../../../src/messages/events.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../../src/messages/queries.ts';
import type { Clock } from '../../../src/ports.ts';
import { type MemoryAudit, memoryAudit } from '../../audit/memory-audit.ts';
import { Random } from '../../jackpot/mixed/random.ts';
import { openEpoch } from '../../jackpot/support/commands.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { makeAdministrator, makeServiceUser } from '../../support/accounts.ts';
import { type TestBooks, testBooks } from './books.ts';
import { type TestDeliveries, testDeliveries } from './deliveries.ts';
import { answerCheck } from './described.ts';
import { unlimitedGets } from './gateway.ts';
import { memoryTable } from './memory-table.ts';
import { patientMs } from './patience.ts';
import { PlacedHosts } from './placement.ts';
import { type TestPlayers, testPlayers } from './players.ts';
import { anyProvider, publicTestUrl } from './providers.ts';
import { type TestSimulations, testSimulations } from './simulations.ts';

export const laneCount = 4;
const approvalLifetimeMs = 3_600_000;

/** Every answer is compared with the OpenAPI document. */
const undescribed = answerCheck(operations);

export interface World {
  /** Used where the options open no other tokens. */
  readonly players: TestPlayers;
  /** Stored callbacks and flushes. */
  readonly deliveries: TestDeliveries;
  readonly books: TestBooks;
  readonly simulations: TestSimulations;
  /** The stream of the audit trail. */
  readonly audit: MemoryAudit;
  readonly port: number;
  readonly readModel: ReadModel;
  readonly lanes: readonly LaneEngine[];
  readonly commands: Command[];
  readonly table: ReturnType<typeof memoryTable>;
  readonly accounts: ReturnType<typeof memoryTable>;
  /** As the handlers of the server have it. */
  readonly context: GatewayContext;
  /** KV APPROVALS. */
  readonly approvals: ReturnType<typeof memoryTable>;
  readonly access: Access;
  /** Everything that stands in a table, as text. */
  stored(table: 'directory' | 'accounts' | 'forgotten'): Promise<string[]>;
  /** The archive EPOCHS, by name. */
  readonly epochDocuments: Map<string, Uint8Array>;
  /** The table EPOCHS. */
  readonly epochIndex: ReturnType<typeof memoryTable>;
  query(lane: number, query: LaneQuery): LaneQueryAnswer;
  /** `laterMs`: by so much the log's time is ahead of the clock, from this command on. */
  apply(lane: number, command: Command, laterMs?: number): LaneAnswer;
  token(roles?: readonly AdministratorRole[], owners?: readonly string[]): Promise<string>;
  /** Its password is `a long password`. */
  serviceUser(username: string, operator: string): Promise<void>;
  serviceToken(operator: string, brands?: readonly string[] | null, rights?: ServiceRight[]): Promise<string>;
  /** As an administrator of everything, unless a token is given ('' for none). */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  /** Instead of tokens that no wallet stands behind. */
  readonly openPlayers?: (access: Access) => PlayerTokens;
  /** Instead of addresses that may all be called. */
  readonly walletAddress?: AskWalletAddress;
  /** Instead of identity providers that nobody asks. */
  readonly providers?: (clock: Clock) => ProviderClient;
  /** Sees each command before it is sent, and may hold it up; what it throws is the lane's outage. */
  readonly sending?: (command: Command) => void | Promise<void>;
  /** As `sending`, of questions. */
  readonly asking?: (query: LaneQuery) => void;
  /** Where a lane was half a minute ago. */
  readonly pastEnd?: (lane: number) => number;
  /** How long the hash of a password may take; no busy machine is too slow unless it is given. */
  readonly hashingMs?: number;
  readonly trustedProxies?: readonly string[];
  readonly requiresSecondFactor?: boolean;
  /** The clock of gateway and lanes; the system's unless it is given. */
  readonly nowMs?: () => number;
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
  readonly json: any;
}

/** What the owner of a lane goes on with, to its end. */
export function workOn({ lanes, apply }: Pick<World, 'lanes' | 'apply'>, lane: number): void {
  for (let [job] = lanes[lane]!.jobs(); job !== undefined; [job] = lanes[lane]!.jobs())
    apply(lane, { kind: 'Continue', job: job.job, step: job.step });
}

const allRoles: readonly AdministratorRole[] = [
  'viewer',
  'support',
  'config',
  'finance',
  'security',
  'auditor',
  'operations',
];

/** The HTTP server over real engines: lanes in memory whose owner's tasks (brands, rates, epochs) are done at once. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'administration-'));
  const tables = { directory: memoryTable(), accounts: memoryTable(), forgotten: memoryTable() };
  const clock = {
    nowMs: options.nowMs ?? Date.now,
    elapsedMs: options.nowMs ?? Date.now,
    after(delayMs: number, task: () => void) {
      const timer = setTimeout(task, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
  // The draws of an instance depend on its id: with chance's ids a pot that is hit once in a thousand would be, now and then.
  const random = new Random(1);
  const approvals = memoryTable();
  const access = await openAccess(tables.accounts, {
    clock,
    random,
    keysDirectory: directory,
    nonces: memoryTable(),
    tickets: memoryTable(),
    approvals,
    hashingMs: options.hashingMs ?? patientMs,
  });
  const auditLog = memoryAudit();
  const audit = new AuditTrail(auditLog, { clock, random });
  const players = testPlayers();
  const deliveries = testDeliveries(laneCount);
  const books = testBooks(join(directory, 'books'), () => lanes);
  const simulations = testSimulations({ clock, random });
  const readModel = new ReadModel(laneCount);
  const settings = { epochMs: 86_400_000, epochSequences: 1 << 20 };
  const placed = new PlacedHosts(laneCount);
  const lanes = Array.from({ length: laneCount }, () => newLane(settings));
  const commands: Command[] = [];
  const sequences = new Array<number>(laneCount).fill(0);
  await tables.directory.watch({
    entry: (key, value, revision) =>
      readModel.directoryChanged(readDirectoryChange(key, value, revision), revision),
    current: () => readModel.directoryCurrent(),
  });
  for (let lane = 0; lane < laneCount; lane += 1) readModel.laneCurrent(lane);

  function apply(lane: number, command: Command, laterMs = 0): LaneAnswer {
    sequences[lane]! += 1;
    const sequence = sequences[lane]!;
    const timestampMs = clock.nowMs() + laterMs;
    const result = lanes[lane]!.apply({ sequence, timestampMs, commands: [command] });
    readModel.laneEvents(lane, sequence, result.events.filter(isReadModelEvent));
    const credits = result.events.flatMap((each) => (each.kind === 'PayoutChanged' ? [each.credit] : []));
    readModel.laneCredits(credits);
    const allLiveValues = [...lanes[lane]!.instances()].map((id) => lanes[lane]!.liveValues(id)!);
    readModel.laneLiveValues(lane, sequence, allLiveValues);
    return { outcome: result.outcomes[0]!, lane, sequence, index: 0, timestampMs };
  }

  function ask(lane: number, query: LaneQuery): LaneQueryAnswer {
    const engine = lanes[lane]!;
    switch (query.kind) {
      case 'directory':
        for (const brand of readModel.entries.brands.values()) {
          if (engine.knowsBrand(brand.path)) continue;
          apply(lane, {
            kind: 'SetBrand',
            brand: brand.path,
            salt: brandSalt(brand),
            wallet: brand.wallet,
            provider: brand.provider,
            closeRounds: brand.close_rounds,
            verificationLimitAtoms: null,
            verificationCurrency: '',
          });
        }
        for (const table of readModel.entries.rates.values()) {
          if (engine.rateVersion(table.brand) >= table.version) continue;
          const { brand, version, base_currency: base, updated: updatedMs } = table;
          apply(lane, {
            kind: 'SetRates',
            version,
            brand,
            base,
            multipliers: rateMultipliers(table),
            updatedMs,
          });
        }
        for (const { path: brand } of readModel.entries.brands.values()) {
          if (readModel.entries.rates.has(brand) || engine.rateVersion(brand) === 0) continue;
          const removal = { version: query.revision, brand, base: '', multipliers: [], updatedMs: 0 };
          apply(lane, { kind: 'SetRates', ...removal });
        }
        return { kind: 'directory', revision: query.revision };
      case 'rebuilt_outcome':
        return { kind: 'rebuilt_outcome', part: null, totalBytes: 0 };
      case 'placement':
        return placed.answer;
      case 'placement_order':
        placed.follow(query.order);
        return { kind: 'placement_order' };
      case 'ticket_page':
        throw new Error('A page of tickets is made in steps.');
      default:
        return answerQuery(engine, query);
    }
  }

  const ticketLists = lanes.map(
    (engine) => new TicketLists(() => engine, { clock, monitor: { stopwatchSeconds: () => 0 } }),
  );
  const sent = new Map<string, RecordedCommand>();
  const client: LaneClient = {
    lanes: laneCount,
    laneOf: (group) => fnv1a32(group) % laneCount,
    async send(lane, command) {
      const isHeldUp = options.sending?.(command);
      if (isHeldUp !== undefined) await isHeldUp;
      commands.push(command);
      const answer = apply(lane, command);
      sent.set(`${lane} ${answer.sequence}`, { ...answer, command });
      if (command.kind === 'CreateInstance' && answer.outcome.kind === 'Done')
        apply(lane, openEpoch(command.instance, 0, [0, 1, 2]));
      return answer;
    },
    pastEnd: (lane) => options.pastEnd?.(lane) ?? 0,
    submit(lane, command, caller) {
      client.send(lane, command).then(
        (answer) => caller.resolve(answer),
        (error) => caller.reject(error),
      );
    },
    readBack: async (lane, sequence) => sent.get(`${lane} ${sequence}`)!,
    timeOf: async (lane, sequence) => sent.get(`${lane} ${sequence}`)!.timestampMs,
    async query(lane, query) {
      options.asking?.(query);
      if (query.kind === 'ticket_page') return ticketPage(lanes[lane]!, ticketLists[lane]!, query);
      return ask(lane, query);
    },
    onReply() {},
  };
  const epochDocuments = new Map<string, Uint8Array>();
  const epochIndex = memoryTable();
  const bugs: unknown[] = [];
  const context: GatewayContext = {
    operations,
    directory: readModel,
    lanes: client,
    tables,
    directoryTurns: entryTurns(),
    epochDocument: (id, epoch, page) =>
      publishedPage(
        {
          get: async (name) => epochDocuments.get(name) ?? null,
          has: async (name) => epochDocuments.has(name),
        },
        id,
        epoch,
        page,
      ),
    revealedEpochs: createRevealedEpochs(
      async () => epochIndex,
      async () => ({ has: async (name) => epochDocuments.has(name) }),
    ),
    access,
    audit,
    approvalLifetimeMs,
    requiresSecondFactor: options.requiresSecondFactor ?? false,
    players: options.openPlayers?.(access) ?? players,
    platformEvents: { publish: () => {} },
    ticketLimit: createTicketLimit(clock, unlimitedGets),
    walletAddress: options.walletAddress ?? (async () => 'callable'),
    deliveries: deliveries.ask,
    books: books.ask,
    simulations: simulations.ask,
    optIns: new OptInStatuses(client, clock),
    bulkUploads: new BulkUploads(),
    readers: createReaders(clock),
    refusedLogins: new RefusedLogins(),
    providers: options.providers?.(clock) ?? anyProvider,
    publicUrl: publicTestUrl,
    clock,
    random,
    development: true,
  };
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    handlerTimeoutMs: patientMs,
    fanoutPort: 1,
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    operations,
    context,
    pagesDirectory: directory,
    clientDirectory: directory,
    notReady: () => null,
    report: (error) => void bugs.push(error),
    publicGetsPerSecond: unlimitedGets,
    administratorWritesPerSecond: unlimitedGets,
  });
  let names = 0;
  const token: World['token'] = async (roles = allRoles, owners = ['*']) => {
    names += 1;
    const user = { username: `admin-${names}`, roles, owners };
    return access.tokens.issueAdministrator(await makeAdministrator({ access, clock, random }, user));
  };
  const everything = await token();
  // A four-eyes rule is turned on only where two could approve.
  await makeAdministrator(
    { access, clock, random },
    { username: 'colleague', roles: allRoles, owners: ['*'] },
  );
  return {
    players,
    deliveries,
    books,
    simulations,
    audit: auditLog,
    context,
    approvals,
    port: server.port,
    readModel,
    lanes,
    commands,
    table: tables.directory,
    accounts: tables.accounts,
    access,
    async stored(name) {
      const entries = (await tables[name].keys()).map((key) => tables[name].get(key));
      return (await Promise.all(entries)).map((entry) => Buffer.from(entry!.value).toString('utf8'));
    },
    epochDocuments,
    epochIndex,
    query: ask,
    apply,
    token,
    async serviceToken(operator, brands = null, rights = []) {
      names += 1;
      const user = { username: `service-${names}`, operator, brands, rights };
      return access.tokens.issueService(await makeServiceUser({ access, clock, random }, user));
    },
    async serviceUser(username, operator) {
      await makeServiceUser({ access, clock, random }, { username, operator, brands: null });
    },
    async call(method, path, body, options = {}) {
      const bearer = options.token ?? everything;
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      // Nothing of what has no end.
      const isEndless = response.headers.get('content-type') === 'text/event-stream';
      const text = isEndless ? '' : await response.text();
      if (isEndless) await response.body?.cancel();
      const fault = undescribed(method, path, response.status, text);
      if (fault !== null) throw new Error(`Not as /v1/openapi.json says. ${fault}`);
      const isTable = response.headers.get('content-type')?.startsWith('text/csv') === true;
      const json = text === '' || isTable ? null : JSON.parse(text);
      return { status: response.status, headers: response.headers, text, json };
    },
    async stop() {
      await server.stop();
      await access.stop();
      await books.close();
      rmSync(directory, { recursive: true, force: true });
      if (bugs.length > 0) throw new AggregateError(bugs, 'requests met bugs');
    },
  };
}

export const rates = { base_currency: 'EUR', multipliers: { USD: '1.08', SEK: 11.2 } };

/** A pot, as an administrator would send it. */
export const goldPot = {
  id: 'gold',
  contribution: { Percentage: 0.25 },
  seed_contribution: { Percentage: 0.5 },
  seed_strategy: { initial_seed_value: 100, min_reseed_value: '100' },
  pot_types: [{ HitRate: { max_magic_number: 1000, cost_per_attempt: '0.1' } }],
};

export function template(id = 'three', changes: Readonly<Record<string, unknown>> = {}) {
  return {
    owner_id: 'acme',
    id,
    name: 'Three pots',
    description: 'A template.',
    jackpot_type: 'Jackpot',
    currency: 'EUR',
    contribution_rules: { contribution_type: { Fixed: 0.1 }, opt_in_required: false },
    house_pot: { contribution_type: { Percentage: 0.3 } },
    pots: [goldPot, { ...goldPot, id: 'silver', contribution: { Percentage: 0.2 } }],
    ...changes,
  };
}

/** acme with the brands main and vip, the source slot-1, a template `three`; rival with a brand and the source slot-9. */
export async function furnish(world: World): Promise<void> {
  const expect = async (status: number, method: string, path: string, body: unknown) => {
    const answer = await world.call(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  };
  await expect(200, 'POST', '/config/operators', [
    { id: 'acme', name: 'Acme' },
    { id: 'rival', name: 'Rival' },
  ]);
  await expect(200, 'POST', '/config/operators/acme/brands', [
    { id: 'main', name: 'Main' },
    { id: 'vip', name: 'Vip' },
  ]);
  await expect(200, 'POST', '/config/operators/rival/brands', [{ id: 'main', name: 'Main' }]);
  await expect(200, 'PUT', '/config/currencies', rates);
  await expect(200, 'POST', '/config/sources', [
    { owner_id: 'acme', source_id: 'slot-1', source_name: 'Slot 1', jackpots: [] },
    { owner_id: 'acme:vip', source_id: 'slot-1', source_name: 'Slot 1 of vip', jackpots: [] },
    { owner_id: 'rival', source_id: 'slot-9', source_name: 'Slot 9', jackpots: [] },
  ]);
  await expect(201, 'POST', '/config/templates', template());
}

/** An origin that callbacks and diversions of an operator may go to. */
export async function registerOrigin(world: World, origin: string, operator_id = 'acme'): Promise<void> {
  const answer = await world.call('POST', '/config/webhook-origins', { operator_id, origin });
  if (answer.status !== 201) throw new Error(answer.text);
}

export function newInstance(changes: Readonly<Record<string, unknown>> = {}) {
  return { template_owner_id: 'acme', template_id: 'three', owner_id: 'acme', name: 'One', ...changes };
}

export async function createInstance(
  world: World,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await world.call('POST', '/config/instances', newInstance(changes));
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.id;
}
