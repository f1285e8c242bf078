import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import type { AdministratorsRequest } from '../../../approvals/propose.ts';
import type { ScopedBrand } from '../../../contribution/brand-scope.ts';
import type { ContributionRequest } from '../../../contribution/request.ts';

/** A contribution that an administrator makes for a player. */
export interface OnBehalf {
  readonly request: AdministratorsRequest;
  readonly contribution: ContributionRequest;
  readonly brand: ScopedBrand;
  /** The instance that the caller named and may see; null: it named a source. */
  readonly known: KnownInstance | null;
}
