import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Role, Settings } from '../config.ts';
import { connectToParent } from '../runtime/child-protocol.ts';
import { startOperationsServer } from '../runtime/operations-server.ts';
import { openRoleLog } from '../runtime/role-log.ts';
import { systemClock } from '../wiring.ts';
import { openWalletDatabase } from './database.ts';
import { ensureKeys, referenceWalletPaths } from './keys.ts';
import { startReferenceWallet } from './server.ts';

/** `potstream reference-wallet`: the operator's side of the wallet interface, for the demo, the tests and the curious. */
export async function run(settings: Settings): Promise<Role> {
  const parent = connectToParent();
  const logger = openRoleLog('reference-wallet', settings.logLevel);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'potstream_process_' });
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
    port: settings.walletPort,
    answered: (path, status) => answers.inc({ path, status: String(status) }),
    report: (error) => logger.error({ err: error }, 'A request met a bug.'),
  });
  const operations = await startOperationsServer(
    { readyz: () => null, metrics: () => registry.metrics() },
    settings.operationsPort,
  );
  logger.info(
    { url: wallet.url, keys: referenceWalletPaths(settings.dataDirectory).keys },
    'The wallet listens.',
  );
  parent.listening(wallet.port, operations.port);
  parent.ready();

  return {
    async stop() {
      await wallet.stop();
      database.close();
      await operations.stop();
    },
  };
}
