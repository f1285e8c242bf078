import type { Logger } from 'pino';
import { openBrandWallets } from '../access/brand-wallets.ts';
import type { RunRole, Settings } from '../config.ts';
import { connectBus } from '../log/connect.ts';
import { walletAddressSubject, walletAuthenticateSubject, walletRevokedSubject } from '../log/names.ts';
import { dnsResolver } from '../outbound/resolve.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { type RoleParts, startRole } from '../runtime/role.ts';
import { logSettings, openAccountsTable, systemClock, systemRandom } from '../wiring.ts';
import { startWallet } from './wallet.ts';

/** The role `wallet`: the one that speaks with brands' wallets. */
export const run: RunRole = (settings) => startRole('wallet', settings, assemble);

async function assemble(settings: Settings, logger: Logger): Promise<RoleParts> {
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
  return {
    port: null,
    probes: { readyz: wallet.unready, metrics: wallet.metrics },
    async stop() {
      await wallet.stop();
      await wallets.stop();
      await Promise.all([accounts.close(), bus.close()]);
    },
  };
}
