import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { openBrandWallets } from '../access/keys/brand-wallets.ts';
import type { Settings } from '../config/settings.ts';
import { walletAddressSubject, walletAuthenticateSubject, walletRevokedSubject } from '../log/base/names.ts';
import { connectBus, connectLog } from '../log/jetstream/connect.ts';
import { requireLanes } from '../log/system/system-lanes.ts';
import { dnsResolver } from '../outbound/checked-addresses.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { type RoleParts, type RunRole, startRole } from '../runtime/role.ts';
import { logSettings, systemClock, systemRandom } from '../wiring.ts';
import { startWallet } from './role/wallet.ts';

/** The role `wallet`: the one that speaks with brands' wallets. */
export const run: RunRole = (settings) => startRole('wallet', settings, assemble);

async function assemble(settings: Settings, logger: Logger): Promise<RoleParts> {
  const reach = logSettings(settings, 'wallet');
  const [log, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
  await requireLanes(await log.table('PLACEMENT'), settings.lanes);
  const wallets = await openBrandWallets(await log.table('ACCOUNTS'), {
    random: systemRandom,
    keysDirectory: dataPaths(settings.dataDirectory).keys,
    newKeys: settings.newKeys,
  });
  const wallet = startWallet({
    bus,
    clock: systemClock,
    wallets,
    subjects: {
      authenticate: walletAuthenticateSubject,
      revoked: walletRevokedSubject,
      address: walletAddressSubject,
    },
    addresses: { resolve: dnsResolver(), development: settings.development === true },
    execution: {
      log,
      random: systemRandom,
      leases: await log.table('LEASES'),
      lanes: settings.lanes,
      // One process of a data directory: the next one is its successor.
      holder: `${hostname()}:${settings.dataDirectory}`,
    },
    alarm: (code, message, error) => logger.error({ err: error, code }, message),
    report: (error) => logger.error({ err: error }, 'The wallet role met a bug.'),
  });
  return {
    port: null,
    probes: { readyz: wallet.unready, metrics: wallet.metrics },
    async stop() {
      await wallet.stop();
      await wallets.stop();
      await Promise.all([log.close(), bus.close()]);
    },
  };
}
