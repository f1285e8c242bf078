import type { Access } from '../access/access.ts';
import { entryTurns } from '../access/accounts/table-turns.ts';
import type { PlayerTokens } from '../access/players/player-tokens.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { TrailCheck } from '../audit/trail-check.ts';
import type { ReadModel } from '../directory/read-model.ts';
import type { TraceParent } from '../lib/tracing.ts';
import type { ReceivedReply } from '../messages/bus-messages.ts';
import type { Bus, Clock, Log, Random } from '../ports.ts';
import type { GatewayContext, Operation } from './api/operation/operation.ts';
import { onceCurrent } from './api/operation/run.ts';
import { askBooks } from './api/services/books.ts';
import { BulkUploads } from './api/services/bulk-uploads.ts';
import { answerTickets, createTicketLimit } from './api/services/feed-tickets.ts';
import { OptInStatuses } from './api/services/opt-in-statuses.ts';
import { createPlatformEvents } from './api/services/platform-events.ts';
import { createRevealedEpochs, publishedPage } from './api/services/published-epochs.ts';
import { askDeliveries, askWalletAddress } from './api/services/questions.ts';
import { createReaders } from './api/services/readers.ts';
import { RefusedLogins } from './api/services/refused-logins.ts';
import { askSimulations } from './api/services/simulations.ts';
import { listedMaps, warmOrders } from './api/services/warm-orders.ts';
import { PublicError } from './base/errors.ts';
import { createPooledRandom } from './base/pooled-random.ts';
import type { ListenOptions } from './http/server.ts';
import { LaneGateway, type LaneSubjects } from './lanes/lane-gateway.ts';
import { unwellLanes } from './lanes/lane-health.ts';
import { createMetrics } from './metrics.ts';
import type { ProviderClient } from './providers/provider-client.ts';
import { type GatewayServer, startServer } from './routes/serve.ts';

interface GatewayPorts {
  readonly log: Log;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly tables: GatewayContext['tables'];
  readonly access: Access;
  readonly audit: AuditTrail;
  readonly players: PlayerTokens;
  readonly providers: ProviderClient;
  readonly readModel: ReadModel;
  /** Passes a reply to the read-model feed before its callers get it. */
  readonly replied: (reply: ReceivedReply) => void;
  readonly subjects: LaneSubjects & {
    readonly walletAddress: string;
    deliveries(lane: number): string;
    readonly books: string;
    simulations(process?: string): string;
    feed(operator: string): string;
    readonly tickets: string;
  };
  /** Contributions are taken once this gateway, which may start held back, has been released. */
  readonly released: () => boolean;
  readonly report: (error: unknown, trace?: TraceParent | null) => void;
  readonly alarm: (code: 'audit_trail_damaged', message: string) => void;
}

interface GatewayOptions extends ListenOptions {
  readonly lanes: number;
  readonly operations: readonly Operation[];
  /** For each address, administrator, and operator with events of other platforms. */
  readonly publicGetsPerSecond: number;
  readonly administratorWritesPerSecond: number;
  readonly eventsPerSecond: number;
  /** For an operator's services, and for its players. */
  readonly feedTicketsPerSecond: number;
  readonly approvalLifetimeMs: number;
  readonly requiresSecondFactor: boolean;
  /** Older entries may leave the audit trail; null: none may. */
  readonly auditMaxAgeMs: number | null;
  readonly development: boolean;
  readonly publicUrl: string | null;
}

interface Gateway {
  readonly port: number;
  readonly server: GatewayServer;
  /** null when contributions are taken; otherwise one word why not. `released` is not part of it. */
  unready(): string | null;
  /** A line for each lane that is not well, though others may be, and for faults of the audit trail. */
  details(): string[];
  metrics(): Promise<string>;
  stop(drain?: 'end' | 'hand_over'): Promise<void>;
}

const codeOfReason = {
  log_disconnected: 'storage_unavailable',
  replica_behind: 'overloaded',
  no_lane_serves: 'instance_unavailable',
  lanes_hung: 'overloaded',
} as const;

