import type { Measure } from './daily-tables.ts';
import type { SideStream, SideTable, sideTables } from './side-tables.ts';
import type { BooksTable, RowOf } from './tables.ts';

/** Where the books of a lane are: the last message whose rows are written. */
export interface LanePosition {
  readonly lane: number;
  readonly sequence: number;
  readonly timestampMs: number;
  /** The lane's head, as hex. */
  readonly head: string;
  readonly systemId: string;
}

/** What one transaction writes: all that messages in a row add to the books, and the position behind them. */
export interface LaneBatch {
  readonly lane: number;
  /** The position that it goes on from; −1: the lane has none yet. */
  readonly after: number;
  readonly position: LanePosition;
  /** The last row of a key is the newest, in tables of state. */
  readonly rows: { readonly [T in WrittenTable]?: readonly RowOf<T>[] };
  readonly dailyTotals: readonly DailyChange[];
  readonly players: readonly PlayerChange[];
  /** GroupSums of all postings. */
  readonly movements: readonly Movement[];
  /** Balances where the books of an instance begin, once for each; before the movements. */
  readonly openings: readonly RowOf<'openings'>[];
}

/** Tables whose rows a batch brings; the writer keeps the others. */
export type WrittenTable = Exclude<
  BooksTable,
  | 'positions'
  | 'openings'
  | 'facts'
  | 'forgotten'
  | 'daily_totals'
  | 'daily_players'
  | 'daily_balances'
  | keyof typeof sideTables
>;

/** What one transaction writes of a stream beside the lanes. */
export interface StreamBatch {
  readonly stream: SideStream;
  /** The position that it goes on from; −1: the stream has none yet. */
  readonly after: number;
  readonly position: { readonly sequence: number; readonly timestampMs: number; readonly systemId: string };
  readonly rows: { readonly [T in SideTable]?: readonly RowOf<T>[] };
}

/** Added to `daily_totals`. */
export interface DailyChange
  extends Pick<RowOf<'daily_totals'>, 'day' | 'operator' | 'brand' | 'instance' | 'pot' | 'currency'> {
  /** What is absent is 0. */
  readonly measures: { readonly [M in Measure]?: bigint };
}

/** Added to `daily_players`. */
export interface PlayerChange
  extends Pick<RowOf<'daily_players'>, 'day' | 'operator' | 'brand' | 'player' | 'instance' | 'currency'> {
  readonly contributions: number;
  readonly contributedAtoms: bigint;
  readonly playerAtoms: bigint;
  readonly wins: number;
  readonly wonAtoms: bigint;
}

/** Added to `daily_balances`. */
export interface Movement {
  /** `2026-11-28` */
  readonly day: string;
  readonly instance: string;
  /** `house`, `mega.current` */
  readonly account: string;
  readonly atoms: bigint;
}
