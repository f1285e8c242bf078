import { connect } from 'node:net';
import { ConfigurationError } from '../../config/composed.ts';
import type { Settings } from '../../config/settings.ts';
import { addressToReach } from '../../lib/loopback.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { readRunRecord } from '../../runtime/run-record.ts';
import { portFault } from '../../supervisor/free-port.ts';
import { upRuns } from '../system/settings.ts';
import { configuredListeners, type Listener } from '../up/ports.ts';

const connectWithinMs = 5_000;

/** Checks the ports of the system that runs, else those that the settings name. */
export async function examinePorts(settings: Settings): Promise<string> {
  // Whether the addresses are this machine's at all: then other ports of them would not help either.
  for (const { variables, host } of configuredListeners(settings)) {
    const fault = await portFault(0, host);
    if (fault !== null) throw new ConfigurationError(`${variables.host}: every port of ${host} ${fault}.`);
  }
  if (upRuns(settings)) return examineListeners(settings);
  const findings: string[] = [];
  for (const { variables, port, host } of namedPorts(settings)) {
    const fault = await portFault(port, host);
    if (fault === null) findings.push(`${host}:${port} is free`);
    else findings.push(`${port} ${fault}; "potstream up" would use another (${variables.port})`);
  }
  return findings.length === 0 ? 'any free ports' : findings.join(', ');
}

/** @throws Error naming the process that does not listen */
async function examineListeners(settings: Settings): Promise<string> {
  const children = readRunRecord(dataPaths(settings.dataDirectory).run)?.children ?? [];
  const runs = ({ of }: Listener): boolean =>
    of === 'operations' || children.some(({ name }) => name === (of === 'wallet' ? 'reference-wallet' : of));
  const findings: string[] = [];
  for (const listener of namedPorts(settings).filter(runs)) {
    const { of, host, port } = listener;
    if (!(await listens(addressToReach(host), port)))
      throw new Error(
        `Nothing takes connections at ${host}:${port}, the port of ${of} in the system that runs.`,
      );
    findings.push(`${of} listens at ${host}:${port}`);
  }
  return findings.join(', ');
}

function namedPorts(settings: Settings): Listener[] {
  return configuredListeners(settings).filter(({ port }) => port !== 0);
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectWithinMs });
    const end = (found: boolean) => () => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}
