import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Spread } from './statistics.ts';

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: Spread;
  /** What the same run measured beside it; null where the figure stands alone. */
  readonly yardstick: { readonly name: string; readonly value: Spread } | null;
  /** ours / yardstick, round by round. */
  readonly ratio: Spread | null;
  readonly must: string;
  readonly aim: string;
  readonly reached: boolean;
}

/** What the command line asks of rows. */
export interface RowOptions {
  /** How long each stretch of a row that lasts is measured; absent: as the row does by default. */
  readonly seconds?: number | undefined;
}

export interface Row {
  readonly name: string;
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
  /** CPU seconds of each process while it was measured, the load generator's too. */
  readonly processors: readonly { readonly process: string; readonly cores: number }[];
}

/**
 * Writes `bench/results/<name>.json` and `.md`, and returns the row as a Markdown table and as one line of
 * JSON.
 */
export function publish(row: Row): { readonly markdown: string; readonly json: string } {
  mkdirSync('bench/results', { recursive: true });
  const about = {
    commit: commit(),
    date: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
  writeFileSync(`bench/results/${row.name}.json`, `${JSON.stringify({ ...row, about }, null, 2)}\n`);
  const text = markdown(row, about);
  writeFileSync(`bench/results/${row.name}.md`, text);
  return { markdown: text, json: JSON.stringify({ ...row, about }) };
}

function markdown(row: Row, about: Record<string, unknown>): string {
  const lines = [
    `### ${row.title}`,
    '',
    `${about.date}, commit ${about.commit}, Node ${about.node}, ${about.cores} × ${about.cpu}, ${about.memoryGiB} GiB`,
    '',
    '| figure | ours: median (range) | yardstick | ratio: median (range) | must | aim | reached |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...row.figures.map(
      (figure) =>
        `| ${figure.name} | ${show(figure.ours)} ${figure.unit} | ${figure.yardstick ? `${figure.yardstick.name}: ${show(figure.yardstick.value)}` : '–'} | ${figure.ratio ? show(figure.ratio) : '–'} | ${figure.must} | ${figure.aim} | ${figure.reached ? 'yes' : 'no'} |`,
    ),
    '',
    ...row.notes.map((note) => `- ${note}`),
  ];
  if (row.processors.length > 0)
    lines.push(
      '',
      `Cores used: ${row.processors.map((use) => `${use.process} ${use.cores.toFixed(2)}`).join(', ')}`,
    );
  return `${lines.join('\n')}\n`;
}

function show(value: Spread): string {
  return `${round(value.median)} (${round(value.min)}–${round(value.max)})`;
}

function round(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(2);
}

function commit(): string {
  try {
    const hash = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
    const changes = ['status', '--porcelain', '--', 'src', 'tools'];
    const dirty = execFileSync('git', changes, { encoding: 'utf8' }).trim();
    return dirty === '' ? hash : `${hash} with uncommitted changes`;
  } catch {
    return 'unknown';
  }
}
