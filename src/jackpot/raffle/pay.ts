import type { Json } from '../../lib/canonical-json.ts';
import type { Instance, Pot } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { currencyOfRow } from '../state/last-currency.ts';
import { creditFor, settleCredit } from '../win/credit.ts';

/** What a player gets of a round: all of the player's prizes in one amount. */
export interface PlayerPayment {
  readonly row: number;
  readonly amountAtoms: bigint;
  /** What of it left through account `player`; the rest left through `fx`. */
  readonly backAtoms: bigint;
  readonly withheld: boolean;
}

interface Won {
  readonly range: { readonly row: number };
  readonly amountAtoms: bigint;
}

/** Credits each winner once, in the order of their first prizes; the prizes are in win_liability. */
export function payPlayers(
  state: LaneState,
  instance: Instance,
  _pot: Pot,
  _cycle: number,
  _sequence: number,
  drawn: readonly Won[],
): readonly PlayerPayment[] {
  const totals = new Map<number, bigint>();
  for (const { range, amountAtoms } of drawn) {
    totals.set(range.row, (totals.get(range.row) ?? 0n) + amountAtoms);
  }
  return [...totals].flatMap(([row, amountAtoms]) => {
    if (amountAtoms === 0n) return [];
    const brand = state.brands.byNumber(instance.players.brandOf(row));
    const credit = creditFor(state, instance, brand, currencyOfRow(instance, row), amountAtoms);
    settleCredit(instance.words, amountAtoms, credit);
    return [{ row, amountAtoms, backAtoms: credit.backAtoms, withheld: credit.withheld }];
  });
}

export function paymentJson(payment: PlayerPayment, winner: string): Json {
  return {
    winner,
    amount: payment.amountAtoms.toString(),
    player_paid_back: payment.withheld ? null : payment.backAtoms.toString(),
    withheld: payment.withheld,
  };
}
