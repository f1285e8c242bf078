import type { Brand } from '../../state/directory/brands.ts';
import type { RateTable } from '../../state/directory/rates.ts';
import { currencyOfRow, type Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { type Credit, creditFor } from '../credits/credit.ts';
import type { RuleShares } from './community.ts';
import type { Payout, Winner } from './payout.ts';

/** One amount of a win on its way to a player. */
export interface Recipient {
  readonly brand: Brand;
  readonly player: string;
  readonly pseudonym: Uint8Array;
  /** In the jackpot's currency. */
  readonly amountAtoms: bigint;
  readonly credit: Credit;
}

/** The main winner, and the players who share by each rule of the pot; none for a share of zero. */
export interface Recipients {
  readonly main: Recipient;
  readonly shares: readonly (readonly Recipient[])[];
}

export function recipientsOf(
  state: LaneState,
  instance: Instance,
  winner: Winner,
  payout: Payout,
): Recipients {
  const { brand, player, currency } = winner;
  const { pseudonym, winAtoms } = payout;
  const to = { brand, player, pseudonym };
  const main = recipient(state, instance, to, currency, winAtoms, winner.table);
  const { rules } = payout.community;
  const winnerRow = rules.length === 0 ? -1 : instance.players.find(brand.number, player);
  const shares = rules.map((rule) =>
    rule.shareAtoms === 0n
      ? []
      : rule.picked.map((index) => sharer(state, instance, main, winner, winnerRow, rule, index)),
  );
  return { main, shares };
}

/** Paid in the currency of the player's last contribution; the winner's is the winning one. */
function sharer(
  state: LaneState,
  instance: Instance,
  main: Recipient,
  winner: Winner,
  winnerRow: number,
  { candidates, shareAtoms }: RuleShares,
  index: number,
): Recipient {
  const { players } = instance;
  const row = candidates.row(index);
  const isWinner = row < 0 || row === winnerRow;
  if (isWinner) return recipient(state, instance, main, winner.currency, shareAtoms, winner.table);
  const to = {
    brand: state.brands.byNumber(players.brandOf(row)),
    player: players.playerId(row),
    pseudonym: players.pseudonym(row),
  };
  const currency = currencyOfRow(instance, row);
  const table = tableOfWin(state, instance, winner, currency);
  return recipient(state, instance, to, currency, shareAtoms, table);
}

/** One win, one version of rates: the winning contribution's. null: it does not know the currency. */
function tableOfWin(
  state: LaneState,
  instance: Instance,
  winner: Winner,
  currency: string,
): RateTable | null {
  const table = winner.table ?? state.rates.inForce(winner.brand.command.brand);
  return table?.has(currency) && table.has(instance.configuration.currency) ? table : null;
}

function recipient(
  state: LaneState,
  instance: Instance,
  { brand, player, pseudonym }: Pick<Recipient, 'brand' | 'player' | 'pseudonym'>,
  currency: string,
  amountAtoms: bigint,
  table: Winner['table'],
): Recipient {
  const credit = creditFor(state, instance, brand, currency, amountAtoms, table ?? undefined);
  return { brand, player, pseudonym, amountAtoms, credit };
}
