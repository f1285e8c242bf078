import type {
  CreditSettled,
  DebitSettled,
  FlushSettled,
  ReleaseCredit,
  ResolveCredit,
  RetryCredit,
} from './settlement-commands.ts';

export type * from './settlement-commands.ts';

/**
 * The commands of a lane as the engine sees them. Amounts are atoms (1e-8 of a major unit), times milliseconds;
 * `configuration` holds the documents' JSON shape in normal form. The log's wire types are structurally the same: the
 * engine imports only lib, so the shapes stand twice, and the actor host's compile proves that they fit.
 */
export type ContributionTarget =
  | { readonly type: 'instance'; readonly id: string }
  /**
   * A source id of the caller's operator; the brand's own bindings precede the operator's. `group` is the source's,
   * absent where it is the operator's own: segments lead to instances of this group only.
   */
  | { readonly type: 'source'; readonly id: string; readonly group?: string };

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
}

export interface CreateInstance {
  readonly kind: 'CreateInstance';
  readonly instance: string;
  readonly group: string;
  /** Owner path. */
  readonly owner: string;
  readonly templateOwner: string;
  readonly template: string;
  readonly name: string;
  readonly description: string;
  readonly gameCode: string;
  readonly timestampStartMs: number | null;
  readonly timestampEndMs: number | null;
  readonly configuration: InstanceConfigurationDocument;
  readonly user: string;
}

/** Members and their meaning: docs/rules/configuration.md. */
export interface InstanceConfigurationDocument {
  readonly currency: string;
  readonly jackpot_type: string;
  readonly max_instantiation_count?: number;
  readonly win_selector_strategy?: string;
  /** "None", which is the default, or "Required". */
  readonly draw_beacon?: string;
  readonly contribution_rules: Readonly<Record<string, unknown>>;
  readonly house_pot?: Readonly<Record<string, unknown>>;
  readonly raffle_rules?: Readonly<Record<string, unknown>>;
  readonly pots: readonly Readonly<Record<string, unknown>>[];
}

export interface SetStatus {
  readonly kind: 'SetStatus';
  readonly instance: string;
  readonly status: string;
  readonly reason: string;
  readonly to: string;
  readonly user: string;
  readonly expectedVersion: number | null;
}

export interface SetParameters {
  readonly kind: 'SetParameters';
  readonly instance: string;
  readonly configuration: InstanceConfigurationDocument;
  readonly reason: string;
  readonly user: string;
  readonly expectedVersion: number | null;
}

export interface SetDetails {
  readonly kind: 'SetDetails';
  readonly instance: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly user: string;
  readonly expectedVersion: number | null;
}

export interface SetLinks {
  readonly kind: 'SetLinks';
  readonly instance: string;
  readonly links: readonly string[];
  readonly user: string;
  readonly expectedVersion: number | null;
}

export type BindingOwnerKind = 'source' | 'segment';

/** Adds a binding to each named source or segment of the owner: priority = highest + 1 (the first: 0). */
export interface Bind {
  readonly kind: 'Bind';
  readonly of: BindingOwnerKind;
  readonly owner: string;
  readonly ids: readonly string[];
  readonly instance: string;
  /** null: highest + 1. */
  readonly priority: number | null;
}

export interface Unbind {
  readonly kind: 'Unbind';
  readonly of: BindingOwnerKind;
  readonly owner: string;
  readonly ids: readonly string[];
  readonly instance: string;
}

export interface SetBindingPriorities {
  readonly kind: 'SetBindingPriorities';
  readonly of: BindingOwnerKind;
  readonly owner: string;
  readonly id: string;
  readonly priorities: readonly (readonly [instance: string, priority: number])[];
}

/** What a lane must know of a segment of the directory: its priority among the player's segments. */
export interface SetSegment {
  readonly kind: 'SetSegment';
  readonly owner: string;
  readonly segment: string;
  /** null: the segment is gone. */
  readonly priority: number | null;
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
}

/** Opt-ins and opt-outs of many players, at most 50,000; what is more than a step goes on with Continue. */
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

/** A29: everything of `instance` moves to `target`, which is Pending and of the same group. */
export interface SwitchModel {
  readonly kind: 'SwitchModel';
  readonly instance: string;
  readonly target: string;
  /** For each pot of the source: which pots of the target take which fraction of it. */
  readonly rules: readonly TransferRule[];
  readonly transferOptIns: boolean;
  /** Odds that get worse, or a must-drop pot that is full at once, are what is wanted. */
  readonly override: boolean;
  readonly reason: string;
  readonly user: string;
}

export interface TransferRule {
  readonly source: string;
  /** [pot of the target, fraction as decimal string] */
  readonly targets: readonly (readonly [pot: string, fraction: string])[];
}

/** The next step of work that is cut into steps (runtime.md, "Actor host"). A step that was done changes nothing. */
export interface Continue {
  readonly kind: 'Continue';
  readonly job: string;
  readonly step: number;
}

export interface SetBrandAllowed {
  readonly kind: 'SetBrandAllowed';
  readonly instance: string;
  readonly brand: string;
  readonly allowed: boolean;
  readonly user: string;
}

