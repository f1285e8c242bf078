import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import type { Settings } from '../../src/config/settings.ts';
import { collectNodeMetrics } from '../../src/lib/node-metrics.ts';
import { type RoleParts, type RunRole, startRole } from '../../src/runtime/role.ts';
import { systemClock } from '../../src/wiring.ts';
import { openWalletDatabase } from './database/database.ts';
import { ensureKeys, referenceWalletPaths } from './keys.ts';
import { startReferenceWallet } from './server.ts';

/**
 * `potstream reference-wallet`: the operator's side of the wallet interface, for the demo, the tests and the
 * curious.
 */
export const run: RunRole = (settings) => startRole('reference-wallet', settings, assemble);

async function assemble(settings: Settings, logger: Logger): Promise<RoleParts> {
  const registry = new Registry();
  collectNodeMetrics(registry);
  const answers = new Counter({
    name: 'potstream_reference_wallet_answers_total',
    help: 'Answers of the reference wallet by path and status.',
    labelNames: ['path', 'status'],
    registers: [registry],
  });
  const keys = ensureKeys(settings.dataDirectory);
  const database = openWalletDatabase(referenceWalletPaths(settings.dataDirectory).database);
  const wallet = await startReferenceWallet({
    database,
    keys,
    nowMs: systemClock.nowMs,
    host: settings.walletHost,
    port: settings.walletPort,
    answered: (path, status) => answers.inc({ path, status: String(status) }),
    report: (error) => logger.error({ err: error }, 'A request met a bug.'),
  });
  logger.info(
    { url: wallet.url, keys: referenceWalletPaths(settings.dataDirectory).keys },
    'The wallet listens.',
  );
  return {
    port: wallet.port,
    probes: { readyz: () => null, metrics: () => registry.metrics() },
    async stop() {
      await wallet.stop();
      await database.close();
    },
  };
}
