import type { Command } from 'commander';
import { readSettings } from '../../config/settings.ts';
import { type RunnableRole, runnableRoles } from '../../roles.ts';

const descriptions: Readonly<Record<RunnableRole, string>> = {
  gateway: 'run the HTTP gateway for operators, administrators and players',
  actors: 'run an actor host: it applies the commands of lanes and stores outcomes',
  fanout: 'run the fan-out: it sends feeds over websockets',
  wallet: "run the client of the brands' wallets",
  outbox: 'run the outbox: it delivers callbacks to operators',
  reporting: 'run the reporting role: it writes what happened to the reporting database',
  storage: 'run the storage role: it makes and trims the streams of nats-server',
  'reference-wallet': "run an operator's wallet for the demo and for tests",
  demo: 'create a demo operator and send light traffic',
};

/** `potstream <role>`: one role in this process, until it is stopped. */
export function addRoleCommands(potstream: Command): void {
  for (const role of Object.keys(descriptions) as RunnableRole[])
    potstream
      .command(role)
      .description(descriptions[role])
      .action(async () => {
        const { runRole } = await import('../../runtime/run-role.ts');
        await runRole(role, runnableRoles[role], readSettings());
      });
}
