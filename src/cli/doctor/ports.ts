import type { Settings } from '../../config.ts';
import { portFault } from '../../supervisor/free-port.ts';
import { upRuns } from './reach.ts';

const loopback = '127.0.0.1';

/** Looks at the ports that the settings name; those that `up` chooses by itself are free when it does. */
export async function examinePorts(settings: Settings): Promise<string> {
  const { gatewayHost } = settings;
  // Whether the address is this machine's at all: then other ports of it would not help either.
  const hostFault = await portFault(0, gatewayHost);
  if (hostFault !== null) throw new Error(`POTSTREAM_HOST: every port of ${gatewayHost} ${hostFault}.`);
  const wanted: readonly [variable: string, port: number, host: string][] = [
    ['POTSTREAM_PORT', settings.gatewayPort, gatewayHost],
    ['POTSTREAM_OPERATIONS_PORT', settings.operationsPort, loopback],
    ['POTSTREAM_FANOUT_PORT', settings.fanoutPort, loopback],
    ['POTSTREAM_WALLET_PORT', settings.walletPort, loopback],
  ];
  const said: string[] = [];
  for (const [variable, port, host] of wanted) {
    if (port === 0) continue;
    const fault = await portFault(port, host);
    if (fault === null) said.push(`${host}:${port} is free`);
    else if (upRuns(settings)) said.push(`${port} ${fault}, and the system runs`);
    else said.push(`${port} ${fault}; "potstream up" would use another (${variable})`);
  }
  return said.length === 0 ? 'whichever are free' : said.join(', ');
}
