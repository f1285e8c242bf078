/** A row of the list as the gateway answers it; long amounts are strings. */
export interface ListedSettlement {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly brand_id: string;
  readonly player_id: string;
  readonly paid_amount: number | string;
  readonly paid_currency: string;
  readonly age_ms: number;
  readonly reason: string | null;
}

const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** The rows as a table. Control characters of a wallet's message are no commands to the terminal. */
export function settlementLines(rows: readonly ListedSettlement[]): string {
  const cells = rows.map((row) => [
    row.id,
    row.state,
    row.kind,
    row.brand_id,
    row.player_id,
    `${row.paid_amount} ${row.paid_currency}`,
    age(row.age_ms),
    row.reason ?? '',
  ]);
  const table = [['ID', 'STATE', 'KIND', 'BRAND', 'PLAYER', 'AMOUNT', 'AGE', 'REASON'], ...cells].map(
    (line) => line.map(printable),
  );
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  return table
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function age(ageMs: number): string {
  const [unitMs, unit] = units.find(([each]) => ageMs >= each) ?? [1000, 's'];
  return `${Math.floor(ageMs / unitMs)} ${unit}`;
}

function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, '?');
}
