import type { BulkOptInRow } from '../../../../../../messages/player-commands.ts';

/** A row on its way to its lane, and the key of its error. */
export interface SentRow extends BulkOptInRow {
  readonly key: string;
}

/** A command does no more in the lane than a step of long work (docs/rules/log.md "Work in steps"). */
const chunkRows = 250;
const chunkBytes = 88 * 1024;
const rowBytes = 260;
const potBytes = 96;

/** Rows in their order, in parts that one message of the lane can do at once. `pots`: how many an instance has. */
export function* chunksOf(
  rows: readonly SentRow[],
  pots: (instance: string) => number,
): Iterable<readonly SentRow[]> {
  let chunk: SentRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (chunk.length >= chunkRows || bytes >= chunkBytes) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(row);
    bytes += rowBytes + potBytes * pots(row.instance) + 4 * row.player.length;
  }
  if (chunk.length > 0) yield chunk;
}
