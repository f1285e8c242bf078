import type { MessageOutcome } from '../../jackpot/lane/lane.ts';
import type { LoggedBatch } from '../../messages/commands.ts';
import type { ContributionWin } from '../../messages/outcomes.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import type { InstanceDescription } from '../../messages/records.ts';
import type { FlushRecord, SettlementRecord } from '../../messages/settlements.ts';

/** What one step of a message moved between the accounts of an instance. */
export interface Posting {
  /** The command of the message; −1: what happens when the message ends. */
  readonly index: number;
  /** That of the contribution; 0 without one. */
  readonly part: number;
  readonly instance: string;
  /**
   * `contribution`: the parts of a contribution reached the accounts. `win`: a pot was paid and opened again.
   * `command`: all else. One step has one posting of a phase at an instance.
   */
  readonly phase: 'contribution' | 'win' | 'command';
  /** Only accounts that changed, named as in `accounts`; they sum to zero. */
  readonly amounts: readonly (readonly [account: string, atoms: bigint])[];
}

/** A contribution that an instance took in this message: at once, or once its player had paid. */
export interface BookedContribution {
  /** The command of this message that applied it: Contribute, DebitSettled or Tick. */
  readonly index: number;
  /** Its number among those that the command applied, from 0. */
  readonly part: number;
  readonly instance: string;
  /** The number of its record at the instance, and the epoch that this is in. */
  readonly instanceSequence: number;
  readonly epoch: number;
  /** Whole, also where it waited. */
  readonly command: Contribute;
  /** The id that answers and payments name: a link has its own. */
  readonly contributionId: string;
  readonly isLink: boolean;
  /** Where the command stands in the lane's log. */
  readonly made: { readonly sequence: number; readonly index: number };
  /** In the request's currency: the player's payment, that with the operator's part, and of it the bonus. */
  readonly debitAtoms: bigint;
  readonly requestAtoms: bigint;
  readonly bonusAtoms: bigint;
  /** In the instance's currency: C, the player's part of it, and base_wager. */
  readonly contributionAtoms: bigint;
  readonly playerAtoms: bigint;
  readonly wagerAtoms: bigint;
  /** The rate table that it was converted by; 0: it was not. */
  readonly rateVersion: number;
  readonly win: ContributionWin | null;
  readonly tickets: number;
}

/** A debit or credit that a message opened, changed or ended. */
export interface PaymentChange {
  /** As of a posting. */
  readonly index: number;
  /** null: it is opened. */
  readonly before: SettlementRecord | null;
  /** null: it is over. */
  readonly after: SettlementRecord | null;
}

/** A diversion that a message opened or ended. */
export interface FlushChange {
  readonly index: number;
  readonly flush: FlushRecord;
  /** null: it is opened. */
  readonly end: 'confirmed' | 'failed' | null;
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
  /** Each of these in the order in which it happened. */
  readonly postings: readonly Posting[];
  readonly contributions: readonly BookedContribution[];
  readonly payments: readonly PaymentChange[];
  readonly flushes: readonly FlushChange[];
  /** The state after the message; null: no such instance. To be asked before the next message is read. */
  instance(id: string): InstanceDescription | null;
  accounts(id: string): readonly (readonly [account: string, atoms: bigint])[] | null;
}
