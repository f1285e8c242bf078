import { decodeWith, frameStored, unframeStored } from '../../messages/codec/frame.ts';
import { flag, list, number, record, text } from '../../messages/codec/layout.ts';

/** One lane's part of a replay: the callbacks of a time range are made again from the log and sent. */
export interface ReplayJob {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Owners of the callbacks; empty: all. An operator stands for its brands. */
  readonly owners: readonly string[];
  readonly createdMs: number;
  /** The next record; 0: it has not begun. */
  readonly next: number;
  /** The last record that there was when it was asked for. */
  readonly last: number;
  readonly deliveries: number;
  /** Callbacks whose commands the log has lost. */
  readonly lost: number;
  readonly isDone: boolean;
}

/** The replay of what was accepted before the outbox was first started. */
export const backlogId = '00000000-0000-0000-0000-000000000000';

/** A replay that has not begun, of all owners and of no time yet. */
export function newReplay(id: string, createdMs: number): ReplayJob {
  return {
    id,
    fromMs: 0,
    toMs: 0,
    owners: [],
    createdMs,
    next: 0,
    last: 0,
    deliveries: 0,
    lost: 0,
    isDone: false,
  };
}

const layout = record<ReplayJob>({
  id: text,
  fromMs: number,
  toMs: number,
  owners: list(text),
  createdMs: number,
  next: number,
  last: number,
  deliveries: number,
  lost: number,
  isDone: flag,
});

/** The bytes of a job in KV DELIVERIES. */
export function encodeReplayJob(job: ReplayJob): Uint8Array {
  return frameStored(layout.pack(job));
}

/** Reads a job. @throws LogError `corrupt` */
export function decodeReplayJob(frame: Uint8Array): ReplayJob {
  return decodeWith('replay', unframeStored(frame), layout.unpack);
}
