import type { MessageOutcome } from '../../jackpot/lane/lane.ts';
import type { LoggedBatch } from '../../messages/commands.ts';
import type { InstanceDescription } from '../../messages/records.ts';

/** What one step of a message moved between the accounts of an instance. */
export interface Posting {
  /** The command of the message; −1: what happens when the message ends. */
  readonly index: number;
  readonly instance: string;
  /**
   * `contribution`: the parts of a contribution reached the accounts. `win`: a pot was paid and opened again.
   * `command`: all else that the command changed.
   */
  readonly phase: 'contribution' | 'win' | 'command';
  /** The record of the instance that a contribution made (as `BookedPrice` has it); 0: no contribution. */
  readonly instanceSequence: number;
  /** Only accounts that changed, named as in `accounts`; they sum to zero. */
  readonly amounts: readonly (readonly [account: string, atoms: bigint])[];
}

/** A contribution that an instance took in this message: at once, or once its debit had settled. */
export interface BookedPrice {
  /** The command of this message that applied it: Contribute, DebitSettled or Tick. */
  readonly index: number;
  readonly instance: string;
  readonly instanceSequence: number;
  /** The main contribution's id, as a UUID; a link of it has the same. */
  readonly contributionId: string;
  /** Whether the instance took it as a link of the main one. */
  readonly isLink: boolean;
  /** In the currency of the instance: C, the player's part of it, and base_wager. */
  readonly contributionAtoms: bigint;
  readonly playerAtoms: bigint;
  readonly wagerAtoms: bigint;
}

/** A message of a lane with what it did to the books. */
export interface BookedMessage {
  readonly lane: number;
  readonly sequence: number;
  /** Lane time. */
  readonly timestampMs: number;
  /** The lane head after the message. */
  readonly head: Uint8Array;
  readonly batch: LoggedBatch;
  readonly outcome: MessageOutcome;
  readonly postings: readonly Posting[];
  readonly prices: readonly BookedPrice[];
  /** The state after the message; null: no such instance. To be asked before the next message is read. */
  instance(id: string): InstanceDescription | null;
  accounts(id: string): readonly (readonly [account: string, atoms: bigint])[] | null;
}
