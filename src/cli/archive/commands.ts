import type { Command } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { asCount } from '../terminal/argument-types.ts';
import { terminal } from '../terminal/output.ts';
import type { ArchiveChoices } from './run.ts';

/** `potstream archive`: the segments to which the beginnings of the lanes' logs were moved. */
export function addArchiveCommands(potstream: Command): void {
  const archive = potstream.command('archive').description('the archived log of the lanes');
  archive
    .command('list')
    .description('print the segments of each lane, the oldest first')
    .option('--lane <number>', 'of this lane only', asCount)
    .option('--json', 'print JSON lines')
    .addHelpText('after', '\nExit codes: 0 done, 1 the archive cannot be read, 2 wrong usage.')
    .action(async (choices: ArchiveChoices) => {
      const { listSegments } = await import('./run.ts');
      process.exit(await listSegments(systemSettings(), choices, terminal));
    });
  archive
    .command('verify')
    .description('read all segments: SHA-256, CRCs, the chain of lane heads, nothing missing between them')
    .option('--lane <number>', 'of this lane only', asCount)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 verified, 1 a fault was found or the archive cannot be read, 2 wrong usage.',
    )
    .action(async (choices: ArchiveChoices) => {
      const { verifySegments } = await import('./run.ts');
      process.exit(await verifySegments(systemSettings(), choices, terminal));
    });
}