/** The HTTP side of the system: resolves when it listens. */
export async function startGateway(ports: GatewayPorts, options: GatewayOptions): Promise<Gateway> {
  const { log, bus, clock, access, readModel, tables } = ports;
  const random = createPooledRandom(ports.random);
  let stopping = false;
  const lanes = new LaneGateway({
    log,
    bus,
    clock,
    random,
    defer: setImmediate,
    report: ports.report,
    subjects: ports.subjects,
    lanes: options.lanes,
    laneFault: (lane) => readModel.conditions.fault(lane),
    gateway: Buffer.from(random.bytes(9)).toString('base64url'),
  });
  // A caller who asked for a change reads it afterwards, even if the feed lags.
  lanes.onReply(ports.replied);
  const optIns = new OptInStatuses(lanes, clock);
  readModel.onOptIn((brand, player) => optIns.forget(brand, player));
  const unready = (): keyof typeof codeOfReason | 'stopping' | null => {
    if (stopping) return 'stopping';
    if (!bus.connected()) return 'log_disconnected';
    if (!readModel.usable()) return 'replica_behind';
    if (!readModel.conditions.anyServes) return 'no_lane_serves';
    // One working lane makes the gateway ready: requests to the others are refused one by one.
    return lanes.status().every(({ health }) => health === 'hung') ? 'lanes_hung' : null;
  };
  const server = await startServer({
    ...options,
    operations: onceCurrent(options.operations, { current: () => readModel.usable() }),
    context: {
      directory: readModel,
      lanes,
      tables,
      directoryTurns: entryTurns(),
      epochDocument: async (instance, epoch, page) =>
        publishedPage(await log.archive('EPOCHS'), instance, epoch, page),
      revealedEpochs: createRevealedEpochs(
        () => log.table('EPOCHS'),
        () => log.archive('EPOCHS'),
      ),
      access,
      audit: ports.audit,
      approvalLifetimeMs: options.approvalLifetimeMs,
      requiresSecondFactor: options.requiresSecondFactor,
      players: ports.players,
      walletAddress: askWalletAddress(bus, ports.subjects.walletAddress),
      deliveries: askDeliveries(bus, ports.subjects.deliveries),
      books: askBooks(bus, ports.subjects.books),
      simulations: askSimulations(bus, ports.subjects.simulations),
      platformEvents: createPlatformEvents(bus, clock, {
        perSecond: options.eventsPerSecond,
        subjectOf: (operator) => ports.subjects.feed(operator),
      }),
      ticketLimit: createTicketLimit(clock, options.feedTicketsPerSecond),
      optIns,
      bulkUploads: new BulkUploads(),
      readers: createReaders(clock),
      refusedLogins: new RefusedLogins(),
      providers: ports.providers,
      publicUrl: options.publicUrl,
      clock,
      random,
      development: options.development,
    },
    notReady() {
      const reason = unready();
      if (reason === null)
        return ports.released() ? null : new PublicError('overloaded', 'The service is starting.');
      const code = reason === 'stopping' ? 'overloaded' : codeOfReason[reason];
      return new PublicError(code, [`Not ready: ${reason}.`, ...unwellLanes(lanes.status())].join(' '));
    },
    degraded: () => unwellLanes(lanes.status()),
    report: ports.report,
  });
  const trailCheck = new TrailCheck(
    { log: ports.audit.log, clock, alarm: ports.alarm, report: ports.report },
    options.auditMaxAgeMs,
  );
  const metrics = createMetrics(lanes, server, () => trailCheck.faults());
  const orders = warmOrders(listedMaps(readModel, access), ports.report);
  const trail = ports.audit.pages.follow(ports.report);
  const tickets = answerTickets(bus, ports.subjects.tickets, access.feedTickets, ports.report);
  trailCheck.start();
  return {
    port: server.port,
    server,
    unready,
    details: () => [...unwellLanes(lanes.status()), ...trailCheck.warnings()],
    metrics: () => metrics.metrics(),
    async stop(drain = 'end') {
      stopping = true;
      orders.stop();
      trail.stop();
      trailCheck.stop();
      await server.stop(drain);
      tickets.stop();
      lanes.stop();
    },
  };
}
