import type { InstanceCommand } from './instance-commands.ts';
import type { LaneCommand } from './lane-commands.ts';
import type { PlayerCommand } from './player-commands.ts';
import type { SettlementCommand } from './settlement-commands.ts';

/**
 * The commands of a lane. Amounts are atoms (1e-8 of a major unit), times milliseconds. `configuration` is in
 * normal form: amounts, shares and multipliers plain decimal strings, absent and null members left out.
 */
export type Command = PlayerCommand | InstanceCommand | LaneCommand | SettlementCommand;

export type CommandKind = Command['kind'];

/**
 * A stored command that this version cannot read, or that its channel must not carry. It keeps its place in
 * the batch, and the engine refuses it.
 */
export interface UnusableCommand {
  readonly kind: 'Unreadable' | 'NotOfThisChannel';
}

/** A command as the log returns it. */
export type LoggedCommand = Command | UnusableCommand;

/** One CMD message: at most 256 commands, applied in order, answered to `reply.<gateway>`. */
export interface CommandBatch {
  /** 16 bytes; its hex form is the Nats-Msg-Id. */
  readonly batchId: Uint8Array;
  /** Empty: no gateway waits for an answer. */
  readonly gateway: string;
  readonly commands: readonly Command[];
}

/** A CMD message as the log returns it. */
export interface LoggedBatch extends Omit<CommandBatch, 'commands'> {
  readonly commands: readonly LoggedCommand[];
}
