import { durationText, tableText } from '../../src/cli/terminal/table.ts';

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

const head = ['ID', 'STATE', 'KIND', 'BRAND', 'PLAYER', 'AMOUNT', 'AGE', 'REASON'];

/** The rows as a table. */
export function settlementLines(rows: readonly ListedSettlement[]): string {
  return tableText([
    head,
    ...rows.map((row) => [
      row.id,
      row.state,
      row.kind,
      row.brand_id,
      row.player_id,
      `${row.paid_amount} ${row.paid_currency}`,
      durationText(row.age_ms),
      row.reason ?? '',
    ]),
  ]);
}
