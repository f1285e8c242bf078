import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCollector, type TestCollector } from './collector.ts';
import { PayingOperator } from './paying-operator.ts';
import { RunningBooks } from './running-books.ts';
import { type RunningSystem, startSystem } from './system.ts';

/** Tests that run one after another in this process share it: a start costs what many of them cost. */
let present: Promise<[RunningSystem, TestCollector, RunningBooks]> | null = null;
let inPostgres = false;
let paying: Promise<PayingOperator> | null = null;

/** Before it starts: its books are in PostgreSQL. Without this they are files of its own. */
export function keepBooksInPostgres(): void {
  inPostgres = true;
}

export async function booksOfOneSystem(): Promise<RunningBooks> {
  return (await start())[2];
}

/** Starts it, or gives the one that runs. */
export async function oneSystem(): Promise<RunningSystem> {
  return (await start())[0];
}

/** What takes its traces: of requests that ask for one. */
export async function collectorOfOneSystem(): Promise<TestCollector> {
  return (await start())[1];
}

/** Opened by the first test that needs it: its names are the same everywhere. */
export function payingOperatorOfOneSystem(): Promise<PayingOperator> {
  paying ??= oneSystem().then((system) => PayingOperator.open(system));
  return paying;
}

export async function stopOneSystem(): Promise<void> {
  const [system, collector, books] = (await present) ?? [];
  present = null;
  paying = null;
  await system?.stop();
  await collector?.stop();
  await books?.postgres?.stop();
  if (system !== undefined) await removeData(system.dataDirectory);
}

function start(): Promise<[RunningSystem, TestCollector, RunningBooks]> {
  present ??= startAll();
  return present;
}

async function startAll(): Promise<[RunningSystem, TestCollector, RunningBooks]> {
  const collector = await startCollector();
  // A test that stops the system reads what it has left.
  const dataDirectory = await mkdtemp(join(tmpdir(), 'potstream-system-'));
  let books: RunningBooks | null = null;
  try {
    books = await RunningBooks.in(dataDirectory, { inPostgres });
    const environment = {
      POTSTREAM_LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=key-of-the-collector',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      // A test may pause a process, and nothing but that.
      POTSTREAM_HUNG_AFTER_SECONDS: '120',
      ...books.environment,
    };
    return [await startSystem({ args: ['--no-traffic'], environment, dataDirectory }), collector, books];
  } catch (error) {
    await collector.stop();
    await books?.postgres?.stop();
    await removeData(dataDirectory);
    throw error;
  }
}

function removeData(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
