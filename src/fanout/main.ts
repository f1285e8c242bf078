import { openTokenVerifier } from '../access/access.ts';
import { openPlayerTokens } from '../access/player-tokens.ts';
import type { Role, Settings } from '../config.ts';
import { Replica } from '../directory/replica.ts';
import { connectBus, connectLog } from '../log/connect.ts';
import {
  allFeedsSubject,
  allHeartbeatsSubject,
  walletAuthenticateSubject,
  walletRevokedSubject,
} from '../log/names.ts';
import { startReplicaFeed } from '../log/replica-feed.ts';
import { requireLanes } from '../log/system-lanes.ts';
import { connectToParent } from '../runtime/child-protocol.ts';
import { startOperationsServer } from '../runtime/operations-server.ts';
import { openRoleLog } from '../runtime/role-log.ts';
import { logSettings, systemClock, systemRandom } from '../wiring.ts';
import { startFanout } from './fanout.ts';

const readyCheckEveryMs = 50;

/** The role `fanout`: the feeds O4, O21 and O22, from the log's stored records and the actors' ticks. */
export async function run(settings: Settings): Promise<Role> {
  const parent = connectToParent();
  const logger = openRoleLog('fanout', settings.logLevel);
  const alarm = (message: string, error: unknown): void => logger.error({ err: error }, message);
  const reach = logSettings(settings, 'fanout');
  const [log, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
  await requireLanes(await log.table('PLACEMENT'), settings.lanes, false);
  const access = await openTokenVerifier(await log.table('ACCOUNTS'), {
    clock: systemClock,
    random: systemRandom,
  });
  const replica = new Replica(settings.lanes);
  const replicaFeed = await startReplicaFeed(
    replica,
    { log, bus, clock: systemClock, trouble: alarm },
    settings.lanes,
  );
  const players = openPlayerTokens({
    bus,
    clock: systemClock,
    wallets: access.wallets,
    subjects: { authenticate: walletAuthenticateSubject, revoked: walletRevokedSubject },
  });
  const subjects = {
    foreignEvents: allFeedsSubject,
    revokedTokens: walletRevokedSubject,
    heartbeats: allHeartbeatsSubject,
  };
  const fanout = await startFanout(
    { log, bus, clock: systemClock, access, players, subjects, replica, alarm },
    {
      lanes: settings.lanes,
      port: settings.fanoutPort,
      socketsLimit: settings.fanoutSockets,
      statusPeriodMs: settings.statusPeriodMs,
      trustedProxies: settings.trustedProxies,
    },
  );
  const operations = await startOperationsServer(
    { readyz: fanout.unready, lanes: () => replica.conditions.reports(), metrics: fanout.metrics },
    settings.operationsPort,
  );
  parent.listening(fanout.port, operations.port);
  const readyCheck = setInterval(() => {
    if (fanout.unready() !== null) return;
    clearInterval(readyCheck);
    parent.ready();
  }, readyCheckEveryMs);

  return {
    async stop() {
      clearInterval(readyCheck);
      await fanout.stop();
      players.stop();
      await replicaFeed.stop();
      await access.stop();
      await Promise.all([log.close(), bus.close()]);
      await operations.stop();
    },
  };
}
