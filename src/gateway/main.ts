import { join } from 'node:path';
import { openAccess } from '../access/access.ts';
import { openPlayerTokens } from '../access/player-tokens.ts';
import type { Role, Settings } from '../config.ts';
import { Replica } from '../directory/replica.ts';
import { connectBus, connectLog } from '../log/connect.ts';
import {
  heartbeatSubject,
  querySubject,
  replySubject,
  walletAddressSubject,
  walletAuthenticateSubject,
  walletRevokedSubject,
} from '../log/names.ts';
import { startReplicaFeed } from '../log/replica-feed.ts';
import { requireLanes } from '../log/system-lanes.ts';
import { connectToParent } from '../supervisor/child-protocol.ts';
import { dataPaths } from '../supervisor/data-directory.ts';
import { startOperationsServer } from '../supervisor/operations-server.ts';
import { packageRoot } from '../supervisor/package-root.ts';
import { openRoleLog } from '../supervisor/role-log.ts';
import { logSettings, systemClock, systemRandom } from '../wiring.ts';
import { demoTokens } from './demo-tokens.ts';
import { startGateway } from './gateway.ts';
import { demoOperations } from './operations/demo/index.ts';
import { operations } from './operations/index.ts';

const readyCheckEveryMs = 50;

/** The gateway's process: `potstream gateway`. */
export async function run(settings: Settings): Promise<Role> {
  const parent = connectToParent();
  const logger = openRoleLog('gateway', settings.logLevel);
  const reach = logSettings(settings, 'gateway');
  const [log, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
  await requireLanes(await log.table('PLACEMENT'), settings.lanes, false);
  const [directory, accounts, nonces] = await Promise.all([
    log.table('DIRECTORY'),
    log.table('ACCOUNTS'),
    log.table('NONCES'),
  ]);
  const access = await openAccess(accounts, {
    clock: systemClock,
    random: systemRandom,
    keysDirectory: dataPaths(settings.dataDirectory).keys,
    newKeys: settings.newKeys,
    failedLoginsPerMinute: settings.failedLoginsPerMinute,
    nonces,
  });
  const players = openPlayerTokens({
    bus,
    clock: systemClock,
    wallets: access.wallets,
    subjects: { authenticate: walletAuthenticateSubject, revoked: walletRevokedSubject },
  });
  const replica = new Replica(settings.lanes);
  const trouble = (what: string, error: unknown): void => logger.warn({ err: error }, what);
  const feed = await startReplicaFeed(replica, { log, bus, clock: systemClock, trouble }, settings.lanes);

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
      tables: { directory, accounts },
      access,
      players,
      replica,
      replied: (reply) => feed.replied(reply),
      subjects: {
        reply: replySubject,
        query: querySubject,
        heartbeat: heartbeatSubject,
        walletAddress: walletAddressSubject,
      },
      released: () => released,
      report: (error) => logger.error({ err: error }, 'A request met a bug.'),
    },
    {
      lanes: settings.lanes,
      host: settings.gatewayHost,
      port: settings.gatewayPort,
      fanoutPort: settings.fanoutPort,
      publicGetsPerSecond: settings.publicGetsPerSecond,
      administratorWritesPerSecond: settings.administratorWritesPerSecond,
      connectionsPerAddress: settings.connectionsPerAddress,
      feedsPerAddress: settings.feedsPerAddress,
      trustedProxies: settings.trustedProxies,
      pagesDirectory: join(packageRoot, 'web', 'dist'),
      development: settings.development === true,
      ...(settings.demo
        ? {
            operations: [...operations, ...demoOperations],
            demoToken: demoTokens(dataPaths(settings.dataDirectory).credentials),
          }
        : { operations }),
    },
  );
  const operationsServer = await startOperationsServer(
    {
      readyz: gateway.unready,
      lanes: () => replica.conditions.reports(),
      details: gateway.laneLines,
      metrics: gateway.metrics,
    },
    settings.operationsPort,
  );
  parent.listening(gateway.port, operationsServer.port);
  logger.info({ port: gateway.port }, 'The gateway listens.');
  const readyCheck = setInterval(() => {
    if (gateway.unready() !== null) return;
    clearInterval(readyCheck);
    parent.ready();
  }, readyCheckEveryMs);

  return {
    async stop() {
      clearInterval(readyCheck);
      await gateway.stop();
      players.stop();
      await feed.stop();
      await access.stop();
      await Promise.all([log.close(), bus.close()]);
      await operationsServer.stop();
    },
  };
}
