import type { Settings } from '../../config.ts';
import { portFault } from '../../supervisor/free-port.ts';
import { namedHosts, namedPorts } from '../up/ports.ts';
import { upRuns } from './reach.ts';

/** Checks the ports that the settings name. `up` chooses all others among free ones. */
export async function examinePorts(settings: Settings): Promise<string> {
  // Whether the addresses are this machine's at all: then other ports of them would not help either.
  for (const { variable, host } of namedHosts(settings)) {
    const fault = await portFault(0, host);
    if (fault !== null) throw new Error(`${variable}: every port of ${host} ${fault}.`);
  }
  const findings: string[] = [];
  for (const { variable, port, host } of namedPorts(settings)) {
    const fault = await portFault(port, host);
    if (fault === null) findings.push(`${host}:${port} is free`);
    else if (upRuns(settings)) findings.push(`${port} ${fault}, and the system runs`);
    else findings.push(`${port} ${fault}; "potstream up" would use another (${variable})`);
  }
  return findings.length === 0 ? 'any free ports' : findings.join(', ');
}
