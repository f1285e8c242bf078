import { least } from '../../lib/money.ts';
import {
  type Exchange,
  exchangeFor,
  floorToMinor,
  fromInstance,
  toInstance,
} from '../contribution/convert.ts';
import { FX, PLAYER, WIN_LIABILITY } from '../state/accounts.ts';
import type { Brand } from '../state/brands.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { post } from '../state/ledger.ts';

/** What a player gets for an amount in the instance's currency. */
export interface Credit {
  readonly paidAtoms: bigint;
  readonly paidCurrency: string;
  /** Of the table in force at the win, 0 where the lane has none. */
  readonly rateVersion: number;
  /** What of the amount leaves through account `player`; the rest leaves through `fx`. */
  readonly backAtoms: bigint;
  readonly withheld: boolean;
}

/** Converts a win to the player's currency, where it can be priced; else it is paid in the jackpot's. */
export function creditFor(
  state: LaneState,
  instance: Instance,
  brand: Brand,
  currency: string,
  amountAtoms: bigint,
): Credit {
  const own = instance.configuration.currency;
  const found = exchangeFor(state.rates, brand.command.brand, currency, own, state.nowMs, null);
  const exchange: Exchange = 'kind' in found ? { from: own, to: own, table: null, exponent: 0 } : found;
  const withheld = isOverLimit(state, brand, own, amountAtoms);
  const rateVersion = state.rates.inForce(brand.command.brand)?.version ?? 0;
  if (exchange.table === null) {
    return { paidAtoms: amountAtoms, paidCurrency: own, rateVersion, backAtoms: amountAtoms, withheld };
  }
  const paidAtoms = floorToMinor(fromInstance(exchange, amountAtoms), exchange.exponent);
  return {
    paidAtoms,
    paidCurrency: exchange.from,
    rateVersion,
    backAtoms: least(toInstance(exchange, paidAtoms), amountAtoms),
    withheld,
  };
}

/** Books a credit that nobody has to wait for: the brand has no wallet, so the operator pays out by this record. */
export function settleCredit(words: Float64Array, amountAtoms: bigint, credit: Credit): void {
  if (credit.withheld) return;
  post(words, WIN_LIABILITY, PLAYER, credit.backAtoms);
  post(words, WIN_LIABILITY, FX, amountAtoms - credit.backAtoms);
}

/** Over the brand's verification limit; a limit that cannot be priced holds every win until a person looks. */
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
