import { lesserOf } from '../../../lib/money.ts';
import type { Brand } from '../../state/directory/brands.ts';
import type { RateTable } from '../../state/directory/rates.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { fxAt, playerAt, winLiabilityAt } from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';
import type { CurrencyExchange } from '../../state/money/quote.ts';
import { exchangeFor, floorToMinor, fromInstance, toInstance } from '../prices/convert.ts';

/** The payment of a player for an amount in the currency of the instance. */
export interface Credit {
  readonly paidAtoms: bigint;
  readonly paidCurrency: string;
  /** Version of the table in force at the win, 0 without one. */
  readonly rateVersion: number;
  /** The part of the amount that leaves through account `player`; the rest leaves through `fx`. */
  readonly backAtoms: bigint;
  readonly withheld: boolean;
  /** Stays a liability: for a person, or for the brand's wallet. */
  readonly waits: boolean;
}

/** Converts a win to the player's currency where it can be priced. `table`: the winning contribution's. */
export function creditFor(
  state: LaneState,
  instance: Instance,
  brand: Brand,
  currency: string,
  amountAtoms: bigint,
  table: RateTable | null = state.rates.inForce(brand.command.brand),
): Credit {
  const own = instance.configuration.currency;
  const exchange = exchangeBy(state, brand, table, currency, own);
  const rateVersion = table?.version ?? 0;
  const paidAtoms =
    exchange.table === null
      ? amountAtoms
      : floorToMinor(fromInstance(exchange, amountAtoms), exchange.exponent);
  const backAtoms =
    exchange.table === null ? amountAtoms : lesserOf(toInstance(exchange, paidAtoms), amountAtoms);
  // A payment of zero needs no verification.
  const withheld = paidAtoms > 0n && isOverLimit(state, brand, own, amountAtoms);
  const waits = withheld || (paidAtoms > 0n && brand.command.wallet);
  return { paidAtoms, paidCurrency: exchange.from, rateVersion, backAtoms, withheld, waits };
}

function exchangeBy(
  state: LaneState,
  brand: Brand,
  table: RateTable | null,
  currency: string,
  own: string,
): CurrencyExchange {
  const exponent = state.rates.exponentOf(currency, brand.command.brand, table);
  const isPriced = currency !== own && exponent !== null && table?.has(currency) && table.has(own);
  return isPriced
    ? { from: currency, to: own, table, exponent }
    : { from: own, to: own, table: null, exponent: 0 };
}

/** Books out a credit that does not wait: the brand has no wallet, so the operator pays by this record. */
export function settleCredit(balances: Float64Array, amountAtoms: bigint, credit: Credit): void {
  if (credit.waits) return;
  post(balances, winLiabilityAt, playerAt, credit.backAtoms);
  post(balances, winLiabilityAt, fxAt, amountAtoms - credit.backAtoms);
}

/** A limit that cannot be priced holds every win until a person looks. */
function isOverLimit(state: LaneState, brand: Brand, currency: string, amountAtoms: bigint): boolean {
  const { verificationLimitAtoms, verificationCurrency } = brand.command;
  if (verificationLimitAtoms === null) return false;
  const exchange = exchangeFor(
    state.rates,
    brand.command.brand,
    verificationCurrency,
    currency,
    state.nowMs,
    null,
  );
  if ('kind' in exchange) return true;
  return amountAtoms > toInstance(exchange, verificationLimitAtoms);
}
