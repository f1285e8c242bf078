import type { Fraction } from '../../../lib/fraction.ts';

/** `{"Fixed": v}` or `{"Percentage": p}`: exactly one is not null. */
export interface Share {
  readonly fixedAtoms: bigint | null;
  readonly percentage: Fraction | null;
}

export interface ContributionType {
  /** null where the value is malformed. */
  read(value: unknown): Share | null;
}
