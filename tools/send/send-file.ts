import { type Potstream, PotstreamError, StreamError } from '../../sdk/src/index.ts';
import { firstPlace, type RecordPlace } from '../../src/lib/csv/record-cutter.ts';
import { InputError } from '../input/records.ts';
import { Checkpoints } from './checkpoints.ts';
import { type InputChoices, readContributions } from './contributions.ts';
import type { Journal } from './journal.ts';
import { ProgressLine, type ProgressStream } from './progress-line.ts';
import { ResultsFile } from './results-file.ts';
import { type Progress, Sender } from './sender.ts';
import { type StoredTally, Tally } from './tally.ts';

/** What is sent, and how. */
export interface Run {
  readonly input: InputChoices;
  readonly identity: { readonly sha256: string; readonly bytes: number };
  readonly batch: string;
  readonly journalPath: string;
  readonly resultsPath: string | null;
  readonly streams: number;
  readonly window: number;
  readonly rate: number | null;
  readonly patienceMs: number;
  /** How often results and journal are stored. */
  readonly saveEveryMs: number;
}

export interface Outcome {
  readonly tally: StoredTally;
  readonly isDone: boolean;
  readonly isInterrupted: boolean;
  readonly error: string | null;
}

/** After an interruption, results that are under way are waited for so long. */
const drainMs = 10_000;

/** Sends what the journal says is left. */
export async function sendFile(
  run: Run,
  before: Journal | null,
  potstream: Potstream,
  stream: ProgressStream,
): Promise<Outcome> {
  const { input, identity, resultsPath } = run;
  const from: Progress = { next: before?.next ?? firstPlace, open: before?.open ?? [] };
  const tally = new Tally(before?.tally ?? null);
  const results = await openResults(resultsPath, before);
  const clock = stopwatch(tally);
  const lines = readContributions(input, begin(from));
  const write = (text: string) => checkpoints.write(text);
  const sender = new Sender({ lines, from, tally, rate: run.rate, write });
  const { sha256, bytes } = identity;
  const head = { version: 1, sha256, bytes, batch: run.batch, key: input.key, format: input.format } as const;
  const checkpoints = new Checkpoints(run.journalPath, { ...head, resultsPath }, results, () => {
    clock();
    return { progress: sender.progress, tally: tally.stored() };
  });
  // A journal is there before anything has an effect.
  await checkpoints.save();
  const progress = new ProgressLine(stream, () => ({
    bytes: sender.progress.next.offset,
    totalBytes: bytes,
    answered: tally.answered,
    refused: tally.refused,
  }));
  const ending = new AbortController();
  const interruption = onInterruption(
    () => sender.stop(),
    ending,
    (text) => progress.say(text),
  );
  const saver = saveRegularly(checkpoints, run.saveEveryMs, ending);
  const error = await sendAll(run, sender, potstream, ending, (text) => progress.say(text));
  clearInterval(saver);
  interruption.forget();
  progress.end();
  await lines.return(undefined);
  const { isDone } = sender;
  const isInterrupted = interruption.happened();
  clock();
  const outcome = { tally: tally.stored(), isDone, isInterrupted, error: isDone ? null : reasonOf(error) };
  try {
    await checkpoints.finish(isDone);
  } catch (fault) {
    return { ...outcome, isDone: false, error: reasonOf(fault) };
  } finally {
    await results?.close();
  }
  if (error instanceof InputError) throw error;
  return outcome;
}

function openResults(path: string | null, before: Journal | null): Promise<ResultsFile> | null {
  if (path === null) return null;
  return before === null ? ResultsFile.create(path) : ResultsFile.reopen(path, before.results?.bytes ?? 0);
}

/** The first record that has no result. */
function begin({ next, open }: Progress): RecordPlace {
  return open.reduce<RecordPlace>(
    (first, [line, offset]) => (offset < first.offset ? { line, offset } : first),
    next,
  );
}

/** Adds the time since the last call. */
function stopwatch(tally: Tally): () => void {
  let lastMs = performance.now();
  return () => {
    const nowMs = performance.now();
    tally.elapsedMs += nowMs - lastMs;
    lastMs = nowMs;
  };
}

/** All streams; the first one that fails ends the others. Returns why. */
async function sendAll(
  { streams, window, patienceMs }: Run,
  sender: Sender,
  potstream: Potstream,
  ending: AbortController,
  say: (text: string) => void,
): Promise<unknown> {
  let lastCode = '';
  const onInterrupted = ({ code, message }: PotstreamError) => {
    if (code !== lastCode)
      say(`The connection was interrupted, and another one follows: ${code}: ${message}`);
    lastCode = code;
  };
  const limits = { maxContributions: window, patienceMs };
  const options = { limits, signal: ending.signal, onInterrupted };
  const failures: unknown[] = [];
  const one = async () => {
    try {
      await sender.run((items) => potstream.streamContributions(items, options));
    } catch (error) {
      failures.push(error);
      ending.abort(error);
    }
  };
  await Promise.all(Array.from({ length: streams }, one));
  return failures[0] ?? null;
}

/** A step that cannot be stored ends the run: results may not pile up in memory. */
function saveRegularly(
  checkpoints: Checkpoints,
  saveEveryMs: number,
  ending: AbortController,
): NodeJS.Timeout {
  return setInterval(() => {
    checkpoints.save().catch((error: unknown) => ending.abort(error));
  }, saveEveryMs);
}

function onInterruption(
  stop: () => void,
  ending: AbortController,
  say: (text: string) => void,
): { happened(): boolean; forget(): void } {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  let timer: NodeJS.Timeout | null = null;
  const interrupt = () => {
    // A second time does not wait for results.
    if (timer !== null) ending.abort(new Error('interrupted'));
    timer ??= setTimeout(() => ending.abort(new Error('interrupted')), drainMs);
    say('Interrupted: waiting for the results under way.');
    stop();
  };
  for (const signal of signals) process.on(signal, interrupt);
  return {
    happened: () => timer !== null,
    forget() {
      for (const signal of signals) process.off(signal, interrupt);
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** What a person reads of why it ended; null: it did not end early. */
function reasonOf(error: unknown): string | null {
  if (error === null) return null;
  if (error instanceof StreamError && error.code === 'aborted') return reasonOf(error.cause);
  if (error instanceof PotstreamError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
