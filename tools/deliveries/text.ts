import { durationText, tableText, timeText } from '../../src/cli/terminal/table.ts';

/** A row of the list as the gateway answers it. */
export interface ListedDelivery {
  readonly id: string;
  readonly kind: string;
  readonly owner_id: string;
  readonly origin: string;
  readonly state: string;
  readonly attempts: number;
  readonly deliveries: number;
  readonly last_error: string | null;
  readonly next_try_timestamp: number | null;
  readonly age_ms: number;
}

export interface ListedReplay {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly state: string;
  readonly deliveries: number;
}

const head = ['ID', 'STATE', 'KIND', 'OWNER', 'RECEIVER', 'EVENTS', 'TRIES', 'AGE', 'NEXT TRY', 'LAST ERROR'];

/** The rows as a table. */
export function deliveryLines(rows: readonly ListedDelivery[]): string {
  return tableText([
    head,
    ...rows.map((row) => [
      row.id,
      row.state,
      row.kind,
      row.owner_id,
      row.origin,
      String(row.deliveries),
      String(row.attempts),
      durationText(row.age_ms),
      row.next_try_timestamp === null ? '' : timeText(row.next_try_timestamp),
      row.last_error ?? '',
    ]),
  ]);
}

/** Replays as a table. */
export function replayLines(rows: readonly ListedReplay[]): string {
  return tableText([
    ['ID', 'STATE', 'FROM', 'TO', 'SENT'],
    ...rows.map(({ id, state, from, to, deliveries }) => [
      id,
      state,
      timeText(from),
      timeText(to),
      String(deliveries),
    ]),
  ]);
}
