import type { ForgottenPlayer, ForgottenPlayers } from '../base/forgotten.ts';
import type { LaneBatch, LanePosition, StreamBatch } from '../base/lane-batch.ts';
import type { SideStream } from '../base/side-tables.ts';
import type { AnyRow } from './shared/rows.ts';
import type { Dialect } from './shared/schema.ts';

/** The database of the books, of either dialect. */
export interface BooksStore {
  readonly dialect: Dialect;
  /** What stands before each table's name: `"reporting".`, or nothing. */
  readonly prefix: string;
  /** null: the lane has no books yet. @throws StoreError */
  position(lane: number): Promise<LanePosition | null>;
  /**
   * Writes the batch whole, or nothing: `reporting_fenced` where the lane's position is not the one that it
   * goes on from. @throws StoreError
   */
  write(batch: LaneBatch): Promise<void>;
  /** The last message of a stream whose rows are written; null: none is. @throws StoreError */
  streamPosition(stream: SideStream): Promise<number | null>;
  /** As `write`. @throws StoreError */
  writeStream(batch: StreamBatch): Promise<void>;
  /**
   * Puts pseudonyms in place of the ids of these players, in every row and in what anybody writes from here
   * on. Gives those who were not forgotten before. @throws StoreError
   */
  forget(players: ForgottenPlayers): Promise<readonly ForgottenPlayer[]>;
  /** The rows of a SELECT in the dialect, not decoded. @throws StoreError */
  select(text: string, values: readonly unknown[]): Promise<readonly AnyRow[]>;
  /** false: others have taken their place since they were opened. */
  isCurrent(): boolean;
  close(): Promise<void>;
}
