import { frameStored, unframeStored } from './frame.ts';

const headAt = 2;

/** What the chain of lane heads takes of a stored OUT record, whatever version of it. */
export interface RecordHead {
  readonly sequence: number;
  readonly laneHead: Uint8Array;
  /** The record encoded with an empty lane head: head_n = SHA-256(head_{n−1} ‖ body). */
  readonly body: Uint8Array;
}

/** @throws LogError `corrupt` where the bytes are damaged. */
export function recordHead(frame: Uint8Array): RecordHead | null {
  const raw = unframeStored(frame);
  if (!Array.isArray(raw)) return null;
  const [sequence, , laneHead] = raw as readonly unknown[];
  if (typeof sequence !== 'number' || !(laneHead instanceof Uint8Array)) return null;
  const body = frameStored(raw.with(headAt, new Uint8Array(0)));
  return { sequence, laneHead: new Uint8Array(laneHead), body };
}
