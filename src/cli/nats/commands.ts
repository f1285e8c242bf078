import type { Command } from 'commander';

/** `potstream nats`: what a nats-server of one's own needs of the roles. */
export function addNatsCommands(potstream: Command, asLanes: (text: string) => number): void {
  const nats = potstream.command('nats').description('prepares the users of a nats-server of your own');
  nats
    .command('keys')
    .description(
      'makes an nkey for each role that has none yet, and prints what deploy/nats.conf needs of them',
    )
    .argument('<directory>', 'where the seeds are; each role gets its own file and no other')
    .action(async (directory: string) => {
      const { makeRoleKeys } = await import('./keys.ts');
      process.stdout.write(`${makeRoleKeys(directory).join('\n')}\n`);
    });
  nats
    .command('roles')
    .description(
      'prints what each role may do at nats-server: nats-roles.conf, which deploy/nats.conf includes',
    )
    .option('--lanes <number>', 'of the system', asLanes)
    .action(async (options: { lanes?: number }) => {
      const { productionLanes, renderRoles } = await import('../../supervisor/nats-server/users.ts');
      process.stdout.write(renderRoles(options.lanes ?? productionLanes));
    });
}
