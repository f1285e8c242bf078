import type { CallbackOptions } from '../../contracts/contribution.ts';

/** What O8, O9 and O16 have in common once their shapes are read. */
export interface ContributionRequest {
  readonly target: { readonly type: 'instance' | 'source'; readonly id: string };
  /** As given: a brand path or a bare brand. */
  readonly brand: string;
  readonly player: string;
  /** The player's session. Where the brand has a wallet it is checked there; it goes nowhere else. */
  readonly token: string;
  readonly country: string;
  readonly segments: readonly string[];
  readonly gameround: string | null;
  readonly baseWager: number | string;
  readonly currency: string;
  readonly idempotencyKey: string | null;
  readonly linked: boolean;
  readonly vertical: string;
  readonly bonus: { readonly id: string; readonly amount: number | string; readonly currency: string } | null;
  readonly callback: CallbackOptions | null;
  readonly metadata: unknown;
  readonly eventMetadata: unknown;
  /** A number of the body had more digits than a number holds exactly. */
  readonly inexactNumber: boolean;
}
