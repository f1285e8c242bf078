const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** Lines of cells as a table, the head first. Control characters cannot reach the terminal. */
export function tableText(lines: readonly (readonly string[])[]): string {
  const cells = lines.map((line) => line.map(printable));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** A duration in its largest unit. */
export function durationText(durationMs: number): string {
  const [unitMs, unit] = units.find(([each]) => durationMs >= each) ?? [1000, 's'];
  return `${Math.floor(durationMs / unitMs)} ${unit}`;
}

/** A time in UTC; `-` where it is no time of the calendar, as the end of a range without one. */
export function timeText(timeMs: number): string {
  const time = new Date(timeMs);
  return Number.isNaN(time.valueOf()) ? '-' : time.toISOString();
}

function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, '?');
}
