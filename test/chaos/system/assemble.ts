import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import { freePort } from '../../support/free-port.ts';
import { createNatsServers, type NatsServers } from './nats-servers.ts';
import { loopback, Network, type Place } from './network.ts';
import { Unit } from './unit.ts';

/** One lane: the gaps of all traffic are those of one owner. */
export const lanes = 1;

export interface Topology {
  readonly servers: 1 | 3;
  readonly hosts: 1 | 2;
  /** Gateways, actor hosts and nats-servers have a network namespace each. */
  readonly separated?: boolean;
  /** `potstream up` runs everything, as on a machine of its own. */
  readonly up?: boolean;
  /** Where nats-server stores, other than below the data directory. */
  readonly store?: (name: string) => string;
}

/** A role that the system runs, as many times as named; gateways and hosts follow the topology. */
type RoleName = 'gateway' | 'actors' | 'fanout' | 'wallet' | 'outbox' | 'storage' | 'reference-wallet';

export interface SystemParts {
  readonly dataDirectory: string;
  readonly topology: Topology;
  /** null: everything is on loopback. */
  readonly network: Network | null;
  readonly nats: NatsServers;
  /** In the order in which they start. */
  readonly units: readonly Unit[];
  readonly gatewayUrls: readonly string[];
  readonly walletUrl: string;
  readonly walletMetricsUrl: string;
  /** More variables of a process, by its name: they hold from its next start on. */
  readonly variables: Map<string, Readonly<Record<string, string>>>;
  /** Where a host's snapshots and witness are. */
  readonly hostDirectoryOf: (host: string) => string;
  /** Who may administrate it, once it runs. */
  readonly administrator: () => { readonly username: string; readonly password: string };
}

const administrator = { username: 'admin', password: 'a long and good password' };

/** The processes of a system, none of which runs yet. */
export async function assemble(dataDirectory: string, topology: Topology): Promise<SystemParts> {
  const logs = join(dataDirectory, 'logs');
  mkdirSync(logs, { recursive: true });
  const network = topology.separated === true ? new Network() : null;
  const placeOf = (name: string): Place => network?.add(name) ?? loopback;
  const natsPlaces = Array.from({ length: topology.servers }, (_, index) => placeOf(`nats-${index + 1}`));
  const nats = await createNatsServers(join(dataDirectory, 'nats'), natsPlaces, lanes, topology.store);
  const variables = new Map<string, Readonly<Record<string, string>>>();
  const fanoutPort = await freePort();
  const walletPort = await freePort();

  const role = async (
    kind: RoleName,
    name: string,
    place: Place,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Unit> => {
    const operationsPort = await freePort();
    const command = [process.execPath, join(packageRoot, 'bin/potstream'), kind];
    return new Unit({
      name,
      command: () => [...place.prefix, ...command],
      environment: () => ({
        ...commonEnvironment(dataDirectory, kind === 'reference-wallet' ? {} : nats.environmentOf(kind)),
        POTSTREAM_OPERATIONS_HOST: place.address,
        POTSTREAM_OPERATIONS_PORT: String(operationsPort),
        POTSTREAM_FANOUT_PORT: String(fanoutPort),
        POTSTREAM_WALLET_PORT: String(walletPort),
        ...more,
        ...variables.get(name),
      }),
      logFile: join(logs, `${name}.log`),
      readyUrl: `http://${place.address}:${operationsPort}/readyz`,
    });
  };
  const gatewayUrls: string[] = [];
  const gateway = async (name: string): Promise<Unit> => {
    const [place, port] = [placeOf(name), await freePort()];
    gatewayUrls.push(`http://${place.address}:${port}`);
    return role('gateway', name, place, { POTSTREAM_HOST: place.address, POTSTREAM_PORT: String(port) });
  };
  const host = (name: string): Promise<Unit> =>
    role('actors', name, placeOf(name), {
      POTSTREAM_HOST_ID: name,
      POTSTREAM_HOST_DIRECTORY: hostDirectory(dataDirectory, name),
      POTSTREAM_WITNESS_DIRECTORY: sharedWitness(dataDirectory),
    });
  const hosts: Unit[] = [];
  for (let n = 1; n <= topology.hosts; n += 1) hosts.push(await host(`actors-${n}`));
  const gateways = [await gateway('gateway-1'), await gateway('gateway-2')];
  const wallet = await role('wallet', 'wallet', loopback);
  const units = [
    ...nats.servers.map(({ unit }) => unit),
    await role('storage', 'storage', loopback),
    ...hosts,
    await role('reference-wallet', 'reference-wallet', loopback),
    wallet,
    await role('outbox', 'outbox', loopback),
    await role('fanout', 'fanout', loopback),
    ...gateways,
  ];
  return {
    ...{ dataDirectory, topology, network, nats, units, gatewayUrls, variables },
    walletUrl: `http://127.0.0.1:${walletPort}`,
    hostDirectoryOf: (host) => hostDirectory(dataDirectory, host),
    administrator: () => administrator,
    walletMetricsUrl: wallet.readyUrl.replace('/readyz', ''),
  };
}

export function commonEnvironment(
  dataDirectory: string,
  nats: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    POTSTREAM_DATA: dataDirectory,
    POTSTREAM_LANES: String(lanes),
    // The reference wallet has plain HTTP on loopback.
    POTSTREAM_DEVELOPMENT: '1',
    ...nats,
  };
}

/** The hosts' second place for witnesses. */
export function sharedWitness(dataDirectory: string): string {
  return join(dataDirectory, 'witnesses');
}

function hostDirectory(dataDirectory: string, name: string): string {
  return join(dataDirectory, 'hosts', name);
}
