import type { Share } from '../../../state/configuration/configuration.ts';

export interface ContributionType {
  /** null where the value is malformed. */
  read(value: unknown): Share | null;
}
