import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SimulationChoices } from '../../src/simulation/choices.ts';
import { simulate } from '../../src/simulation/simulate.ts';
import { ProgressBar, type ProgressStream } from './progress-bar.ts';
import { reportCsv } from './report/csv.ts';
import { reportPage } from './report/page.ts';
import { reportTable } from './report/table.ts';
import { readTemplate, TemplateError } from './template-file.ts';

export interface SimulateFiles {
  /** `-`: on stdout, instead of the table. */
  readonly json: string | null;
  readonly csv: string | null;
  readonly html: string | null;
}

export interface SimulateOutput {
  readonly write: (text: string) => void;
  readonly print: (line: string) => void;
  readonly progress: ProgressStream;
}

export const simulateExitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** `potstream simulate`: the report goes to stdout and to the files that are named; returns the exit code. */
export function simulateCommand(
  path: string,
  choices: SimulationChoices,
  files: SimulateFiles,
  output: SimulateOutput,
): number {
  try {
    const template = readTemplate(path);
    if (
      choices.currency !== null &&
      choices.currency !== template.configuration.currency &&
      choices.rate === null
    )
      throw new TemplateError(
        `--currency ${choices.currency} needs --rate: units of it for one ${template.configuration.currency}`,
      );
    const bar = new ProgressBar(choices.contributions, output.progress);
    const report = simulate(template, choices, (done) => bar.at(done));
    bar.end(report.accepted);
    const json = `${JSON.stringify(report, null, 2)}\n`;
    output.write(files.json === '-' ? json : reportTable(report));
    write(files.json === '-' ? null : files.json, json);
    write(files.csv, reportCsv(report));
    write(files.html, reportPage(report));
    return simulateExitCodes.done;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    output.print(error.message);
    return simulateExitCodes.usage;
  }
}

function write(path: string | null, text: string): void {
  if (path === null) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
