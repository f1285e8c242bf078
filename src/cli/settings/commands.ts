import type { Command } from 'commander';
import { describeSettings } from '../../config/settings.ts';
import { terminal } from '../terminal/output.ts';

/** `potstream settings`. */
export function addSettingsCommand(potstream: Command): void {
  potstream
    .command('settings')
    .description('list the environment variables that commands and roles read, with their defaults')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const settings = describeSettings();
      const lines = settings.map((each) => `${each.name}=${each.default}\n    ${each.meaning}`);
      terminal.write(`${json === true ? JSON.stringify(settings, null, 2) : lines.join('\n')}\n`);
    });
}
