import type { CampaignResult } from './campaign.ts';

/** The table of all scenarios, and below it what clients saw and what was violated. */
export function report(results: readonly CampaignResult[]): string[] {
  const rows = [
    ['scenario', 'rounds', 'gap: median', 'worst', 'paid: median', 'worst', 'sent', 'lost', 'doubled', ''],
    ...results.map((result) => [
      result.scenario,
      String(result.rounds),
      ...spread(result.freeGapsMs),
      ...spread(result.paidGapsMs),
      String(result.sent),
      String(result.lost),
      String(result.doubled),
      result.violations.length === 0 ? 'ok' : 'VIOLATED',
    ]),
  ];
  return [...table(rows), '', ...results.flatMap(details)];
}

function details({ scenario, errors, notes, violations }: CampaignResult): string[] {
  const counted = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([what, count]) => `${count} x ${what}`).join(', ') || 'none';
  return [
    `${scenario}: errors that clients saw: ${counted(errors)}`,
    ...(notes.size === 0 ? [] : [`${scenario}: ${counted(notes)}`]),
    ...violations.map((violation) => `${scenario}: VIOLATED: ${violation}`),
  ];
}

function spread(gapsMs: readonly number[]): readonly [string, string] {
  const sorted = gapsMs.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return ['-', '-'];
  return [milliseconds((low + high) / 2), milliseconds(sorted.at(-1))];
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '-' : `${value.toFixed(0)} ms`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] as readonly string[]).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ')
      .trimEnd(),
  );
}
