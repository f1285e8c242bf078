/** The integer next to digits · 10^exponent, half up. */
export function roundedDecimal(digits: string, exponent: number): bigint {
  if (exponent >= 0) return BigInt(digits) * 10n ** BigInt(exponent);
  // Less than a tenth.
  if (exponent < -digits.length) return 0n;
  const unit = 10n ** BigInt(-exponent);
  return (BigInt(digits) + unit / 2n) / unit;
}
