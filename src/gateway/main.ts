import { join } from 'node:path';
import type { Logger } from 'pino';
import { openAccess } from '../access/access.ts';
import { openPlayerTokens } from '../access/players/player-tokens.ts';
import { openLoginNews } from '../access/sessions/login-news.ts';
import { AuditTrail } from '../audit/trail.ts';
import type { Settings } from '../config/settings.ts';
import { ReadModel } from '../directory/read-model.ts';
import { traceFields } from '../lib/tracing.ts';
import {
  booksSubject,
  deliveriesSubject,
  feedSubject,
  heartbeatSubject,
  loginsSubject,
  querySubject,
  replySubject,
  simulationsSubject,
  ticketsSubject,
  walletAddressSubject,
  walletAuthenticateSubject,
  walletRevokedSubject,
} from '../log/base/names.ts';
import { connectAudit, connectBus, connectLog } from '../log/jetstream/connect.ts';
import { startReadModelFeed } from '../log/lanes/read-model-feed.ts';
import { requireLanes } from '../log/system/system-lanes.ts';
import { dnsResolver } from '../outbound/checked-addresses.ts';
import type { ParentConnection } from '../runtime/child-protocol.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { packageRoot } from '../runtime/package-root.ts';
import { type RoleParts, type RunningRole, startRole } from '../runtime/role.ts';
import { logSettings, systemClock, systemRandom, withArchive } from '../wiring.ts';
import type { Operation } from './api/operation/operation.ts';
import { operations } from './api/operations/index.ts';
import { startGateway } from './gateway.ts';
import { createProviderClient } from './providers/provider-client.ts';

/** The role `gateway`. `moreOperations`: served beside its own, in no document of the API. */
export function run(settings: Settings, moreOperations: readonly Operation[] = []): Promise<RunningRole> {
  return startRole('gateway', settings, (_, logger, parent) =>
    assemble(settings, moreOperations, logger, parent),
  );
}

async function assemble(
  settings: Settings,
  moreOperations: readonly Operation[],
  logger: Logger,
  parent: ParentConnection,
): Promise<RoleParts> {
  const { keys } = dataPaths(settings.dataDirectory);
  const reach = logSettings(settings, 'gateway');
  const [streams, bus, auditLog] = await Promise.all([
    connectLog(reach),
    connectBus(reach),
    connectAudit(reach),
  ]);
  const log = withArchive(streams, settings);
  await requireLanes(await log.table('PLACEMENT'), settings.lanes);
  const [directory, accounts, nonces, tickets, approvals, forgotten] = await Promise.all([
    log.table('DIRECTORY'),
    log.table('ACCOUNTS'),
    log.table('NONCES'),
    log.table('TICKETS'),
    log.table('APPROVALS'),
    log.table('FORGOTTEN'),
  ]);
  const audit = new AuditTrail(auditLog, { clock: systemClock, random: systemRandom });
  const access = await openAccess(accounts, {
    clock: systemClock,
    random: systemRandom,
    keysDirectory: keys,
    newKeys: settings.newKeys,
    failedLoginsPerMinute: settings.failedLoginsPerMinute,
    nonces,
    tickets,
    approvals,
    gateways: settings.gateways,
    loginNews: openLoginNews(bus, loginsSubject, systemRandom),
  });
  const players = openPlayerTokens({
    bus,
    clock: systemClock,
    wallets: access.wallets,
    subjects: { authenticate: walletAuthenticateSubject, revoked: walletRevokedSubject },
  });
  const development = settings.development === true;
  const providers = createProviderClient(
    { resolve: dnsResolver(), development },
    systemClock,
    (operator, reason) =>
      logger.warn({ operator, reason }, 'A log-in at the identity provider of an operator failed.'),
  );
  const readModel = new ReadModel(settings.lanes);
  const trouble = (what: string, error: unknown): void => logger.warn({ err: error }, what);
  const feed = await startReadModelFeed(readModel, { log, bus, clock: systemClock, trouble }, settings.lanes);

  let released = !settings.holdReady;
  parent.onRelease(() => {
    released = true;
  });
  const gateway = await startGateway(
    {
      log,
      bus,
      clock: systemClock,
      random: systemRandom,
      tables: { directory, accounts, forgotten },
      access,
      audit,
      players,
      providers,
      readModel,
      replied: (reply) => feed.replied(reply),
      subjects: {
        reply: replySubject,
        query: querySubject,
        heartbeat: heartbeatSubject,
        walletAddress: walletAddressSubject,
        deliveries: deliveriesSubject,
        books: booksSubject,
        simulations: simulationsSubject,
        feed: feedSubject,
        tickets: ticketsSubject,
      },
      released: () => released,
      report: (error, trace) => logger.error({ err: error, ...traceFields(trace) }, 'A request met a bug.'),
      alarm: (code, message) => logger.error({ code }, message),
    },
    {
      // One by one: the settings have credentials, too.
      host: settings.gatewayHost,
      port: settings.gatewayPort,
      listenFd: settings.listenFd,
      fanoutHost: settings.fanoutHost,
      fanoutPort: settings.fanoutPort,
      drainWaitMs: settings.drainWaitMs,
      connectionsPerAddress: settings.connectionsPerAddress,
      feedsPerAddress: settings.feedsPerAddress,
      publicFeedsPerAddress: settings.publicFeedsPerAddress,
      trustedProxies: settings.trustedProxies,
      lanes: settings.lanes,
      publicGetsPerSecond: settings.publicGetsPerSecond,
      administratorWritesPerSecond: settings.administratorWritesPerSecond,
      eventsPerSecond: settings.eventsPerSecond,
      feedTicketsPerSecond: settings.feedTicketsPerSecond,
      approvalLifetimeMs: settings.approvalLifetimeMs,
      requiresSecondFactor: settings.systemSecondFactor === 'required',
      auditMaxAgeMs: settings.auditMaxAgeMs,
      pagesDirectory: join(packageRoot, 'web', 'dist'),
      clientDirectory: join(packageRoot, 'client', 'dist'),
      console:
        settings.console === 'off'
          ? null
          : {
              directory: join(packageRoot, 'console', 'dist'),
              hasDemoLogin: settings.demo && !settings.publicDemo,
            },
      development,
      publicUrl: settings.publicUrl ?? (development ? `http://127.0.0.1:${settings.gatewayPort}` : null),
      operations: [...operations, ...moreOperations],
    },
  );
  let drain: 'end' | 'hand_over' = 'end';
  parent.onMessage((message) => {
    if (message.type === 'hand_over') drain = 'hand_over';
    else gateway.server.moveConnections(message.connections);
  });
  if (settings.gateways > 1) parent.reportConnections(gateway.server.movableConnections);
  logger.info({ port: gateway.port }, 'The gateway listens.');
  return {
    port: gateway.port,
    probes: {
      readyz: gateway.unready,
      lanes: () => readModel.conditions.reports(),
      details: gateway.details,
      metrics: gateway.metrics,
    },
    async stop() {
      await gateway.stop(drain);
      players.stop();
      await feed.stop();
      await access.stop();
      await Promise.all([audit.stop(), log.close(), bus.close()]);
    },
  };
}
