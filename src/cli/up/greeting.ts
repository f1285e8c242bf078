import type { Addresses } from '../system/credentials-file.ts';

/** The text on the terminal once everything runs. */
export function greeting(
  addresses: Addresses,
  details: {
    readonly credentialsPath: string;
    readonly logsDirectory: string;
    readonly demo: boolean;
    readonly console: boolean;
    readonly gateways: number;
  },
): string {
  const demoLine = details.demo
    ? `  Pots that tick          ${addresses.baseUrl}/`
    : '  No demo                 nothing is configured yet; log in as the administrator';
  return [
    '',
    'Potstream runs.',
    ...(details.console ? [`  Console                 ${addresses.baseUrl}/console/`] : []),
    demoLine,
    `  Interface               ${addresses.baseUrl}  (GET /readyz)`,
    `  Probes and metrics      ${addresses.operationsUrl}/metrics`,
    ...(details.gateways > 1
      ? [`  Gateways                ${details.gateways}; "potstream doctor" lists the probes of each process`]
      : []),
    `  Credentials             ${details.credentialsPath}`,
    `  Logs                    ${details.logsDirectory}`,
    '  Ctrl-C drains and stops. The next start continues where this one ended.',
    '',
  ].join('\n');
}
