import type { Fraction } from '../../../lib/fraction.ts';

/** Every kind of contribution_type, of a pot's share and of its seed share (docs/rules/configuration.md). */
export type ContributionTypeKind = 'Fixed' | 'Percentage';

/** `{"Fixed": v}` or `{"Percentage": p}`: exactly one is not null. */
export interface Share {
  readonly fixedAtoms: bigint | null;
  readonly percentage: Fraction | null;
}

export interface ContributionType {
  /** null where the value is malformed. */
  read(value: unknown): Share | null;
}