export interface AdjustPot {
  readonly kind: 'AdjustPot';
  readonly instance: string;
  /** A pot id, or `house`. */
  readonly pot: string;
  readonly account: 'current_value' | 'seed_value' | 'surplus_seed';
  readonly targetAtoms: bigint;
  readonly reason: string;
  readonly user: string;
  readonly mayDecrease: boolean;
  readonly idempotencyKey: Uint8Array | null;
  readonly expectedVersion: number | null;
}

export interface TriggerPot {
  readonly kind: 'TriggerPot';
  readonly instance: string;
  readonly pot: string;
  readonly brand: string;
  readonly player: string;
  readonly source: string;
  readonly user: string;
  readonly idempotencyKey: Uint8Array | null;
  /** Commands of older logs do not have it: they paid without an opt-in. */
  readonly checksOptIn?: boolean;
}

/** A rate table: units per one unit of the base currency. `brand` empty: the system's default table. */
export interface SetRates {
  readonly kind: 'SetRates';
  /** Rises with each stored table of the system. */
  readonly version: number;
  readonly brand: string;
  readonly base: string;
  /** [currency, multiplier as decimal string, minor-unit exponent or null for ISO 4217's], sorted by currency. */
  readonly multipliers: readonly (readonly [string, string, number | null])[];
  readonly updatedMs: number;
}

/** What a lane must know of a brand of the directory. */
export interface SetBrand {
  readonly kind: 'SetBrand';
  readonly brand: string;
  /** 32 bytes, secret: pseudonyms are HMAC-SHA-256 under it. */
  readonly salt: Uint8Array;
  /** Whether the brand has a wallet: then its players' wins become credits that wait for it. */
  readonly wallet: boolean;
  /** What W3 and W4 name as provider; whether a round without a win is closed with a credit of zero. */
  readonly provider: string;
  readonly closeRounds: boolean;
  readonly verificationLimitAtoms: bigint | null;
  readonly verificationCurrency: string;
}

export interface CommittedSeed {
  readonly epoch: number;
  /** SHA-256("JPD1/commit" ‖ instance ‖ u64 epoch ‖ S). */
  readonly commit: Uint8Array;
  /** AES-256-GCM of S: nonce 12 ‖ ciphertext 32 ‖ tag 16. */
  readonly sealed: Uint8Array;
  readonly keyId: string;
}

/** Opens epoch `epoch` and commits the seeds of later ones (docs/rules/draws.md "Seeds"). */
export interface OpenEpoch {
  readonly kind: 'OpenEpoch';
  readonly instance: string;
  readonly epoch: number;
  readonly seeds: readonly CommittedSeed[];
  readonly beacon: Uint8Array;
}

export interface RevealEpoch {
  readonly kind: 'RevealEpoch';
  readonly instance: string;
  readonly epoch: number;
  readonly seed: Uint8Array;
}

/** A timer that the owner writes when a deadline of the engine has passed (end of an epoch, a pause by deadline, …). */
export interface Tick {
  readonly kind: 'Tick';
  readonly instance: string;
}

/** What of an owner's settings decides what commands do: so it is a command's, and every host and every replay has the same. */
export interface EngineSettings {
  /** Length of a draw epoch; defaults 24 h and 2^20. */
  readonly epochMs: number;
  readonly epochSequences: number;
  /** Rate tables older than this are refused; absent: never. */
  readonly maximumRateAgeMs?: number;
  /** Rows of players that an operator's brands may have in a lane; absent: ten million. */
  readonly maximumPlayersPerOperator?: number;
  /** About what one message may tell in its OUT record; absent: without end, as owners of older versions say. */
  readonly maximumMessageBytes?: number;
}

export interface Own {
  readonly kind: 'Own';
  /** The owner's epoch: the fence's name, not a draw epoch. */
  readonly epoch: number;
  readonly host: string;
  /** In force from here on; null: those before it stay. */
  readonly settings: EngineSettings | null;
}

export interface UpgradeTo {
  readonly kind: 'UpgradeTo';
  readonly version: number;
}

/**
 * Says that an earlier message of the lane, named by its place and its bytes, is refused as a whole (docs/decisions/0067). It
 * takes effect where the message is applied; to apply this command changes nothing.
 */
export interface Quarantine {
  readonly kind: 'Quarantine';
  readonly sequence: number;
  /** Of the message's stored bytes. */
  readonly sha256: Uint8Array;
  /** Commands of that message; 0 where it does not read. */
  readonly commands: number;
  readonly reason: string;
  readonly user: string;
}

export type Command =
  | Contribute
  | CreateInstance
  | SetStatus
  | SetParameters
  | SetDetails
  | SetLinks
  | Bind
  | Unbind
  | SetBindingPriorities
  | SetSegment
  | OptIn
  | BulkOptIn
  | SwitchModel
  | Continue
  | SetBrandAllowed
  | AdjustPot
  | TriggerPot
  | SetRates
  | SetBrand
  | OpenEpoch
  | RevealEpoch
  | Tick
  | DebitSettled
  | CreditSettled
  | ReleaseCredit
  | RetryCredit
  | ResolveCredit
  | FlushSettled
  | Own
  | UpgradeTo
  | Quarantine;

export type CommandKind = Command['kind'];
