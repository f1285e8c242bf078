import { Argument, type Command } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { terminal } from '../terminal/output.ts';

/** `potstream restart`. */
export function addRestartCommand(potstream: Command): void {
  potstream
    .command('restart')
    .description(
      'restart the gateways of the "up" that runs on the data, one after the other: no request fails',
    )
    .addArgument(new Argument('<what>', 'what restarts').choices(['gateways']))
    .action(async () => {
      const { restartGateways } = await import('./gateways.ts');
      process.exit(await restartGateways(systemSettings(), terminal.print));
    });
}
