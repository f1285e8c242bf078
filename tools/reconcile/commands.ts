import { type Command, InvalidArgumentError } from 'commander';
import { systemSettings } from '../../src/cli/system/settings.ts';
import { asInteger } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import type { ReconcileChoices } from './run.ts';

/** `potstream reconcile`: the ledger of the lanes against the statements of a brand's wallet. */
export function addReconcileCommand(potstream: Command): void {
  potstream
    .command('reconcile')
    .description("compare the lanes' debits and credits of a brand with the statements of its wallet")
    .requiredOption('--brand <path>', 'the brand, operator:brand', asBrand)
    .requiredOption('--from <time>', 'begin of the period, ISO 8601', asTime)
    .requiredOption('--to <time>', 'end of the period, ISO 8601; not included', asTime)
    .option('--file <path>', 'statements as CSV or NDJSON (default: GET /statements of the wallet)')
    .option('--look-back <hours>', 'read the log from so long before the period', asInteger(0, 99_999), 48)
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      '\nExit codes: 0 no difference, 1 differences or something cannot be read, 2 wrong usage.',
    )
    .action(async (choices: ReconcileChoices) => {
      const { reconcileCommand } = await import('./run.ts');
      process.exit(await reconcileCommand(systemSettings(), choices, terminal));
    });
}

function asBrand(text: string): string {
  if (!/^[^:\s]+:[^:\s]+$/.test(text)) throw new InvalidArgumentError('operator:brand');
  return text;
}

function asTime(text: string): number {
  const timeMs = /^[0-9]{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  if (!(timeMs >= 0)) throw new InvalidArgumentError('a time such as 2030-01-01T00:00:00Z');
  return timeMs;
}
