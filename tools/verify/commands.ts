import type { Command } from 'commander';
import { asCount, asHash } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';

interface VerifyFlags {
  readonly instance?: string;
  readonly epoch?: number;
  readonly seq?: number;
  readonly commit?: string;
  readonly head?: string;
  readonly json?: boolean;
  readonly tokenFile?: string;
  readonly brand?: string;
}

/** `potstream verify`. */
export function addVerifyCommand(potstream: Command): void {
  potstream
    .command('verify')
    .description('recompute the draws of revealed epochs from their public data')
    .argument('<from>', "a system's base URL, or a file with an epoch or a list of epochs (-: stdin)")
    .option('--instance <id>', 'the instance; required with a URL')
    .option('--epoch <number>', 'one epoch (default: all revealed epochs)', asCount)
    .option('--seq <number>', 'show the draw of this sequence number', asCount)
    .option('--commit <hex>', 'a commitment that you noted; it must be that of the epoch', asHash)
    .option('--head <hex>', 'a head that you noted; it must occur in the epoch', asHash)
    .option('--json', 'print JSON')
    .option('--token-file <file>', 'a token, where the operator asks for one (else POTSTREAM_VERIFY_TOKEN)')
    .option('--brand <operator:brand>', 'the brand of the player whose token it is')
    .addHelpText(
      'after',
      '\nExit codes: 0 verified, 1 a check failed, 2 wrong usage, 3 nothing is revealed yet, 4 the data cannot be read.',
    )
    .action(async (from: string, options: VerifyFlags, command: Command) => {
      const { verifyCommand } = await import('./run.ts');
      if (/^https?:/.test(from) && (!URL.canParse(from) || options.instance === undefined))
        command.error('error: a URL needs --instance <id>');
      const choices = {
        from,
        instance: options.instance ?? null,
        epoch: options.epoch ?? null,
        sequence: options.seq ?? null,
        commit: options.commit ?? null,
        head: options.head ?? null,
        json: options.json === true,
        tokenFile: options.tokenFile ?? null,
        brand: options.brand ?? null,
      };
      process.exitCode = await verifyCommand(choices, terminal);
    });
}
