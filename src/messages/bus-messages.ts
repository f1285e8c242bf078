import type { ReadModelEvent } from './events.ts';
import type { CommandOutcome } from './outcomes.ts';
import type { LiveValuesNews } from './records.ts';

/** The answer to a contribution of an earlier batch whose player had to pay first. */
export interface LateAnswer {
  /** Place in that batch. */
  readonly index: number;
  /** Sequence of that batch in the command log. */
  readonly sequence: number;
  readonly outcome: CommandOutcome;
}

/** About how many bytes of the log a win took (docs/decisions/0065). */
export interface WinSize {
  readonly brand: string;
  readonly bytes: number;
}

/** `reply.<gateway>`: the answer to one batch, with the live values of the instances that it touched. */
export interface BatchReply {
  readonly batchId: Uint8Array;
  readonly lane: number;
  readonly sequence: number;
  readonly timestampMs: number;
  /** One for each command; empty in a reply with late answers. */
  readonly outcomes: readonly CommandOutcome[];
  /** Packed (codec/live-values.ts). */
  readonly liveValues: Uint8Array;
  readonly events: readonly ReadModelEvent[];
  /** What the wins of the message made the log store: for quotas. */
  readonly wins: readonly WinSize[];
  readonly late: readonly LateAnswer[];
}

/** A reply as a gateway reads it. */
export type ReceivedReply = Omit<BatchReply, 'liveValues'> & {
  readonly allLiveValues: readonly LiveValuesNews[];
};

/** `tick.<lane>`: absolute live values; `appliedSequence` is the lane's. */
export interface LaneTick {
  readonly lane: number;
  readonly appliedSequence: number;
  readonly storedOutcome: number;
  /** Packed (codec/live-values.ts). */
  readonly liveValues: Uint8Array;
}

/** A tick as gateways and fan-outs read it. */
export type ReceivedTick = Omit<LaneTick, 'liveValues'> & {
  readonly allLiveValues: readonly LiveValuesNews[];
};

/**
 * What a lane's host can do: `serving` everything; `full` (a stream has little room) no new contributions;
 * `stopped` nothing, for the reason in `code`.
 */
export type LaneCondition = 'serving' | 'full' | 'stopped';

/** `heartbeat.<lane>`: who owns it, how far it is, and what it can do. */
export interface Heartbeat {
  readonly lane: number;
  readonly host: string;
  readonly term: number;
  readonly appliedSequence: number;
  readonly storedOutcome: number;
  readonly condition: LaneCondition;
  /** The alarm that stopped the lane, or the stream that is full; '' while it serves. */
  readonly code: string;
  /** The head at `appliedSequence`. Absent: an earlier version, or a lane that stopped. */
  readonly laneHead?: Uint8Array | undefined;
  /** Commands that this life of the host has applied in the lane. Absent as above. */
  readonly appliedCommands?: number | undefined;
}
