import type { Settings } from '../../config.ts';
import { portFault } from '../../supervisor/free-port.ts';
import { namedPorts } from '../up/ports.ts';
import { upRuns } from './reach.ts';

/** Checks the ports that the settings name. `up` chooses all others among free ones. */
export async function examinePorts(settings: Settings): Promise<string> {
  const { gatewayHost } = settings;
  // Whether the address is this machine's at all: then other ports of it would not help either.
  const hostFault = await portFault(0, gatewayHost);
  if (hostFault !== null) throw new Error(`POTSTREAM_HOST: every port of ${gatewayHost} ${hostFault}.`);
  const findings: string[] = [];
  for (const { variable, port, host } of namedPorts(settings)) {
    const fault = await portFault(port, host);
    if (fault === null) findings.push(`${host}:${port} is free`);
    else if (upRuns(settings)) findings.push(`${port} ${fault}, and the system runs`);
    else findings.push(`${port} ${fault}; "potstream up" would use another (${variable})`);
  }
  return findings.length === 0 ? 'any free ports' : findings.join(', ');
}
