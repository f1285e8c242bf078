import { floorMultiply } from '../../../lib/fraction.ts';
import { readWide } from '../../../lib/wide.ts';
import { type Brand, pseudonymOf } from '../../state/directory/brands.ts';
import type { RateTable } from '../../state/directory/rates.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import {
  carryAt,
  currentAt,
  cycleAt,
  operatorFeeAt,
  potAt,
  winLiabilityAt,
} from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';
import type { Split } from '../../state/money/quote.ts';
import { floorToMinor } from '../prices/convert.ts';
import { grossAt, partSlots } from '../prices/split.ts';
import { type Community, communityOf, paidBy } from './community.ts';

/** Who won, by which contribution (or by A30, without one). */
export interface Winner {
  readonly sequence: number;
  readonly contributionId: Uint8Array;
  readonly gameround: string;
  readonly brand: Brand;
  readonly player: string;
  readonly currency: string;
  /** How the winning contribution parted; null: A30. */
  readonly split: Split | null;
  readonly eventMetadata: string | null;
  /** For a credit: its game round (empty for A30) and source. */
  readonly round: string;
  readonly source: string;
  readonly provider: string;
  /** The rate table that the contribution was priced with, if it may not be the one in force. */
  readonly table: RateTable | null;
}

/** The amount that leaves the pot. */
export interface Payout {
  readonly valueAtoms: bigint;
  /** The main winner's, and that of all others together. */
  readonly winAtoms: bigint;
  readonly communityAtoms: bigint;
  readonly feeAtoms: bigint;
  readonly carryAtoms: bigint;
  readonly community: Community;
  /** The main winner's row, −1 where there is none yet. */
  readonly winnerRow: number;
  readonly pseudonym: Uint8Array;
}

/** Divides the pot's value (docs/rules/wins-and-reseeding.md "Payout"); the rest is the carry. */
export function payoutOf(state: LaneState, instance: Instance, index: number, winner: Winner): Payout {
  const { players, balances, configuration } = instance;
  const at = potAt(index);
  const { mainWinnerPercentage, adminFee, payouts } = instance.pots[index]!.effective;
  const exponent = state.rates.exponentOf(configuration.currency, '') ?? 2;
  const floor = (atoms: bigint) => floorToMinor(atoms, exponent);
  const valueAtoms = readWide(balances, at + currentAt);
  const pseudonym = pseudonymOf(state.hashing, winner.brand, winner.player);
  const winnerRow = players.find(winner.brand.number, winner.player);
  const win = {
    hashing: state.hashing,
    room: state.candidates,
    sets: [],
    players,
    pot: index,
    cycle: balances[at + cycleAt]!,
    timestampMs: state.nowMs,
    winner: { row: winnerRow, pseudonym, shareAtoms: shareOfWinner(winner.split, index) },
  };
  const community = communityOf(state, instance, payouts, win, valueAtoms, winner.sequence, floor);
  const winAtoms = floor(floorMultiply(valueAtoms, mainWinnerPercentage) + community.restAtoms);
  const communityAtoms = community.rules.reduce((sum, rule) => sum + paidBy(rule), 0n);
  const feeAtoms = floorMultiply(valueAtoms, adminFee);
  const carryAtoms = valueAtoms - winAtoms - communityAtoms - feeAtoms;
  return { valueAtoms, winAtoms, communityAtoms, feeAtoms, carryAtoms, community, winnerRow, pseudonym };
}

/** The players' money waits as a liability, the fee is the operator's, the carry stays with the pot. */
export function postPayout(balances: Float64Array, at: number, payout: Payout): void {
  post(balances, at + currentAt, winLiabilityAt, payout.winAtoms + payout.communityAtoms);
  post(balances, at + currentAt, operatorFeeAt, payout.feeAtoms);
  post(balances, at + currentAt, at + carryAt, payout.carryAtoms);
}

function shareOfWinner(split: Split | null, index: number): bigint {
  return split === null ? 0n : readWide(split.parts, index * partSlots + grossAt);
}
