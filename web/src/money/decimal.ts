/** Exact money on the page: decimal strings in, atoms (1e-8 of a major unit) inside, never a float. */

const atomDigits = 8;
const decimalText = /^(-?)(\d{1,20})(?:\.(\d{1,8}))?$/;

/** Atoms of a decimal string or a JSON number; null where it is neither. */
export function parseAtoms(value: string | number): bigint | null {
  const match = decimalText.exec(typeof value === 'number' ? numberText(value) : value.trim());
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const atoms = BigInt(whole + fraction.padEnd(atomDigits, '0'));
  return sign === '-' ? -atoms : atoms;
}

/** The decimal string of an amount, floored to `digits` decimals: what is shown is never more than what is there. */
export function floorDecimal(atoms: bigint, digits: number): string {
  const step = 10n ** BigInt(atomDigits - digits);
  const units = floorDivide(atoms, step);
  const negative = units < 0n;
  const text = String(negative ? -units : units).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits);
  return `${negative ? '-' : ''}${whole}${digits === 0 ? '' : `.${fraction}`}`;
}

function floorDivide(amount: bigint, step: bigint): bigint {
  const quotient = amount / step;
  return amount < 0n && quotient * step !== amount ? quotient - 1n : quotient;
}

/** JavaScript writes small numbers with an exponent; answers never have more than eight decimals. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(atomDigits) : text;
}
