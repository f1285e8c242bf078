import type { DrawRules } from '../instance/epochs.ts';

/** What the engine's versions do differently; both ways stay (docs/rules/log.md "Engine versions"). */
export interface VersionRules {
  /** An explicit opt-out ends new contributions of the player to the instance. */
  readonly optOutsEndContributions: boolean;
  /** An instance's game code is the source of its transactions, whatever the request names. */
  readonly gameCodesAreSources: boolean;
  /** Community shares and prizes have a game round each, and their batches name none. */
  readonly sharesHaveOwnRounds: boolean;
  /** A result whose answer waits for other debits has the time of its own record. */
  readonly resultsHaveOwnTimes: boolean;
  /** The draw rules of an epoch that begins now, which its header names (docs/jpd1.md "8. The draw"). */
  readonly drawRules: DrawRules;
  /** A pot that a person disabled can be enabled again, and an instance without another waits for that. */
  readonly potsAreEnabledAgain: boolean;
  /** An instance does not start after its timestamp_end. */
  readonly endsBeforeStart: boolean;
  /** An idempotency key of a contribution belongs to the brand, and not to all of the operator. */
  readonly keysAreOfBrands: boolean;
  /** A model switch leaves a running target: opt-ins are copied first, and payments do not hinder it. */
  readonly switchesWhileRunning: boolean;
  /** The priority of a binding that names none and comes after all others. */
  readonly highestPriority: number;
  /**
   * An unapproved change is judged by the value at its place, and a target keeps its approved configuration.
   */
  readonly approvalsAreFenced: boolean;
  /** Outcome records are stored in blocks (docs/rules/log.md "Blocks"). No record differs by it. */
  readonly recordsAreInBlocks: boolean;
  /** Debits of brands that want it share a W4. */
  readonly debitsAreBatched: boolean;
  /** An outcome record names the keys of its draws. */
  readonly drawsNameKeys: boolean;
}

export function rulesOf(version: number): VersionRules {
  const second = version >= 2;
  return {
    optOutsEndContributions: second,
    potsAreEnabledAgain: second,
    endsBeforeStart: second,
    gameCodesAreSources: second,
    sharesHaveOwnRounds: second,
    resultsHaveOwnTimes: second,
    drawRules: second ? 2 : 1,
    keysAreOfBrands: second,
    switchesWhileRunning: second,
    highestPriority: second ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER,
    approvalsAreFenced: second,
    recordsAreInBlocks: version >= 3,
    debitsAreBatched: version >= 3,
    drawsNameKeys: version >= 4,
  };
}
