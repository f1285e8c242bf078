import { type Command, InvalidArgumentError } from 'commander';
import { systemSettings } from '../../src/cli/system/settings.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { subscribableFeedEvents } from '../../src/contracts/directory/webhook.ts';
import { isLoopbackAddress } from '../../src/lib/loopback.ts';
import type { ListenChoices } from './run.ts';

/** `potstream listen`: events on a developer's machine, which no service can reach. */
export function addListenCommand(potstream: Command): void {
  potstream
    .command('listen')
    .description('forward the events of an operator to a program on this machine, signed as webhooks are')
    .requiredOption('--forward-to <address>', 'such as http://127.0.0.1:3000/hook', asLoopback)
    .option('--events <types>', 'only these, separated by commas', asEventTypes, [...subscribableFeedEvents])
    .option('--secret-file <path>', 'file (mode 0600) with the secret that signs (default: a new one)')
    .option('--url <address>', 'the gateway (default: POTSTREAM_SERVICE_URL)')
    .option('--username <name>', 'the service user (default: POTSTREAM_SERVICE_USERNAME)')
    .option(
      '--password-file <path>',
      'file (mode 0600) with the password (default: POTSTREAM_SERVICE_PASSWORD, or a prompt)',
    )
    .addHelpText('after', helpText)
    .action(async (choices: ListenChoices) => {
      const { listenCommand } = await import('./run.ts');
      process.exit(await listenCommand(systemSettings(), choices, terminal));
    });
}

const helpText = `
Events come from the feed of services, in the order of each jackpot. After an interruption of up to two minutes wins, raffle
wins and statuses are made up for; other events of that time are not.

Exit codes: 0 interrupted, 1 the feed refuses this user, 2 wrong usage.`;

function asLoopback(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (url === null || !/^https?:$/.test(url.protocol) || !isLoopbackAddress(host))
    throw new InvalidArgumentError('an address of this machine, such as http://127.0.0.1:3000/hook');
  return url;
}

function asEventTypes(text: string): readonly string[] {
  const types = text.split(',').map((type) => type.trim());
  if (!types.every((type) => (subscribableFeedEvents as readonly string[]).includes(type)))
    throw new InvalidArgumentError(`some of ${subscribableFeedEvents.join(', ')}`);
  return types;
}
