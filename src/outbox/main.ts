import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { openWebhookSecrets } from '../access/keys/webhook-secrets.ts';
import type { Settings } from '../config/settings.ts';
import { connectBus, connectLog } from '../log/jetstream/connect.ts';
import { requireLanes } from '../log/system/system-lanes.ts';
import { dnsResolver } from '../outbound/checked-addresses.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { type RoleParts, type RunRole, startRole } from '../runtime/role.ts';
import { logSettings, sumLimits, systemClock, systemRandom, withArchive } from '../wiring.ts';
import { followSubscriptions } from './events/subscriptions.ts';
import { startOutbox } from './role/outbox.ts';
import { followRegisteredOrigins } from './send/registered-origins.ts';

/** The role `outbox`: it delivers callbacks. Of all secrets it opens only those that sign webhooks. */
export const run: RunRole = (settings) => startRole('outbox', settings, assemble);

async function assemble(settings: Settings, logger: Logger): Promise<RoleParts> {
  const report = (message: string, error: unknown): void =>
    logger.error({ err: error, code: 'deliveries' }, message);
  const reach = logSettings(settings, 'outbox');
  const [streams, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
  const log = withArchive(streams, settings);
  await requireLanes(await log.table('PLACEMENT'), settings.lanes);
  const [deliveries, leases] = await Promise.all([log.table('DELIVERIES'), log.table('LEASES')]);
  const secrets = await openWebhookSecrets(await log.table('ACCOUNTS'), {
    random: systemRandom,
    keysDirectory: dataPaths(settings.dataDirectory).keys,
    newKeys: settings.newKeys,
  });
  const directory = await log.table('DIRECTORY');
  const [origins, subscriptions] = await Promise.all([
    followRegisteredOrigins(directory, report),
    followSubscriptions(directory, report),
  ]);
  const outbox = startOutbox(
    {
      log,
      bus,
      clock: systemClock,
      random: systemRandom,
      tables: { deliveries, leases },
      addresses: { resolve: dnsResolver(), development: settings.development === true },
      secretFor: (owner) => secrets.secretFor(owner),
      isRegistered: (operator, origin) => origins.includes(operator, origin),
      subscriptions,
      report,
      alarm: (code, message) => logger.error({ code }, message),
    },
    {
      holder: `${hostname()}:${settings.dataDirectory}`,
      lanes: settings.lanes,
      limits: {
        pendingAgeMs: settings.paymentAlarmMs,
        deadAgeMs: settings.paymentWaitAlarmMs,
        perOperator: settings.deliveriesAlarm,
        sumsAtoms: sumLimits(settings.paymentSumAlarm),
      },
    },
  );
  return {
    port: null,
    probes: { readyz: outbox.unready, metrics: outbox.metrics },
    async stop() {
      await outbox.stop();
      await Promise.all([origins.stop(), subscriptions.stop(), secrets.stop()]);
      await Promise.all([log.close(), bus.close()]);
    },
  };
}
