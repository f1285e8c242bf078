/**
 * Loaded into each Node process of a system that is measured (`--import` with `?directory=…`): writes garbage
 * collections and stops of the event loop as lines of JSON into `<directory>/<pid>.jsonl`.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What stopped a process, and when. Milliseconds, `fromMs` of the Unix epoch. */
export interface ProcessStop {
  readonly kind: 'gc' | 'loop';
  readonly detail: string;
  readonly fromMs: number;
  readonly durationMs: number;
}

/** What the types of Node leave out. */
interface CollectionEntry extends PerformanceEntry {
  readonly detail?: { readonly kind?: number };
}

const tickMs = 10;
const minGcMs = 2;
const minStopMs = 8;
const flushEveryMs = 1_000;
const maxWaiting = 10_000;

/** The option of Node that loads this file, writing below `directory`. */
export function watchOption(directory: string): string {
  const url = pathToFileURL(fileURLToPath(import.meta.url));
  url.searchParams.set('directory', directory);
  return `--import=${url.href}`;
}

const directory = new URL(import.meta.url).searchParams.get('directory');
if (directory !== null) watch(join(directory, `${process.pid}.jsonl`));

function watch(file: string): void {
  const stops: ProcessStop[] = [];
  const note = (stop: ProcessStop): void => {
    if (stops.length < maxWaiting) stops.push(stop);
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as readonly CollectionEntry[]) {
      const { startTime, duration } = entry;
      if (duration < minGcMs) continue;
      const kind = entry.detail?.kind;
      note({
        kind: 'gc',
        detail: nameOf(kind),
        fromMs: performance.timeOrigin + startTime,
        durationMs: duration,
      });
    }
  }).observe({ entryTypes: ['gc'] });
  let expected = performance.now() + tickMs;
  setInterval(() => {
    const now = performance.now();
    const lateMs = now - expected;
    if (lateMs >= minStopMs)
      note({ kind: 'loop', detail: '', fromMs: performance.timeOrigin + expected, durationMs: lateMs });
    expected = now + tickMs;
  }, tickMs).unref();
  const write = (): void => {
    const lines = stops.splice(0).map((stop) => `${JSON.stringify(stop)}\n`);
    if (lines.length > 0) appendFileSync(file, lines.join(''));
  };
  setInterval(write, flushEveryMs).unref();
  process.once('exit', write);
}

function nameOf(kind: number | undefined): string {
  if (kind === constants.NODE_PERFORMANCE_GC_MINOR) return 'minor';
  if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) return 'major';
  if (kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL) return 'incremental';
  return 'weak callbacks';
}
