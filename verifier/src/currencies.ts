/** Minor units of ISO 4217 that are not hundredths; the others of its active currencies are. */
const exponents: Readonly<Record<string, number>> = {
  ...named('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF', 0),
  ...named('BHD IQD JOD KWD LYD OMR TND', 3),
  ...named(
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC',
    2,
  ),
  ...named(
    'CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD',
    2,
  ),
  ...named(
    'KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO',
    2,
  ),
  ...named(
    'NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL',
    2,
  ),
  ...named('THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG', 2),
};

const maxDecimals = 8;

/**
 * Floors an amount to a payable one. The minor unit of a currency outside ISO 4217 is in the rate table of the
 * operator, which is not public: then any unit that fits the first payment is taken and must fit all others.
 */
export class MinorUnit {
  /** Of a currency of ISO 4217; null: of no other is it public. */
  readonly known: bigint | null;
  /** The largest possible value. */
  readonly largest = 10n ** BigInt(maxDecimals);
  #possible: readonly bigint[];

  constructor(currency: string) {
    const exponent = Object.hasOwn(exponents, currency) ? exponents[currency]! : null;
    const all = Array.from({ length: maxDecimals + 1 }, (_, index) => index);
    this.#possible = (exponent === null ? all : [exponent]).map((each) => 10n ** BigInt(maxDecimals - each));
    this.known = exponent === null ? null : this.#possible[0]!;
  }

  /** The payment for `exact`, given the payment in the file. */
  floor(exact: bigint, paid: bigint): bigint {
    return floorTo(
      this.settle((unit) => floorTo(unit, exact) === paid),
      exact,
    );
  }

  /** A unit that fits a payment; if no unit fits, one to compare it with. */
  settle(fits: (unit: bigint) => boolean): bigint {
    const fitting = this.#possible.filter(fits);
    if (fitting.length > 0) this.#possible = fitting;
    return this.#possible[0]!;
  }
}

/** The largest multiple of `unit` that `exact` reaches. */
export function floorTo(unit: bigint, exact: bigint): bigint {
  return exact - (exact % unit);
}

function named(codes: string, exponent: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, exponent]));
}
