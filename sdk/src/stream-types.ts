import type { Agent } from 'node:http';
import type { ContributionResult, ContributionV2 } from './contributions.ts';
import type { ContributionOutcome, ErrorCode, PotstreamError } from './errors.ts';

/** One contribution for the stream. */
export interface StreamItem<Ref> {
  /** Yours, of any type, and given back with the result. It stays in this process and need not be unique. */
  readonly ref: Ref;
  /** Body of O16. Without an idempotency key in its options it gets a new one. */
  readonly contribution: ContributionV2;
}

interface Answered<Ref> {
  readonly ref: Ref;
  readonly idempotency_key: string;
  /** How often it was sent: more than once after a lost connection or a refusal for lack of room. */
  readonly attempts: number;
}

/** A contribution that was applied, now or before. */
export interface StreamedContribution<Ref> extends Answered<Ref> {
  readonly ok: true;
  /** The idempotency key was known; with several attempts perhaps by an earlier one of these. The rest is as in a first answer. */
  readonly replayed: boolean;
  /** One for each instance, the main one first. Empty with a `callback`. */
  readonly results: readonly ContributionResult[];
  /** Only with a `callback`. */
  readonly contribution_id: string | null;
  /** Milliseconds since the epoch; only with a `callback`. */
  readonly timestamp: number | null;
}

/** A contribution that was refused: the end of this one, not of the stream. */
export interface StreamedRefusal<Ref> extends Answered<Ref> {
  readonly ok: false;
  readonly error: {
    readonly status_code: number | null;
    readonly code: ErrorCode;
    readonly message: string;
    readonly retry_after_ms: number | null;
  };
  readonly outcome: ContributionOutcome;
}

/** Each contribution gets exactly one, in the order of completion. */
export type StreamResult<Ref> = StreamedContribution<Ref> | StreamedRefusal<Ref>;

/** What a stream that failed leaves: these have no result. */
export interface OpenContribution<Ref> {
  readonly ref: Ref;
  readonly idempotency_key: string;
  /** `unknown`: it may have been applied. Send it again with the same key. */
  readonly outcome: ContributionOutcome;
}

export interface StreamLimits {
  /** Contributions under way: taken from the input, and the caller has not taken their results. */
  readonly maxContributions: number;
  /** Bytes of their lines. One contribution may exceed it. */
  readonly maxBytes: number;
  /** Characters of results that the caller has not taken; beyond, nothing is read from the connection. */
  readonly maxUnreadCharacters: number;
  /** Until the head of the answer comes. */
  readonly openTimeoutMs: number;
  /** Without a byte of an answer while contributions are under way. */
  readonly silenceMs: number;
  /** For the result of one contribution. */
  readonly answerTimeoutMs: number;
  /** How long no connection may bring a result before the stream gives up. */
  readonly patienceMs: number;
  /** A connection without contributions sends an empty line so often: the service ends idle ones after 65 s. */
  readonly idleLineMs: number;
}

export const defaultStreamLimits: StreamLimits = {
  maxContributions: 4_096,
  maxBytes: 8 * 1024 * 1024,
  maxUnreadCharacters: 1024 * 1024,
  openTimeoutMs: 10_000,
  silenceMs: 30_000,
  answerTimeoutMs: 120_000,
  patienceMs: 120_000,
  idleLineMs: 25_000,
};

export interface StreamOptions {
  readonly limits?: Partial<StreamLimits>;
  /** Ends the stream with a StreamError. */
  readonly signal?: AbortSignal;
  /** A connection was lost or refused, and another one follows. */
  readonly onInterrupted?: (error: PotstreamError) => void;
  /** Of `node:http` or `node:https`, for a proxy or certificates of your own. */
  readonly agent?: Agent;
}
