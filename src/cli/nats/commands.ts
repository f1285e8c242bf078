import type { Command } from 'commander';
import { asPositive } from '../terminal/argument-types.ts';
import { terminal } from '../terminal/output.ts';

/** `potstream nats`: keys and permissions of the roles for a production nats-server. */
export function addNatsCommands(potstream: Command): void {
  const nats = potstream.command('nats').description('prepare the users of your own nats-server');
  nats
    .command('keys')
    .description(
      'make an nkey for each role without one, and print the public keys for deploy/nats/nats.conf',
    )
    .argument('<directory>', 'directory for the seeds, one file for each role; give a process only its own')
    .action(async (directory: string) => {
      const { makeRoleKeys } = await import('./keys.ts');
      terminal.write(`${makeRoleKeys(directory).join('\n')}\n`);
    });
  nats
    .command('roles')
    .description('print the permissions of each role: nats-roles.conf, which deploy/nats/nats.conf includes')
    .option('--lanes <number>', 'lanes of the system (default: POTSTREAM_LANES)', asPositive)
    .action(async ({ lanes }: { lanes?: number }) => {
      const { readSettings } = await import('../../config/settings.ts');
      const { renderRoles } = await import('../../supervisor/nats-server/users.ts');
      terminal.write(renderRoles(lanes ?? readSettings().lanes));
    });
}
