const decimals = 6;

/** A quotient of amounts, cut off behind its sixth decimal: `0.912345`. */
export function shareText(part: bigint, whole: bigint): string {
  const scaled = (part * 10n ** BigInt(decimals)) / whole;
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
