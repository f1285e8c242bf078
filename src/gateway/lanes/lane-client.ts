import type { TraceParent } from '../../lib/tracing.ts';
import type { ReceivedReply } from '../../messages/bus-messages.ts';
import type { Command, LoggedCommand } from '../../messages/commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../messages/queries.ts';

/** The outcome of one command, and its place in the log. */
export interface LaneAnswer {
  readonly outcome: CommandOutcome;
  readonly lane: number;
  /** Sequence of the message in `CMD_<lane>`; its outcome record has the same in `OUT_<lane>`. */
  readonly sequence: number;
  /** Place of the command in its message. */
  readonly index: number;
  /** The lane's time of the message. */
  readonly timestampMs: number;
}

/** Where a command stands in the log of a lane. */
export interface LogPosition {
  readonly sequence: number;
  readonly index: number;
}

/** A command that was applied earlier, read back from the log with its outcome. */
export interface RecordedCommand extends LaneAnswer {
  readonly command: LoggedCommand;
}

/** Where the outcome of a command goes; one of the two is called, once, and neither throws. */
export interface LaneCaller {
  resolve(answer: LaneAnswer): void;
  reject(error: Error): void;
}

/** The way of an operation into the lanes. All throw PublicError on outages. */
export interface LaneClient {
  readonly lanes: number;
  /** The lane of a group: FNV-1a-32(group) mod lanes. */
  laneOf(group: string): number;
  /**
   * Stores the command and waits for its outcome. `stored` gets its place once the log has acknowledged it.
   * @throws 503 if it is certainly not stored, 504 if that is unknown
   */
  send(
    lane: number,
    command: Command,
    stored?: (position: LogPosition) => void,
    trace?: TraceParent,
  ): Promise<LaneAnswer>;
  /**
   * The same without a promise, for callers with thousands of commands under way.
   * @throws PublicError as `send` where nothing is sent
   */
  submit(lane: number, command: Command, caller: LaneCaller): void;
  /** The log's time of a stored message. */
  timeOf(lane: number, sequence: number): Promise<number>;
  /** Reads an applied command back; waits (bounded) for its outcome record. */
  readBack(lane: number, sequence: number, index: number): Promise<RecordedCommand>;
  /** Asks the lane's actor; the answer is never older than what this gateway has shown of that lane. */
  query(lane: number, query: LaneQuery): Promise<LaneQueryAnswer>;
  /** The sequence up to which the lane's outcomes were stored half a minute ago; 0: that is not known. */
  pastEnd(lane: number): number;
  /** Calls the listener with each answered batch of this gateway, before its callers are answered. */
  onReply(listener: (reply: ReceivedReply) => void): void;
}
