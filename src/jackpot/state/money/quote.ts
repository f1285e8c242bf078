import type { RateTable } from '../directory/rates.ts';

/** Exchange between a request's currency and the instance's, by the table in force for a brand. */
export interface CurrencyExchange {
  readonly from: string;
  readonly to: string;
  /** null where both are the same currency. */
  readonly table: RateTable | null;
  /** Digits of the smallest unit of `from`. */
  readonly exponent: number;
}

/**
 * The cost of a contribution, and the part that reaches the instance (docs/rules/contributions.md "Amount").
 */
export interface Price {
  readonly kind: 'Price';
  readonly exchange: CurrencyExchange;
  /** In the currency of the request: the player's payment, and that with the part of the operator. */
  readonly debitAtoms: bigint;
  readonly requestAtoms: bigint;
  readonly bonusAtoms: bigint;
  /** In the instance's currency. */
  readonly contributionAtoms: bigint;
  /** The player's part of it. */
  readonly playerAtoms: bigint;
  readonly contributionHigh: number;
  readonly contributionLow: number;
  readonly playerHigh: number;
  readonly playerLow: number;
  readonly operatorHigh: number;
  readonly operatorLow: number;
}

/** How one contribution parts: a pure function of C, the rules and the pots that take part. */
export interface Split {
  readonly high: number;
  readonly low: number;
  readonly mask: number;
  /** The inflow of the house: its share and the configured rest. */
  readonly houseAtoms: bigint;
  /** Words: house, then of it what is diverted while no seed deficit is open. */
  readonly house: Float64Array;
  readonly parts: Float64Array;
}

/** The part that does not depend on the balances: steps 4, 5 and 7 of docs/rules/contributions.md "Steps". */
export interface Quote {
  readonly kind: 'Quote';
  readonly brand: string;
  readonly currency: string;
  readonly price: Price;
  /** base_wager in the instance's currency. */
  readonly wagerAtoms: bigint;
  /** Bit i: pot i is enabled and its own criteria hold. */
  readonly qualified: number;
  readonly split: Split;
}
