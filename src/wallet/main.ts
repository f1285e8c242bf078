import { openBrandWallets } from '../access/brand-wallets.ts';
import type { Role, Settings } from '../config.ts';
import { connectBus } from '../log/connect.ts';
import { walletAddressSubject, walletAuthenticateSubject, walletRevokedSubject } from '../log/names.ts';
import { dnsResolver } from '../outbound/resolve.ts';
import { connectToParent } from '../runtime/child-protocol.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { startOperationsServer } from '../runtime/operations-server.ts';
import { openRoleLog } from '../runtime/role-log.ts';
import { logSettings, openAccountsTable, systemClock, systemRandom } from '../wiring.ts';
import { startWallet } from './wallet.ts';

/** The role `wallet`: the one that speaks with brands' wallets. */
export async function run(settings: Settings): Promise<Role> {
  const parent = connectToParent();
  const logger = openRoleLog('wallet', settings.logLevel);
  const [bus, accounts] = await Promise.all([
    connectBus(logSettings(settings, 'wallet')),
    openAccountsTable(settings, 'wallet'),
  ]);
  const wallets = await openBrandWallets(accounts.table, {
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
    alarm: (message, error) => logger.error({ err: error, code: 'wallet_address_not_allowed' }, message),
    report: (error) => logger.error({ err: error }, 'A question about a player met a bug.'),
  });
  const operations = await startOperationsServer(
    { readyz: wallet.unready, metrics: wallet.metrics },
    settings.operationsPort,
  );
  parent.listening(null, operations.port);
  parent.ready();

  return {
    async stop() {
      await wallet.stop();
      await wallets.stop();
      await Promise.all([accounts.close(), bus.close()]);
      await operations.stop();
    },
  };
}
