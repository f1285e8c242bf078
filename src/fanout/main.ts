import type { Logger } from 'pino';
import { openTokenVerifier } from '../access/access.ts';
import { openPlayerTokens } from '../access/players/player-tokens.ts';
import type { Settings } from '../config/settings.ts';
import type { DirectoryKind } from '../contracts/directory/directory.ts';
import { ReadModel } from '../directory/read-model.ts';
import {
  allFeedsSubject,
  allHeartbeatsSubject,
  feedPlayersSubject,
  ticketsSubject,
  walletAuthenticateSubject,
  walletRevokedSubject,
} from '../log/base/names.ts';
import { connectBus, connectLog } from '../log/jetstream/connect.ts';
import { startReadModelFeed } from '../log/lanes/read-model-feed.ts';
import { requireLanes } from '../log/system/system-lanes.ts';
import type { ParentConnection } from '../runtime/child-protocol.ts';
import { type RoleParts, type RunRole, startRole } from '../runtime/role.ts';
import { logSettings, systemClock, systemRandom } from '../wiring.ts';
import { startFanout } from './server/fanout.ts';

/** Kinds of the directory that no feed shows or asks for: an operator may have a hundred thousand sources. */
const unusedKinds: ReadonlySet<DirectoryKind> = new Set([
  'source',
  'sourcegroup',
  'segment',
  'template',
  'webhookorigins',
  'webhooksubscriptions',
]);

/** The role `fanout`: all feeds, from the log's stored records and the actors' ticks. */
export const run: RunRole = (settings) => startRole('fanout', settings, assemble);

async function assemble(settings: Settings, logger: Logger, parent: ParentConnection): Promise<RoleParts> {
  const alarm = (message: string, error: unknown): void => logger.error({ err: error }, message);
  const reach = logSettings(settings, 'fanout');
  const [log, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
  await requireLanes(await log.table('PLACEMENT'), settings.lanes);
  const access = await openTokenVerifier(await log.table('ACCOUNTS'), {
    clock: systemClock,
    random: systemRandom,
  });
  const readModel = new ReadModel(settings.lanes);
  const readModelFeed = await startReadModelFeed(
    readModel,
    { log, bus, clock: systemClock, trouble: alarm, skips: unusedKinds },
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
    tickets: ticketsSubject,
    players: feedPlayersSubject,
  };
  const fanout = await startFanout(
    { log, bus, clock: systemClock, random: systemRandom, access, players, subjects, readModel, alarm },
    {
      lanes: settings.lanes,
      host: settings.fanoutHost,
      port: settings.fanoutPort,
      sharesPort: settings.fanouts > 1,
      listenFd: settings.listenFd,
      engine: settings.websocketEngine,
      drainWaitMs: settings.drainWaitMs,
      socketsLimit: settings.fanoutSockets,
      publicFeedsPerAddress: settings.publicFeedsPerAddress,
      statusPeriodMs: settings.statusPeriodMs,
      trustedProxies: settings.trustedProxies,
    },
  );
  if (fanout.fallbackReason !== null)
    logger.warn({ reason: fanout.fallbackReason }, 'The feeds use the websocket engine ws.');
  // With a parent, that says so; without, the other fan-outs of the installation take over.
  let drain: 'end' | 'hand_over' = parent.hasParent ? 'end' : 'hand_over';
  parent.onMessage(({ type }) => {
    if (type === 'hand_over') drain = 'hand_over';
  });
  return {
    port: fanout.port,
    probes: {
      readyz: fanout.unready,
      lanes: () => readModel.conditions.reports(),
      details: () =>
        fanout.fallbackReason === null ? [] : [`websocket engine ws: ${fanout.fallbackReason}`],
      metrics: fanout.metrics,
    },
    async stop() {
      await fanout.stop(drain);
      players.stop();
      await readModelFeed.stop();
      await access.stop();
      await Promise.all([log.close(), bus.close()]);
    },
  };
}
