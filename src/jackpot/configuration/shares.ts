import {
  compareFractions,
  floorMultiply,
  ONE,
  parseFraction,
  SHARE_DECIMALS,
  ZERO,
} from '../../lib/fraction.ts';
import { least } from '../../lib/money.ts';
import type { Share } from './configuration.ts';
import { oneMember, type Reader, readAmount } from './reader.ts';

export const NO_SHARE: Share = { fixedAtoms: null, percentage: ZERO };

/** Every kind of share (contribution types, pot shares, seed shares). A new one is one line here. */
const kinds: Readonly<Record<string, (value: unknown) => Share | null>> = {
  Fixed(value) {
    const fixedAtoms = readAmount(value);
    return fixedAtoms === null ? null : { fixedAtoms, percentage: null };
  },
  Percentage(value) {
    const percentage = parseFraction(value, SHARE_DECIMALS);
    return percentage === null ? null : { fixedAtoms: null, percentage };
  },
};

export function readShare(reader: Reader, name: string, fallback: Share | null): Share {
  const value = reader.raw(name);
  if (value === undefined) {
    if (fallback === null) reader.fault(name, 'is missing');
    return fallback ?? NO_SHARE;
  }
  const member = oneMember(value);
  const kind = member === null ? undefined : kinds[member[0]];
  if (member === null || kind === undefined) {
    reader.fault(name, `must be an object with one key of ${Object.keys(kinds).join(', ')}`);
    return NO_SHARE;
  }
  const share = kind(member[1]);
  if (share === null) reader.fault(name, `holds a malformed ${member[0]} value`);
  return share ?? NO_SHARE;
}

/** A share of something: its fraction must not exceed one. */
export function readPart(reader: Reader, name: string, fallback: Share | null): Share {
  const share = readShare(reader, name, fallback);
  if (share.percentage !== null && compareFractions(share.percentage, ONE) > 0) {
    reader.fault(name, 'must not exceed 1');
  }
  return share;
}

/** floor(amount·p), or the fixed value, limited by what is left. */
export function shareOf(share: Share, amount: bigint, left: bigint): bigint {
  const wanted = share.fixedAtoms ?? floorMultiply(amount, share.percentage!);
  return least(wanted, left);
}
