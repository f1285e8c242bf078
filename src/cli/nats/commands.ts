import type { Command } from 'commander';

/** `potstream nats`: keys and permissions of the roles for a production nats-server. */
export function addNatsCommands(potstream: Command, asLanes: (text: string) => number): void {
  const nats = potstream.command('nats').description('prepare the users of your own nats-server');
  nats
    .command('keys')
    .description(
      'make an nkey for each role without one, and print the public keys for deploy/nats/nats.conf',
    )
    .argument('<directory>', 'directory for the seeds, one file for each role; give a process only its own')
    .action(async (directory: string) => {
      const { makeRoleKeys } = await import('./keys.ts');
      process.stdout.write(`${makeRoleKeys(directory).join('\n')}\n`);
    });
  nats
    .command('roles')
    .description('print the permissions of each role: nats-roles.conf, which deploy/nats/nats.conf includes')
    .option('--lanes <number>', 'lanes of the system', asLanes)
    .action(async (options: { lanes?: number }) => {
      const { productionLanes, renderRoles } = await import('../../supervisor/nats-server/users.ts');
      process.stdout.write(renderRoles(options.lanes ?? productionLanes));
    });
}
