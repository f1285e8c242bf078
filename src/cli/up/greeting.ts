import type { Addresses } from './credentials.ts';

/** The text on the terminal once everything runs. */
export function greeting(
  addresses: Addresses,
  details: { readonly credentialsPath: string; readonly logsDirectory: string; readonly demo: boolean },
): string {
  const demoLine = details.demo
    ? `  Pots that tick          ${addresses.baseUrl}/`
    : '  No demo                 nothing is configured yet; log in as the administrator';
  return [
    '',
    'Potstream runs.',
    demoLine,
    `  Interface               ${addresses.baseUrl}  (GET /readyz)`,
    `  Probes and metrics      ${addresses.operationsUrl}/metrics`,
    `  Credentials             ${details.credentialsPath}`,
    `  Logs                    ${details.logsDirectory}`,
    '  Ctrl-C drains and stops. The next start continues where this one ended.',
    '',
  ].join('\n');
}
