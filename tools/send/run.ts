import { resolve } from 'node:path';
import { createPotstream, type Potstream } from '../../sdk/src/index.ts';
import type { Settings } from '../../src/config/settings.ts';
import type { LoginChoices } from '../gateway-client/client.ts';
import { CredentialsError, serviceCredentials } from '../gateway-client/credentials.ts';
import { InputError, identityOf } from '../input/records.ts';
import { keyPrefixOf } from './contributions.ts';
import { type Journal, lockJournal, readJournal } from './journal.ts';
import type { ProgressStream } from './progress-line.ts';
import { type Report, reportOf, reportText } from './report.ts';
import { type Run, sendFile } from './send-file.ts';

export const sendExitCodes = { done: 0, failed: 1, usage: 2, refusals: 3, interrupted: 130 } as const;

export interface SendChoices extends LoginChoices {
  readonly format?: 'csv' | 'ndjson';
  readonly key?: string;
  readonly batch: string;
  readonly results?: string;
  readonly journal?: string;
  readonly streams: number;
  readonly window: number;
  readonly rate?: number;
  readonly patience: number;
  readonly late?: boolean;
  readonly json?: boolean;
}

export interface SendOutput {
  readonly write: (text: string) => void;
  readonly print: (line: string) => void;
  readonly progress: ProgressStream;
}

/** Keys are remembered for 24 hours. */
const maxAgeMs = 23 * 3_600_000;
const maxAttempts = 10_000;
const saveEveryMs = 1_000;

/** `potstream send`; returns the exit code. */
export async function sendCommand(
  settings: Settings,
  file: string,
  choices: SendChoices,
  { write, print, progress }: SendOutput,
): Promise<number> {
  try {
    const run = await prepare(file, choices);
    const lock = lockJournal(run.journalPath);
    try {
      const before = await readJournal(run.journalPath);
      if (before !== null) requireSame(run, before, choices.late === true);
      if (before?.isDone === true) {
        print(`${file} is sent already; remove ${run.journalPath} to send it again.`);
        return finish(reportOf(file, true, before.tally), null, choices.json === true, write);
      }
      const potstream = await logIn(settings, choices);
      const { tally, isDone, isInterrupted, error } = await sendFile(run, before, potstream, progress);
      if (error !== null) print(`Not finished: ${error}`);
      const code = isInterrupted ? sendExitCodes.interrupted : sendExitCodes.failed;
      return finish(reportOf(file, isDone, tally), isDone ? null : code, choices.json === true, write);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!(error instanceof InputError || error instanceof CredentialsError)) throw error;
    print(error.message);
    return sendExitCodes.usage;
  }
}

async function prepare(file: string, choices: SendChoices): Promise<Run> {
  const { batch, key = null, results, streams, window, rate = null, patience } = choices;
  const path = resolve(file);
  const format = choices.format ?? (file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson');
  const identity = await identityOf(path);
  return {
    input: { path, format, key, keyPrefix: keyPrefixOf(identity.sha256, batch) },
    identity,
    batch,
    journalPath: choices.journal === undefined ? `${path}.sending` : resolve(choices.journal),
    resultsPath: results === undefined ? null : resolve(results),
    streams,
    window,
    rate,
    patienceMs: patience * 1000,
    saveEveryMs,
  };
}

async function logIn(settings: Settings, choices: SendChoices): Promise<Potstream> {
  const { url, username, password } = await serviceCredentials(
    settings.dataDirectory,
    settings.serviceClient,
    choices,
  );
  const maxElapsedMs = choices.patience * 1000;
  const retry = { maxAttempts, maxElapsedMs };
  return createPotstream({ baseUrl: url.href, credentials: { username, password }, retry });
}

/** Lines that were under way get the same keys only from the same file and choices. @throws InputError */
function requireSame(
  { input, identity, batch, journalPath, resultsPath }: Run,
  before: Journal,
  late: boolean,
): void {
  const differences = [
    before.sha256 !== identity.sha256 ? 'the content of the file' : null,
    before.batch !== batch ? '--batch' : null,
    before.key !== input.key ? '--key' : null,
    before.format !== input.format ? '--format' : null,
    (before.results?.path ?? null) !== resultsPath ? '--results' : null,
  ].filter((each) => each !== null);
  if (differences.length > 0)
    throw new InputError(
      `${journalPath} was begun with another value of: ${differences.join(', ')}. Go on with that, or remove the journal.`,
    );
  const isLate = Date.now() - before.writtenMs > maxAgeMs;
  const isCertain = before.isDone || (before.isOrderly && before.open.length === 0);
  if (isLate && !isCertain && !late)
    throw new InputError(
      'It was interrupted more than 23 hours ago. Potstream forgets keys after 24 hours, so lines that were under way could ' +
        'count twice. --late goes on all the same.',
    );
}

function finish(report: Report, code: number | null, json: boolean, write: (text: string) => void): number {
  write(json ? `${JSON.stringify(report)}\n` : reportText(report));
  if (code !== null) return code;
  return Object.keys(report.refused).length > 0 ? sendExitCodes.refusals : sendExitCodes.done;
}
