import { join } from 'node:path';
import { freePortNear } from '../../supervisor/free-port.ts';
import { readJsonFile, writeJsonFile } from '../../supervisor/json-file.ts';
import { StartError } from '../../supervisor/start-error.ts';

/** Every port of one machine's system. They stay the same over restarts, of a child and of the whole. */
export type Ports = {
  readonly gateway: number;
  readonly operations: number;
  readonly fanout: number;
  readonly wallet: number;
  readonly nats: number;
  readonly natsMonitor: number;
};

/** Chooses the ports: the gateway's as wished, the others as the last time; where one is taken, another. */
export async function choosePorts(runDirectory: string, wanted: WantedPorts): Promise<Ports> {
  const last = (readJsonFile(join(runDirectory, 'ports.json')) ?? {}) as Partial<Ports>;
  const taken: number[] = [];
  const choose = async (wish: number, host = '127.0.0.1'): Promise<number> => {
    const port = await freePortNear(wish, host, taken);
    taken.push(port);
    return port;
  };
  try {
    const gateway = await choose(wanted.gateway, wanted.gatewayHost);
    const operations = await choose(wanted.operations || (last.operations ?? gateway + 1));
    const fanout = await choose(wanted.fanout || (last.fanout ?? 0));
    const wallet = await choose(wanted.wallet || (last.wallet ?? 0));
    const nats = await choose(last.nats ?? 0);
    const natsMonitor = await choose(last.natsMonitor ?? 0);
    const ports = { gateway, operations, fanout, wallet, nats, natsMonitor };
    writeJsonFile(join(runDirectory, 'ports.json'), ports);
    return ports;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      'port_unavailable',
      `No port to listen on: ${reason} Look at POTSTREAM_HOST and POTSTREAM_PORT.`,
    );
  }
}

export type WantedPorts = {
  readonly gatewayHost: string;
  readonly gateway: number;
  readonly operations: number;
  readonly fanout: number;
  readonly wallet: number;
};
