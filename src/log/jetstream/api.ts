import { setTimeout as sleep } from 'node:timers/promises';
import { LogError, type StreamExtent, type StreamFill } from '../../ports.ts';
import { apiSubject } from '../base/names.ts';
import type { StreamContents } from '../base/spare-room.ts';
import { type ClusterState, isOfMajority } from './cluster-state.ts';
import type { Requester } from './requester.ts';
import { isStreamMissing, type ServerError, toLogError } from './server-errors.ts';

const retryIntervalMs = 250;
const tryWithinMs = 20_000;

const apiTimeoutMs = 5_000;
const nanosPerMs = 1_000_000;

/** Sends a request to the JetStream API. Refusals come back as `error`. @throws LogError on outages */
export async function askServer<T>(
  requester: Requester,
  operation: string,
  request: unknown,
  timeoutMs: number = apiTimeoutMs,
): Promise<{ readonly ok: T; readonly error?: never } | { readonly error: ServerError }> {
  const payload = request === null ? '' : JSON.stringify(request);
  const answer = await requester.send(apiSubject(operation), payload, timeoutMs);
  const parsed: T & { error?: ServerError } = answer.json();
  return parsed.error === undefined ? { ok: parsed } : { error: parsed.error };
}

interface StreamState {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly num_subjects?: number;
}

interface SubjectsPage {
  readonly subjects_filter: string;
  readonly offset: number;
}

/** What nats-server says of a stream. */
export interface StreamInfo {
  /** The server's time. */
  readonly ts: string;
  readonly state: StreamState & {
    readonly messages: number;
    readonly bytes: number;
    readonly first_ts: string;
    /** The subjects of the page that was asked for, with the number of messages of each. */
    readonly subjects?: Readonly<Record<string, number>>;
  };
  readonly total?: number;
  readonly config: Readonly<Record<string, unknown>> & {
    readonly max_age?: number;
    readonly max_bytes?: number;
  };
  readonly cluster?: ClusterState;
}

/** What the server that answers says of a stream, whether or not a majority agrees. @throws LogError */
export async function describeStream(
  requester: Requester,
  stream: string,
  page: SubjectsPage | null = null,
): Promise<StreamInfo> {
  const info = await findStream(requester, stream, page);
  if (info === null) throw new LogError('misconfigured', `Looking for ${stream}: stream not found`);
  return info;
}

/** The same; null: there is no such stream. @throws LogError */
export async function findStream(
  requester: Requester,
  stream: string,
  page: SubjectsPage | null = null,
): Promise<StreamInfo | null> {
  const answer = await asking(() => askServer<StreamInfo>(requester, `STREAM.INFO.${stream}`, page));
  if (answer.error === undefined) return answer.ok;
  if (isStreamMissing(answer.error)) return null;
  throw toLogError(answer.error, `Looking for ${stream}`);
}

/** `page`: of the subjects; null: without them. */
async function streamInfo(
  requester: Requester,
  stream: string,
  page: SubjectsPage | null = null,
): Promise<StreamInfo> {
  const info = await describeStream(requester, stream, page);
  if (!isOfMajority(info.cluster))
    throw new LogError('unavailable', `${stream} has no leader that a majority of its servers hears.`);
  return info;
}

/**
 * The first and last sequence of a stream, and how many subjects its messages have.
 * @throws LogError; a missing answer is `unavailable`
 */
export async function streamState(requester: Requester, stream: string): Promise<StreamState> {
  return (await streamInfo(requester, stream)).state;
}

/** Sequences, number of messages and maximum age (0: unlimited) of a stream. @throws LogError */
export async function streamExtent(requester: Requester, stream: string): Promise<StreamExtent> {
  const { state, config } = await streamInfo(requester, stream);
  return {
    stream,
    firstSequence: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
    lastSequence: state.last_seq,
    messages: state.messages,
    maxAgeMs: (config.max_age ?? 0) / nanosPerMs,
  };
}

/** The subjects of a stream's messages that match, of any number. @throws LogError */
export async function storedSubjects(
  requester: Requester,
  stream: string,
  filter: string,
): Promise<readonly string[]> {
  const subjects: string[] = [];
  for (;;) {
    const page = { subjects_filter: filter, offset: subjects.length };
    const { state, total = 0 } = await streamInfo(requester, stream, page);
    const names = Object.keys(state.subjects ?? {});
    for (const name of names) subjects.push(name);
    if (names.length === 0 || subjects.length >= total) return subjects;
  }
}

/** Messages and bytes of a stream, and the bytes that it may hold (0: unlimited). @throws LogError */
export async function streamContents(requester: Requester, stream: string): Promise<StreamContents> {
  const { state, config } = await streamInfo(requester, stream);
  return { messages: state.messages, bytes: state.bytes, maxBytes: maxBytesOf(config) };
}

/** Bytes that a stream holds and may hold (0: unlimited), and its oldest message's time. @throws LogError */
export async function streamFill(requester: Requester, stream: string): Promise<StreamFill> {
  const { state, config } = await streamInfo(requester, stream);
  const oldestMs = state.messages === 0 ? null : Date.parse(state.first_ts);
  return { stream, bytes: state.bytes, maxBytes: maxBytesOf(config), oldestMs };
}

function maxBytesOf({ max_bytes = 0 }: StreamInfo['config']): number {
  return Math.max(0, max_bytes);
}

/** Runs a request that changes nothing, so an unknown result is `unavailable`. @throws LogError */
export async function asking<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof LogError && error.code === 'unknown') {
      throw new LogError('unavailable', error.message, { cause: error });
    }
    throw error;
  }
}

/** Repeats `attempt` after retryable LogErrors, for at most 20 s. @throws the last error */
export async function throughShortOutages<T>(attempt: () => Promise<T>): Promise<T> {
  const deadlineMs = performance.now() + tryWithinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const tryAgain = error instanceof LogError && error.retryable && performance.now() < deadlineMs;
      if (!tryAgain) throw error;
    }
    await sleep(retryIntervalMs);
  }
}
