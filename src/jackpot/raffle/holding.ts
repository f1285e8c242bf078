import type { Instance } from '../state/instance.ts';
import { RAFFLE_COST, RAFFLE_ROUND, RAFFLE_TICKETS, readMs, writeMs } from '../state/player-segment.ts';

/** What a player has in the current round. */
export interface Holding {
  /** The carry towards the next ticket, in the instance's currency. */
  readonly costAtoms: bigint;
  readonly tickets: number;
}

/** null where the player has taken no part in the current round. */
export function holdingOf(instance: Instance, row: number): Holding | null {
  const { players, raffle } = instance;
  const rows = players.segmentOf(row).rows;
  const at = players.at(row) + players.raffleAt;
  if (raffle === null || raffle.round === null || rows[at + RAFFLE_ROUND] !== raffle.round.number)
    return null;
  return {
    costAtoms: (BigInt(rows[at + RAFFLE_COST + 1]!) << 32n) | BigInt(rows[at + RAFFLE_COST]!),
    tickets: readMs(rows, at + RAFFLE_TICKETS),
  };
}

/** The cost is below the price of a ticket, which fits 64 bits. The caller has touched the row. */
export function storeHolding(instance: Instance, row: number, round: number, holding: Holding): void {
  const { players } = instance;
  const rows = players.segmentOf(row).rows;
  const at = players.at(row) + players.raffleAt;
  rows[at + RAFFLE_ROUND] = round;
  rows[at + RAFFLE_COST] = Number(holding.costAtoms & 0xffff_ffffn);
  rows[at + RAFFLE_COST + 1] = Number(holding.costAtoms >> 32n);
  writeMs(rows, at + RAFFLE_TICKETS, holding.tickets);
}
