/** A payment that is not settled, as the books have it. */
interface Booked {
  readonly transaction_id: string;
  readonly opened_timestamp: number;
}

/** The same, as the lanes have it now. */
interface Waiting {
  readonly id: string;
  readonly player_id: string;
  readonly opened_timestamp: number;
}

export interface WaitingNow<W> {
  readonly rows: readonly W[];
  readonly isWhole: boolean;
}

/**
 * What of a player is not settled now, and what has been settled since the books, which follow behind. What waits has to be asked
 * after the books.
 *
 * @param waiting of the player's brand; null: it is not known
 */
export function underWay<B extends Booked, W extends Waiting>(
  player: string,
  booked: readonly B[],
  waiting: WaitingNow<W> | null,
): {
  readonly open: readonly (B | (Omit<W, 'id'> & { readonly transaction_id: string }))[];
  readonly settled: readonly B[];
} {
  if (waiting === null) return { open: booked, settled: [] };
  const now = waiting.rows.filter(({ player_id }) => player_id === player);
  const ids = new Set(now.map(({ id }) => id));
  const gone = booked.filter(({ transaction_id }) => !ids.has(transaction_id));
  const open = [
    ...now.map(({ id, ...each }) => ({ ...each, transaction_id: id })),
    ...(waiting.isWhole ? [] : gone),
  ].toSorted((one, other) => one.opened_timestamp - other.opened_timestamp);
  return { open, settled: waiting.isWhole ? gone : [] };
}
