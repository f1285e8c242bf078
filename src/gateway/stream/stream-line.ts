import type { Contribute } from '../../messages/player-commands.ts';
import type { Draft } from '../api/contribution/contribute.ts';
import type { LaneAnswer, LaneCaller } from '../lanes/lane-client.ts';
import type { Ref } from './ref.ts';

/** Beside its text, which is in its command and in the message of its lane. */
const ownBytes = 256;

/** Lines hand themselves over when their lane has answered. */
export interface LineOwner {
  answered(line: StreamLine): void;
}

/** A line under way: everything that its result needs, so that no closure has to remember it. */
export class StreamLine implements LaneCaller {
  readonly number: number;
  readonly beganMs: number;
  readonly #owner: LineOwner;
  ref: Ref = null;
  /** About what it holds. */
  readonly bytes: number;
  /** About how large its result may be. */
  resultBytes = 0;
  /** Of the operator's quota, for a win. */
  reservedBytes = 0;
  draft: Draft<string> | null = null;
  command: Contribute | null = null;
  answer: LaneAnswer | null = null;
  /** What the caller gets, in JSON. */
  result = '';
  error: unknown = null;

  constructor(owner: LineOwner, number: number, bytes: number, beganMs: number) {
    this.#owner = owner;
    this.number = number;
    this.bytes = ownBytes + 2 * bytes;
    this.beganMs = beganMs;
  }

  resolve(answer: LaneAnswer): void {
    this.answer = answer;
    this.#owner.answered(this);
  }

  reject(error: Error): void {
    this.error = error;
    this.#owner.answered(this);
  }
}
