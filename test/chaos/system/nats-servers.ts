import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRoleKeys } from '../../../src/cli/nats/keys.ts';
import { type NatsRole, natsRoles } from '../../../src/log/roles/permissions.ts';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import { renderEmbeddedConfiguration } from '../../../src/supervisor/nats-server/configuration.ts';
import { embeddedUsers } from '../../../src/supervisor/nats-server/users.ts';
import { freePort } from '../../support/free-port.ts';
import { routesConfiguration } from '../../support/nats-cluster.ts';
import { natsServerPath } from '../../support/nats-server.ts';
import type { Place } from './network.ts';
import { Unit } from './unit.ts';

const zones = ['a', 'b', 'c'];

export interface NatsServer {
  readonly unit: Unit;
  readonly url: string;
  readonly monitorUrl: string;
  readonly storeDirectory: string;
}

export interface NatsServers {
  readonly servers: readonly NatsServer[];
  /** The variables with which a process reaches them as this role. */
  environmentOf(role: NatsRole): Record<string, string>;
}

/** One server from the template of `up`, or three from the files of deploy/. */
export async function createNatsServers(
  directory: string,
  places: readonly Place[],
  lanes: number,
  storeOf: (name: string) => string = (name) => join(directory, name),
): Promise<NatsServers> {
  mkdirSync(directory, { recursive: true });
  return places.length === 1
    ? single(directory, places[0] as Place, lanes, storeOf)
    : cluster(directory, places, storeOf);
}

async function single(
  directory: string,
  place: Place,
  lanes: number,
  storeOf: (name: string) => string,
): Promise<NatsServers> {
  const passwords = Object.fromEntries(natsRoles.map((role) => [role, `of-${role}`])) as Record<
    NatsRole,
    string
  >;
  const [port, monitorPort] = [await freePort(), await freePort()];
  const storeDirectory = storeOf('nats-1');
  const configurationFile = join(directory, 'nats.conf');
  const configuration = await renderEmbeddedConfiguration({
    serverName: 'potstream',
    port,
    monitorPort,
    storeDirectory,
    pidFile: join(directory, 'nats.pid'),
    users: embeddedUsers(passwords, lanes),
  });
  writeFileSync(configurationFile, configuration);
  const path = await natsServerPath();
  const monitorUrl = `http://${place.address}:${monitorPort}`;
  const unit = new Unit({
    name: 'nats-1',
    command: () => [...place.prefix, path, '-c', configurationFile],
    environment: () => ({}),
    logFile: join(directory, 'nats-1.log'),
    readyUrl: `${monitorUrl}/healthz`,
  });
  const url = `nats://${place.address}:${port}`;
  return {
    servers: [{ unit, url, monitorUrl, storeDirectory }],
    environmentOf: (role) => ({
      POTSTREAM_NATS_URL: url,
      POTSTREAM_NATS_MONITOR_URL: monitorUrl,
      POTSTREAM_NATS_USER: role,
      POTSTREAM_NATS_PASSWORD: passwords[role],
    }),
  };
}

async function cluster(
  directory: string,
  places: readonly Place[],
  storeOf: (name: string) => string,
): Promise<NatsServers> {
  const path = await natsServerPath();
  const configurationFile = copyConfiguration(directory);
  const seeds = join(directory, 'seeds');
  const tls = makeCertificates(directory, places);
  const publicKeys = Object.fromEntries(
    makeRoleKeys(seeds).map((line) => line.split('=', 2) as [string, string]),
  );
  const ports = await Promise.all(
    places.map(async () => ({
      client: await freePort(),
      monitor: await freePort(),
      routes: await freePort(),
    })),
  );
  const routes = places.map(({ address }, index) => `${address}:${ports[index]?.routes}`);
  writeFileSync(join(directory, 'nats-routes.conf'), routesConfiguration(routes));
  const servers = places.map(({ address, prefix }, index): NatsServer => {
    const { client, monitor, routes: routesPort } = ports[index] as (typeof ports)[0];
    const name = `nats-${index + 1}`;
    const monitorUrl = `http://${address}:${monitor}`;
    const storeDirectory = storeOf(name);
    const unit = new Unit({
      name,
      command: () => [...prefix, path, '-c', configurationFile],
      environment: () => ({
        ...publicKeys,
        POTSTREAM_NATS_NAME: name,
        POTSTREAM_NATS_ZONE: `az:${zones[index]}`,
        POTSTREAM_NATS_LISTEN: `${address}:${client}`,
        POTSTREAM_NATS_MONITOR: `${address}:${monitor}`,
        POTSTREAM_NATS_ROUTES_LISTEN: `${address}:${routesPort}`,
        POTSTREAM_NATS_STORE: storeDirectory,
        POTSTREAM_NATS_PID_FILE: join(directory, `${name}.pid`),
        POTSTREAM_NATS_TLS_CERT: join(tls, 'server.pem'),
        POTSTREAM_NATS_TLS_KEY: join(tls, 'server.key'),
        POTSTREAM_NATS_TLS_CA: join(tls, 'ca.pem'),
      }),
      logFile: join(directory, `${name}.log`),
      readyUrl: `${monitorUrl}/healthz`,
    });
    return { unit, url: `nats://${address}:${client}`, monitorUrl, storeDirectory };
  });
  return {
    servers,
    environmentOf: (role) => ({
      POTSTREAM_NATS_URL: servers.map(({ url }) => url).join(','),
      // Where that server is down, a role would wait for it; the configuration is that of the first start for all.
      POTSTREAM_NATS_NKEY_FILE: join(seeds, `${role}.nk`),
      POTSTREAM_NATS_CA_FILE: join(tls, 'ca.pem'),
      POTSTREAM_REPLICAS: '3',
    }),
  };
}

/** As an operator makes them, for the addresses of the servers. */
function makeCertificates(directory: string, places: readonly Place[]): string {
  const tls = join(directory, 'tls');
  const addresses = new Set(places.map(({ address }) => address));
  execFileSync(join(packageRoot, 'deploy/certificates.sh'), [tls, ...addresses], { stdio: 'ignore' });
  return tls;
}

function copyConfiguration(directory: string): string {
  for (const name of ['nats.conf', 'nats-roles.conf'])
    writeFileSync(join(directory, name), readFileSync(join(packageRoot, 'deploy/nats', name)));
  return join(directory, 'nats.conf');
}

/** Leaders by stream, as the first server that answers has them. */
export async function streamLeaders(servers: readonly NatsServer[]): Promise<ReadonlyMap<string, string>> {
  for (const { monitorUrl } of servers) {
    try {
      const signal = AbortSignal.timeout(2_000);
      const answer = await fetch(`${monitorUrl}/jsz?accounts=true&streams=true`, { signal });
      const { account_details = [] } = (await answer.json()) as JetStreamDetails;
      const streams = account_details.flatMap(({ stream_detail = [] }) => stream_detail);
      return new Map(streams.map(({ name, cluster: { leader = '' } = {} }) => [name, leader]));
    } catch {
      // The next one may answer.
    }
  }
  return new Map();
}

interface JetStreamDetails {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly cluster?: { readonly leader?: string };
    }[];
  }[];
}
