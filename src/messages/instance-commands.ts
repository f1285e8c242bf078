/** What administrators do with instances, their pots and bindings. */
export type InstanceCommand =
  | CreateInstance
  | SetStatus
  | SetParameters
  | SetDetails
  | SetLinks
  | Bind
  | Unbind
  | SetBindingPriorities
  | SwitchModel
  | CancelSwitch
  | SetBrandAllowed
  | AdjustPot
  | TriggerPot;

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

/** The normal form of a configuration (docs/rules/configuration.md). */
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

/** A29: everything of `instance` moves to `target`, which is Pending and of the same group. */
export interface SwitchModel {
  readonly kind: 'SwitchModel';
  readonly instance: string;
  readonly target: string;
  /** For each pot of the source: which pots of the target take which fraction of it. */
  readonly rules: readonly TransferRule[];
  readonly transferOptIns: boolean;
  /** Accept worse odds, and a must-drop pot that is full at once. */
  readonly override: boolean;
  readonly reason: string;
  readonly user: string;
  /** The version of `instance`; absent: any, as in older logs. */
  readonly expectedVersion?: number;
  /** The version of `target`, whose configuration was approved; absent: any, as in older logs. */
  readonly targetVersion?: number;
}

/** Ends a switch of `instance` to `target` before its last command. */
export interface CancelSwitch {
  readonly kind: 'CancelSwitch';
  readonly instance: string;
  readonly target: string;
  readonly reason: string;
  readonly user: string;
}

export interface TransferRule {
  readonly source: string;
  /** [pot of the target, fraction as decimal string] */
  readonly targets: readonly (readonly [pot: string, fraction: string])[];
}

export interface SetBrandAllowed {
  readonly kind: 'SetBrandAllowed';
  readonly instance: string;
  readonly brand: string;
  readonly allowed: boolean;
  readonly user: string;
  /** Absent: any, as in older logs. */
  readonly expectedVersion?: number;
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
  /**
   * Without the approval that a rule asks for: the account must not fall, nor be set above this. Absent:
   * approved, or no approval is needed, as in older logs.
   */
  readonly unapprovedLimitAtoms?: bigint;
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
  /** Absent in commands of older logs, which paid without an opt-in. */
  readonly checksOptIn?: boolean;
  /** Absent: any, as in older logs. */
  readonly expectedVersion?: number;
}
