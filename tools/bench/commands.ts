import type { Command } from 'commander';
import { asPositive } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';

export interface BenchFlags {
  readonly seconds?: number;
  readonly json?: boolean;
}

/** `potstream bench`: as `npm run bench`. */
export function addBenchCommand(potstream: Command): void {
  potstream
    .command('bench')
    .description('measure rows of the speed table, each beside a yardstick of the same run')
    .argument('[names...]', 'rows, such as engine or o8 (default: all that do not take half an hour)')
    .option('--seconds <number>', 'how long each stretch of a long row lasts', asPositive)
    .option('--json', 'print JSON lines, one a row')
    .addHelpText('after', '\nExit codes: 0 measured, 1 failed, 2 wrong usage.')
    .action(async (names: string[], { seconds, json }: BenchFlags) => {
      const asked = [
        ...names,
        ...(seconds === undefined ? [] : ['--seconds', String(seconds)]),
        ...(json ? ['--json'] : []),
      ];
      const { runBench } = await import('./run.ts');
      process.exit(await runBench(packageRoot, asked, terminal.print));
    });
}
