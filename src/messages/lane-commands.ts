/** What the owner of a lane writes, and Quarantine, which `potstream lane` writes. */
export type LaneCommand =
  | Continue
  | SetSegment
  | SetRates
  | SetBrand
  | OpenEpoch
  | RevealEpoch
  | Tick
  | Own
  | UpgradeTo
  | Quarantine;

/** The next step of long work (docs/rules/log.md "Work in steps"). A repeated step changes nothing. */
export interface Continue {
  readonly kind: 'Continue';
  readonly job: string;
  readonly step: number;
}

/** Copies a segment's priority among the player's segments from the directory into the lane. */
export interface SetSegment {
  readonly kind: 'SetSegment';
  readonly owner: string;
  readonly segment: string;
  /** null: the segment is gone. */
  readonly priority: number | null;
}

/** A rate table: units per one unit of the base currency. `brand` empty: the system's default table. */
export interface SetRates {
  readonly kind: 'SetRates';
  /** Rises with each stored table of the system. */
  readonly version: number;
  readonly brand: string;
  readonly base: string;
  /**
   * [currency, multiplier as decimal string, minor-unit exponent or null for ISO 4217's], sorted by currency.
   */
  readonly multipliers: readonly (readonly [string, string, number | null])[];
  readonly updatedMs: number;
}

/** Copies the facts of a brand from the directory into the lane. */
export interface SetBrand {
  readonly kind: 'SetBrand';
  readonly brand: string;
  /** 32 bytes, secret: pseudonyms are HMAC-SHA-256 under it. */
  readonly salt: Uint8Array;
  /** Whether the brand has a wallet: the wins of its players become credits. */
  readonly wallet: boolean;
  /** The provider in W3 and W4; whether a credit of zero closes a round without a win. */
  readonly provider: string;
  readonly closeRounds: boolean;
  readonly verificationLimitAtoms: bigint | null;
  readonly verificationCurrency: string;
  /**
   * Contributions that say otherwise of the wallet are refused (docs/decisions/0271). Absent in older logs.
   */
  readonly walletMustMatch?: boolean;
  /** Debits of its players that wait at the same time share a W4. Absent in older logs. */
  readonly batchDebits?: boolean;
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

/** The owner writes it when a deadline of the engine has passed (end of an epoch, a pause by deadline, …). */
export interface Tick {
  readonly kind: 'Tick';
  readonly instance: string;
}

/**
 * An owner's settings that decide what commands do. As part of a command they are the same for every replay.
 */
export interface EngineSettings {
  /** Length of a draw epoch; defaults 24 h and 2^20. */
  readonly epochMs: number;
  readonly epochSequences: number;
  /** Rate tables older than this are refused; absent: never. */
  readonly maximumRateAgeMs?: number;
  /** Rows of players that an operator's brands may have in a lane; absent: ten million. */
  readonly maximumPlayersPerOperator?: number;
  /** About how many bytes of events a message may have in its OUT record; absent: unlimited. */
  readonly maximumMessageBytes?: number;
}

export interface Own {
  readonly kind: 'Own';
  /** The owner's term: the n-th owner of the lane has term n. */
  readonly term: number;
  readonly host: string;
  /** In force from here on; null: those before it stay. */
  readonly settings: EngineSettings | null;
}

export interface UpgradeTo {
  readonly kind: 'UpgradeTo';
  readonly version: number;
}

/**
 * Refuses an earlier message of the lane as a whole (docs/decisions/0067). It takes effect where that message
 * is applied; applying this command changes nothing.
 */
export interface Quarantine {
  readonly kind: 'Quarantine';
  readonly sequence: number;
  /** Hash of the stored bytes of that message. */
  readonly sha256: Uint8Array;
  /** Number of commands in that message; 0 if it is unreadable. */
  readonly commands: number;
  readonly reason: string;
  readonly user: string;
}
