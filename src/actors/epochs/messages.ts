import { LogError } from '../../ports.ts';
import type { AlarmCode } from '../ports/alarm-codes.ts';
import type { EpochPlan } from '../ports/epoch-ports.ts';

/** What the thread that follows epochs is told. */
export type ToFollower =
  | {
      readonly kind: 'follow';
      readonly id: number;
      readonly plan: EpochPlan;
      /** Two places: what the lane has applied, what the replay has recorded. */
      readonly sequences: SharedArrayBuffer;
    }
  | { readonly kind: 'stop'; readonly id: number };

/** What it tells. */
export type FromFollower =
  | {
      readonly kind: 'alarm';
      readonly lane: number;
      readonly code: AlarmCode;
      readonly text: string;
    }
  | OfFollowing;

/** What the thread reports of one following. */
export type OfFollowing = { readonly id: number } & (
  | { readonly kind: 'published'; readonly instance: string; readonly epoch: number }
  | {
      readonly kind: 'failed';
      readonly instance: string;
      readonly epoch: number;
      readonly error: SentError;
    }
  | { readonly kind: 'fellBehind'; readonly messages: number }
  /** The last of its messages. `error` null: it was stopped. */
  | { readonly kind: 'ended'; readonly error: SentError | null }
);

/** An error without its class. `code` null: it is not the log's. */
export interface SentError {
  readonly code: LogError['code'] | null;
  readonly text: string;
}

export const appliedPlace = 0;
export const recordedPlace = 1;
const bytesOfPlaces = 16;

export function newSequences(): SharedArrayBuffer {
  return new SharedArrayBuffer(bytesOfPlaces);
}

export function sentError(error: unknown): SentError {
  const text = error instanceof Error ? error.message : String(error);
  return { code: error instanceof LogError ? error.code : null, text };
}

export function receivedError({ code, text }: SentError): Error {
  return code === null ? new Error(text) : new LogError(code, text);
}
