import { Argument, type Command } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { terminal } from '../terminal/output.ts';
import type { Restartable } from '../up/rolling-restart.ts';

/** `potstream restart`. */
export function addRestartCommand(potstream: Command): void {
  potstream
    .command('restart')
    .description(
      'restart the gateways or fan-outs of the "up" that runs on the data, one after the other: no request fails, and no event of a feed is missed',
    )
    .addArgument(new Argument('<what>', 'what restarts').choices(['gateways', 'fanouts']))
    .action(async (what: Restartable) => {
      const { followRestart } = await import('./in-turn.ts');
      process.exit(await followRestart(systemSettings(), what, terminal.print));
    });
}
