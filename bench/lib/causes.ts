import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cause } from './host-watch.ts';
import type { Excursion } from './latency-timeline.ts';
import type { ProcessStop } from './process-watch.ts';

/** A cause may end a little before the answers that it held back come. */
const slackMs = 5;

/** An excursion and everything that happened from when its first request was due to its last answer. */
export interface ExplainedExcursion {
  readonly excursion: Excursion;
  readonly causes: readonly Cause[];
}

/** Lines each excursion up with the causes of its time. */
export function explain(
  excursions: readonly Excursion[],
  causes: readonly Cause[],
): readonly ExplainedExcursion[] {
  return excursions.map((excursion) => ({
    excursion,
    causes: causes.filter(
      ({ fromMs, durationMs }) => fromMs < excursion.toMs && fromMs + durationMs > excursion.fromMs - slackMs,
    ),
  }));
}

/**
 * In how many excursions a cause was there, and in what share of the time: one that is always there explains
 * nothing.
 */
export interface CauseShare {
  readonly name: string;
  readonly excursions: number;
  readonly ofTime: number;
  readonly maxMs: number;
}

/** The causes of excursions in a stretch of `overMs`, those with the most excursions first. */
export function sharesOf(
  explained: readonly ExplainedExcursion[],
  causes: readonly Cause[],
  overMs: number,
): readonly CauseShare[] {
  const names = [...new Set(causes.map(nameOf))];
  const shares = names.map((name) => {
    const named = causes.filter((cause) => nameOf(cause) === name);
    return {
      name,
      excursions: explained.filter((each) => each.causes.some((cause) => nameOf(cause) === name)).length,
      ofTime: named.reduce((sum, { durationMs }) => sum + durationMs, 0) / overMs,
      maxMs: Math.max(...named.map(({ durationMs }) => durationMs)),
    };
  });
  return shares.sort((a, b) => b.excursions - a.excursions);
}

/** The process or part, and what it did. */
export function nameOf({ kind, of }: Cause): string {
  return of === '' ? kind : `${kind} ${of}`;
}

/** What `process-watch.ts` wrote below `directory`, by the names of the processes. */
export function readStops(directory: string, names: ReadonlyMap<number, string>): readonly Cause[] {
  return readdirSync(directory).flatMap((file) => {
    const name = names.get(Number.parseInt(file, 10));
    if (name === undefined) return [];
    const lines = readFileSync(join(directory, file), 'utf8').split('\n');
    return lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ProcessStop)
      .map(({ kind, detail, fromMs, durationMs }) => ({
        kind,
        of: detail === '' ? name : `${name} ${detail}`,
        fromMs,
        durationMs,
      }));
  });
}

/**
 * The publishing of epochs, as the actors' log says it: from the end of the one before, or for `atMostMs`.
 */
export function readEpochs(logFile: string, atMostMs: number): readonly Cause[] {
  const published: Cause[] = [];
  for (const line of readFileSync(logFile, 'utf8').split('\n')) {
    if (!line.includes('is published.')) continue;
    const toMs = Date.parse((JSON.parse(line) as { readonly time: string }).time);
    const before = published.at(-1);
    const fromMs = Math.max(toMs - atMostMs, before === undefined ? 0 : before.fromMs + before.durationMs);
    published.push({ kind: 'epoch', of: 'published', fromMs, durationMs: toMs - fromMs });
  }
  return published;
}
