import type { Instance } from '../../state/instance/instance.ts';
import {
  raffleCostAt,
  raffleRoundAt,
  raffleTicketsAt,
  readMs,
  writeMs,
} from '../../state/players/player-segment.ts';

/** The tickets of a player in the current round. */
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
  if (raffle === null || raffle.round === null || rows[at + raffleRoundAt] !== raffle.round.number)
    return null;
  return {
    costAtoms: (BigInt(rows[at + raffleCostAt + 1]!) << 32n) | BigInt(rows[at + raffleCostAt]!),
    tickets: readMs(rows, at + raffleTicketsAt),
  };
}

/** The cost is below the price of a ticket, which fits 64 bits. The caller has touched the row. */
export function storeHolding(instance: Instance, row: number, round: number, holding: Holding): void {
  const { players } = instance;
  const rows = players.segmentOf(row).rows;
  const at = players.at(row) + players.raffleAt;
  rows[at + raffleRoundAt] = round;
  rows[at + raffleCostAt] = Number(holding.costAtoms & 0xffff_ffffn);
  rows[at + raffleCostAt + 1] = Number(holding.costAtoms >> 32n);
  writeMs(rows, at + raffleTicketsAt, holding.tickets);
}
