import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import { StartError } from '../../runtime/start-error.ts';
import { freePortNear } from '../../supervisor/free-port.ts';

/** All ports of the system on this machine. They survive restarts of a child and of `up`. */
export type Ports = {
  readonly gateway: number;
  readonly operations: number;
  readonly fanout: number;
  readonly wallet: number;
  readonly nats: number;
  readonly natsMonitor: number;
};

/** Chooses the ports: the gateway's as set, the others as last time; another one if it is taken. */
export async function choosePorts(runDirectory: string, wanted: WantedPorts): Promise<Ports> {
  const path = join(runDirectory, 'ports.json');
  const ports = await choose(wanted, (readJsonFile(path) ?? {}) as Partial<Ports>);
  writeJsonFile(path, ports);
  return ports;
}

/** @throws StartError `port_unavailable` */
async function choose(wanted: WantedPorts, last: Partial<Ports>): Promise<Ports> {
  const taken: number[] = [];
  const next = async (wish: number, host = '127.0.0.1'): Promise<number> => {
    const port = await freePortNear(wish, host, taken);
    taken.push(port);
    return port;
  };
  try {
    const gateway = await next(wanted.gatewayPort, wanted.gatewayHost);
    const operations = await next(
      wanted.operationsPort || (last.operations ?? gateway + 1),
      wanted.operationsHost,
    );
    const block = internalPorts(gateway);
    const fanout = await next(wanted.fanoutPort || (last.fanout ?? block), wanted.fanoutHost);
    const wallet = await next(wanted.walletPort || (last.wallet ?? block + 1), wanted.walletHost);
    const nats = await next(last.nats ?? block + 2);
    const natsMonitor = await next(last.natsMonitor ?? block + 3);
    return { gateway, operations, fanout, wallet, nats, natsMonitor };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      'port_unavailable',
      `No port to listen on: ${reason} Look at POTSTREAM_HOST, POTSTREAM_PORT and the like.`,
    );
  }
}

/** Above the ports that Linux gives to connections: none of them takes one between its choice and its use. */
const firstInternalPort = 61_000;
const portsOfSystem = 4;
const blocks = Math.floor((65_536 - firstInternalPort) / portsOfSystem);

/** The first of the ports of a system that no setting names. Two systems seldom have the same. */
function internalPorts(gateway: number): number {
  return firstInternalPort + (Math.floor(gateway / 2) % blocks) * portsOfSystem;
}

/** Where the settings have a process listen. */
export interface Listener {
  readonly of: 'gateway' | 'operations' | 'fanout' | 'wallet';
  readonly variables: { readonly host: string; readonly port: string };
  readonly host: string;
  /** 0: the settings name none. */
  readonly port: number;
}

export function configuredListeners(settings: WantedPorts): readonly Listener[] {
  const { gatewayPort, operationsPort, fanoutPort, walletPort } = settings;
  const { gatewayHost, operationsHost, fanoutHost, walletHost } = settings;
  const listener = (of: Listener['of'], prefix: string, host: string, port: number): Listener => ({
    of,
    variables: { host: `POTSTREAM_${prefix}HOST`, port: `POTSTREAM_${prefix}PORT` },
    host,
    port,
  });
  return [
    listener('gateway', '', gatewayHost, gatewayPort),
    listener('operations', 'OPERATIONS_', operationsHost, operationsPort),
    listener('fanout', 'FANOUT_', fanoutHost, fanoutPort),
    listener('wallet', 'WALLET_', walletHost, walletPort),
  ];
}

type WantedPorts = Pick<Settings, `${'gateway' | 'operations' | 'fanout' | 'wallet'}${'Host' | 'Port'}`>;
