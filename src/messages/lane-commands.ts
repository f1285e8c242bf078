/** The next step of work that is cut into steps (docs/rules/log.md "Work in steps"). A step that was done changes nothing. */
export interface Continue {
  readonly kind: 'Continue';
  readonly job: string;
  readonly step: number;
}

/** What a lane must know of a segment of the directory: its priority among the player's segments. */
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
