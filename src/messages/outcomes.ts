import type { LaneEvent } from './events.ts';
import type { Refusal, RefusalCode } from './refusals.ts';
import type { LaneWork } from './settlements.ts';

/** The result of a command: one for each command of a message, in order. */
export type CommandOutcome =
  | Contributed
  /** The player has to pay first: a later message has the result (`Settled`). */
  | { readonly kind: 'Pending' }
  /** Contributions whose last debit has settled: their callers wait for these answers. */
  | { readonly kind: 'Settled'; readonly contributions: readonly SettledContribution[] }
  /** The idempotency key was first used at that message and index. The gateway compares the fingerprints. */
  | { readonly kind: 'Duplicate'; readonly sequence: number; readonly index: number }
  | Refusal
  /** A change was made, or an owner's command was applied. `instance` is empty for commands without one. */
  | { readonly kind: 'Done'; readonly instance: string; readonly version: number }
  /** A step of a bulk opt-in; the remaining rows follow step by step. */
  | {
      readonly kind: 'BulkOptedIn';
      readonly remaining: number;
      readonly errors: readonly RowError[];
    }
  | { readonly kind: 'OptedIn'; readonly succeeded: readonly string[]; readonly failed: readonly string[] }
  /** A30: the win that the trigger paid. */
  | {
      readonly kind: 'Triggered';
      readonly instance: string;
      readonly pot: string;
      readonly winAmountAtoms: bigint;
      readonly timestampMs: number;
    };

export interface SettledContribution {
  /** Place of the contribution in the command log, and of its caller. */
  readonly sequence: number;
  readonly index: number;
  readonly gateway: string;
  readonly batchId: Uint8Array;
  readonly idempotencyKey: Uint8Array | null;
  /** Whether a callback waits for it. */
  readonly callback: boolean;
  readonly result: Contributed | Refusal;
}

/** Why a row of a bulk command was refused; `message` empty: the code's own. */
export interface RowError {
  /** From 0. */
  readonly row: number;
  readonly code: RefusalCode;
  readonly message: string;
}

/** A contribution was applied: the main result first, then one for each linked instance that took it. */
export interface Contributed {
  readonly kind: 'Contributed';
  readonly results: readonly ContributionOutcome[];
}

export interface ContributionOutcome {
  readonly instance: string;
  /** The instance's sequence number. */
  readonly sequence: number;
  /** C: what reached the instance, in its currency. */
  readonly contributionAtoms: bigint;
  /** C in the request's currency: `contribution_amount`. */
  readonly requestAtoms: bigint;
  readonly bonusAtoms: bigint;
  readonly win: ContributionWin | null;
  readonly tickets: number;
  /** The lane's time of its record, where its answer waited for other debits; absent: that of the answer. */
  readonly timestampMs?: number;
}

export interface ContributionWin {
  readonly pot: string;
  /** The main winner's amount in the jackpot's currency. */
  readonly amountAtoms: bigint;
  readonly currency: string;
  readonly withheld: boolean;
}

export interface InstanceTouched {
  readonly instance: string;
  readonly head: Uint8Array;
  readonly firstSequence: number;
}

/** One OUT record, of its CMD message's sequence. All but `outcomes` is derived from the engine's state. */
export interface OutcomeRecord {
  readonly sequence: number;
  /** Time of the lane: max(previous, the message's stream timestamp). */
  readonly timestampMs: number;
  /** SHA-256 chain over the records of the lane. */
  readonly laneHead: Uint8Array;
  readonly instances: readonly InstanceTouched[];
  readonly outcomes: readonly CommandOutcome[];
  readonly events: readonly LaneEvent[];
  readonly work: readonly LaneWork[];
  /** Keys of its draws' key streams, in the order in which these began; absent: none is named. */
  readonly streamKeys?: readonly Uint8Array[];
}
