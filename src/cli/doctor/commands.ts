import type { Command } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { exitCodes, terminal } from '../terminal/output.ts';

/** `potstream doctor`. */
export function addDoctorCommand(potstream: Command): void {
  potstream
    .command('doctor')
    .description(
      'check this machine, its clock and ports, nats-server, the lanes, the log and the keys; exit code 1 if there is a problem',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { examine } = await import('./examine.ts');
      const findings = await examine(systemSettings(), terminal.print);
      const lines = findings.map(
        ({ check, ok, detail }) => `${ok ? 'ok     ' : 'PROBLEM'}  ${check}: ${detail}`,
      );
      terminal.write(`${json === true ? JSON.stringify(findings, null, 2) : lines.join('\n')}\n`);
      process.exit(findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.failed);
    });
}
