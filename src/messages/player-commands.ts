/** What players do. */
export type PlayerCommand = Contribute | OptIn | BulkOptIn;

/** The target of a contribution. */
export type ContributionTarget =
  | { readonly type: 'instance'; readonly id: string }
  /**
   * The brand's own bindings precede the operator's. `group` is the source's, absent if the source is the
   * operator's: segments lead only to instances of this group.
   */
  | { readonly type: 'source'; readonly id: string; readonly group?: string };

/** Where a contribution came from, beside its target and game round. The rules do not look at it. */
export interface ContributionOrigin {
  /** W3 names it as its source where the target is an instance. Empty: not given. */
  readonly gameCode: string;
  readonly gameCategory: string;
  /** `deposit`, `bet` or `other`; empty: a game round. */
  readonly sourceType: string;
}

export interface Contribute {
  readonly kind: 'Contribute';
  /** 16 bytes, made by the gateway; X-Contribution-Id is its UUID form. */
  readonly contributionId: Uint8Array;
  readonly target: ContributionTarget;
  /** The caller's operator: the scope of idempotency keys and the owner of source ids. */
  readonly operator: string;
  /** Brand path `operator:brand`. */
  readonly brand: string;
  readonly player: string;
  /** `DE`, `US-NJ`; empty where unknown. */
  readonly country: string;
  readonly segments: readonly string[];
  readonly baseWagerAtoms: bigint;
  readonly currency: string;
  readonly gameround: string;
  /** First 16 bytes of SHA-256(operator ‖ 0x00 ‖ key). */
  readonly idempotencyKey: Uint8Array | null;
  readonly linked: boolean;
  /** Whether the brand has a wallet: then the player's part waits for a debit. */
  readonly wallet: boolean;
  readonly maxBetAtoms: bigint | null;
  readonly bonus: { readonly id: string; readonly amountAtoms: bigint; readonly currency: string } | null;
  readonly vertical: string;
  readonly callback: { readonly webHook: string; readonly winResultOnly: boolean } | null;
  /** JSON text; stored only where a callback will need it. */
  readonly metadata: string | null;
  /** JSON text; travels into win events. */
  readonly eventMetadata: string | null;
  /** What W3 names as provider; empty: the brand's own. */
  readonly provider: string;
  /** null: nothing beyond the target and a game round. */
  readonly origin: ContributionOrigin | null;
}

export interface OptIn {
  readonly kind: 'OptIn';
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  readonly country: string;
  readonly optIn: boolean;
  /** The player's preferred contribution, in `currency`. */
  readonly valueAtoms: bigint | null;
  /** Empty where not given. */
  readonly currency: string;
  readonly linked: boolean;
  readonly user: string;
  /** The player prefers `currency`, also without a value. Absent in older logs. */
  readonly statesCurrency?: boolean;
}

/** Opt-ins and opt-outs of many players, at most 50,000. Rows beyond the first step follow by Continue. */
export interface BulkOptIn {
  readonly kind: 'BulkOptIn';
  /** Names the job: 1 to 64 characters, never used again. */
  readonly job: string;
  readonly rows: readonly BulkOptInRow[];
  readonly user: string;
}

export interface BulkOptInRow {
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  /** Empty where not given. */
  readonly currency: string;
  readonly optIn: boolean;
}
