import type { Command } from 'commander';

/** The options of a command that logs in as an administrator (`AdministratorChoices`). */
export function addAdministratorOptions(command: Command): Command {
  return command
    .option('--url <address>', 'the gateway (default: POTSTREAM_ADMIN_URL)')
    .option('--username <name>', 'the administrator (default: POTSTREAM_ADMIN_USERNAME)')
    .option(
      '--password-file <path>',
      'file (mode 0600) with the password (default: POTSTREAM_ADMIN_PASSWORD, or a prompt)',
    );
}
