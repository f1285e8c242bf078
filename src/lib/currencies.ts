/** Minor-unit exponents of the active currencies of ISO 4217, without funds, metals and test codes. */
const two =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
  'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
  'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
  'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
  'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG';
const zero = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const three = 'BHD IQD JOD KWD LYD OMR TND';

const exponents: ReadonlyMap<string, number> = new Map([
  ...two.split(' ').map((code) => [code, 2] as const),
  ...zero.split(' ').map((code) => [code, 0] as const),
  ...three.split(' ').map((code) => [code, 3] as const),
]);

/** Decimals of a currency's smallest unit: JPY 0, EUR 2; null: not in ISO 4217. */
export function minorUnitExponent(currency: string): number | null {
  return exponents.get(currency) ?? null;
}

/** Atoms of one minor unit, for an exponent from 0 to 8. */
export function minorUnitAtoms(exponent: number): bigint {
  return 10n ** BigInt(8 - exponent);
}
