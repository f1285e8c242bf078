import { Packr, Unpackr } from 'msgpackr';
import type { ContributionV2 } from './contributions.ts';
import { headBytes } from './frame-cutter.ts';
import { writeMetadata } from './json-text.ts';

/**
 * The binary form of the contribution stream (docs/rules/contribution-frames.md "Frames"): frames of a length and a MessagePack value. Pure
 * functions of bytes, for a client of the stream; neither reads nor writes a connection.
 */

/** Of the request and of its answer. */
export const framesMediaType = 'application/vnd.potstream.contributions+msgpack; version=1';

/** What a contribution is recognized by in its result: a text of 1 to 128 characters, or a whole number. */
export type FrameRef = string | number;

/** The body of O16 with its ref. */
export type FramedContribution = ContributionV2 & { readonly ref: FrameRef };

/** What one instance made of a contribution. Amounts are exact decimals. */
export interface FramedResult {
  readonly instance_id: string;
  /** Milliseconds since the epoch: that of the instance's record of the contribution. */
  readonly timestamp: number;
  readonly contribution_amount: string;
  readonly bonus_amount_used: string;
  readonly tickets_awarded: number;
  readonly win: {
    readonly amount: string;
    readonly pot_id: string;
    /** Until somebody releases it. */
    readonly withheld: boolean;
  } | null;
}

export interface FramedError {
  readonly status_code: number;
  readonly code: string;
  readonly message: string;
  /** Seconds; null: the error has no such time. */
  readonly retry_after: number | null;
}

/** A frame of the answer. `frame` counts those of the request from 1, empty ones too. */
export type ResultFrame =
  | {
      readonly kind: 'applied';
      readonly ref: FrameRef;
      /** That of the first result. Milliseconds since the epoch. */
      readonly timestamp: number;
      readonly replayed: boolean;
      readonly results: readonly FramedResult[];
    }
  | {
      /** It is stored, and its callback gets the outcome. */
      readonly kind: 'accepted';
      readonly ref: FrameRef;
      readonly timestamp: number;
      readonly replayed: boolean;
      /** A UUID. */
      readonly contribution_id: string;
    }
  | {
      readonly kind: 'refused';
      /** null: the frame has no good one. */
      readonly ref: FrameRef | null;
      readonly frame: number;
      readonly error: FramedError;
    }
  /** The stream ended early: `frame` and those behind it were not taken. */
  | { readonly kind: 'last'; readonly frame: number; readonly error: FramedError };

const requiredMembers = 11;
const sourceTypes: readonly string[] = ['gameround', 'deposit', 'bet', 'other'];
const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });
const unpackr = new Unpackr({ useRecords: false, int64AsType: 'number' });

/** One frame, with its length. */
export function encodeContribution(contribution: FramedContribution): Uint8Array {
  const { ref, target, source, operator_id, player, base_wager, options } = contribution;
  const members: unknown[] = [
    ref,
    target.type === 'source' ? 1 : 0,
    target.id,
    operator_id,
    player.brand_id,
    player.id,
    player.token,
    player.country,
    source.id,
    base_wager.value,
    base_wager.currency,
    options?.idempotency_key,
    writeMetadata(contribution.metadata),
    source.type === 'gameround' ? null : sourceTypes.indexOf(source.type),
    player.segments,
    options?.vertical_id,
    options?.game_code,
    options?.game_category,
    options?.allow_linked_contributions,
    options?.callback == null ? null : [options.callback.web_hook, options.callback.win_result_only],
    options?.bonus == null ? null : [options.bonus.bonus_id, options.bonus.amount, options.bonus.currency],
    writeMetadata(contribution.event_metadata),
  ];
  let length = members.length;
  while (length > requiredMembers && members[length - 1] == null) length -= 1;
  members.length = length;
  return framed(packr.pack(members));
}

/** A frame of nothing: it keeps a silent stream open. */
export function emptyFrame(): Uint8Array {
  return new Uint8Array(headBytes);
}

/** The value of a frame of the answer. @throws Error for bytes that this version does not know */
export function decodeResult(value: Uint8Array): ResultFrame {
  const [kind, ref, ...rest] = unpackr.unpack(value);
  switch (kind) {
    case 0: {
      const [timestamp, replayed, results] = rest;
      return { kind: 'applied', ref, timestamp, replayed, results: results.map(resultOf(timestamp)) };
    }
    case 1: {
      const [timestamp, replayed, id] = rest;
      return { kind: 'accepted', ref, timestamp, replayed, contribution_id: uuidOf(id) };
    }
    case 2: {
      const [frame, ...error] = rest;
      return { kind: 'refused', ref, frame, error: errorOf(error) };
    }
    case 3: {
      const [frame, ...error] = rest;
      return { kind: 'last', frame, error: errorOf(error) };
    }
    default:
      throw new Error('A frame of the answer is of a kind that is not known.');
  }
}

function framed(value: Uint8Array): Uint8Array {
  const frame = new Uint8Array(headBytes + value.length);
  new DataView(frame.buffer).setUint32(0, value.length);
  frame.set(value, headBytes);
  return frame;
}

type PackedResult = readonly [
  instance: string,
  contribution: string,
  bonus: string,
  tickets: number,
  win: readonly [string, string, boolean] | null,
  timestamp?: number,
];

function resultOf(frameTimestamp: number): (packed: PackedResult) => FramedResult {
  return ([
    instance_id,
    contribution_amount,
    bonus_amount_used,
    tickets_awarded,
    win,
    timestamp = frameTimestamp,
  ]) => ({
    instance_id,
    timestamp,
    contribution_amount,
    bonus_amount_used,
    tickets_awarded,
    win: win === null ? null : { amount: win[0], pot_id: win[1], withheld: win[2] },
  });
}

function errorOf([status_code, code, message, retry_after]: readonly unknown[]): FramedError {
  return { status_code, code, message, retry_after } as FramedError;
}

function uuidOf(id: Uint8Array): string {
  const text = Buffer.from(id).toString('hex');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
