import { type Reader, readKind } from '../../../lib/document-reader.ts';
import { compareFractions, floorMultiply, one, zero } from '../../../lib/fraction.ts';
import { lesserOf } from '../../../lib/money.ts';
import type { Share } from '../../state/configuration/configuration.ts';
import { contributionTypes } from '../kinds/contribution-types.ts';

export const noShare: Share = { fixedAtoms: null, percentage: zero };

export function readShare(reader: Reader, name: string, fallback: Share | null): Share {
  const value = reader.raw(name);
  if (value === undefined) {
    if (fallback === null) reader.fault(name, 'is missing');
    return fallback ?? noShare;
  }
  const found = readKind(reader, value, name, contributionTypes);
  if (found === null) return noShare;
  const share = found.kind.read(found.parameters);
  if (share === null) reader.fault(name, `holds a malformed ${found.name} value`);
  return share ?? noShare;
}

/** A share of something: its fraction must not exceed one. */
export function readPart(reader: Reader, name: string, fallback: Share | null): Share {
  const share = readShare(reader, name, fallback);
  if (share.percentage !== null && compareFractions(share.percentage, one) > 0) {
    reader.fault(name, 'must not exceed 1');
  }
  return share;
}

/** floor(amount·p), or the fixed value, limited by what is left. */
export function shareOf(share: Share, amount: bigint, left: bigint): bigint {
  const wanted = share.fixedAtoms ?? floorMultiply(amount, share.percentage!);
  return lesserOf(wanted, left);
}
