import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readNatsAccess } from '../../../src/cli/system/nats-access.ts';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import { freePort } from '../../support/free-port.ts';
import { natsServerPath } from '../../support/nats-server.ts';
import { commonEnvironment, lanes, type SystemParts, type Topology } from './assemble.ts';
import { Unit } from './unit.ts';

/** The system as `potstream up` runs it: one process here, which starts, watches and restarts all others. */
export async function assembleUp(dataDirectory: string, topology: Topology): Promise<SystemParts> {
  const logs = join(dataDirectory, 'logs');
  mkdirSync(logs, { recursive: true });
  const [port, operationsPort, walletPort] = [await freePort(), await freePort(), await freePort()];
  const operationsUrl = `http://127.0.0.1:${operationsPort}`;
  const environment = {
    ...commonEnvironment(dataDirectory, {}),
    POTSTREAM_NATS_SERVER: await natsServerPath(),
    POTSTREAM_PORT: String(port),
    POTSTREAM_OPERATIONS_PORT: String(operationsPort),
    POTSTREAM_WALLET_PORT: String(walletPort),
    POTSTREAM_REPORTING_GIVES_WAY_SECONDS: '0',
  };
  const unit = new Unit({
    name: 'up',
    command: () => [
      ...[process.execPath, join(packageRoot, 'bin/potstream'), 'up', '--no-traffic'],
      ...['--hosts', String(topology.hosts)],
    ],
    environment: () => environment,
    logFile: join(logs, 'up.log'),
    readyUrl: `${operationsUrl}/readyz`,
  });
  const storeDirectory = join(dataDirectory, 'nats');
  const store = topology.store?.('up');
  if (store !== undefined) {
    mkdirSync(store, { recursive: true });
    symlinkSync(store, storeDirectory);
  }
  return {
    ...{ dataDirectory, topology, network: null, units: [unit], variables: new Map() },
    nats: {
      servers: [{ unit, url: '', monitorUrl: '', storeDirectory: store ?? storeDirectory }],
      // Each start of `up` makes new passwords.
      environmentOf(role) {
        const access = readNatsAccess(join(dataDirectory, 'run'));
        if (access === null) throw new Error('up has not started nats-server yet');
        return {
          POTSTREAM_LANES: String(lanes),
          POTSTREAM_NATS_URL: access.url,
          POTSTREAM_NATS_USER: role,
          POTSTREAM_NATS_PASSWORD: access.passwords[role],
        };
      },
    },
    gatewayUrls: [`http://127.0.0.1:${port}`],
    walletUrl: `http://127.0.0.1:${walletPort}`,
    walletMetricsUrl: operationsUrl,
    hostDirectoryOf: (name) =>
      name === 'actors-1' ? dataDirectory : join(dataDirectory, 'hosts', name.slice('actors-'.length)),
    administrator: () => JSON.parse(readFileSync(join(dataDirectory, 'credentials.json'), 'utf8')).admin,
  };
}
