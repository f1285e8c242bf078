import { setTimeout as sleep } from 'node:timers/promises';
import { LogError, type StreamExtent, type StreamFill } from '../../ports.ts';
import { apiSubject } from '../names.ts';
import type { Requester } from './requester.ts';
import { type ServerError, toLogError } from './server-errors.ts';

const retryIntervalMs = 250;
const tryWithinMs = 20_000;

const apiTimeoutMs = 5_000;
const nanosPerMs = 1_000_000;

/** A request to JetStream's JSON interface; refusals come back as `error`, outages are thrown. */
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

export interface StreamState {
  readonly first_seq: number;
  readonly last_seq: number;
}

/** @throws LogError; an answer that did not come is `unavailable`, since asking changes nothing. */
export async function streamState(requester: Requester, stream: string): Promise<StreamState> {
  const answer = await asking(() =>
    askServer<{ state: StreamState }>(requester, `STREAM.INFO.${stream}`, null),
  );
  if (answer.error !== undefined) throw toLogError(answer.error, `State of ${stream}`);
  return answer.ok.state;
}

/** @throws LogError */
export async function streamExtent(requester: Requester, stream: string): Promise<StreamExtent> {
  const answer = await asking(() =>
    askServer<{ state: StreamState & { messages: number }; config: { max_age?: number } }>(
      requester,
      `STREAM.INFO.${stream}`,
      null,
    ),
  );
  if (answer.error !== undefined) throw toLogError(answer.error, `State of ${stream}`);
  const { state, config } = answer.ok;
  return {
    stream,
    firstSequence: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
    lastSequence: state.last_seq,
    messages: state.messages,
    maxAgeMs: (config.max_age ?? 0) / nanosPerMs,
  };
}

/** How many bytes a stream holds, and how many it may. @throws LogError */
export async function streamFill(requester: Requester, stream: string): Promise<StreamFill> {
  const answer = await asking(() =>
    askServer<{
      state: { bytes: number; messages: number; first_ts: string };
      config: { max_bytes?: number };
    }>(requester, `STREAM.INFO.${stream}`, null),
  );
  if (answer.error !== undefined) throw toLogError(answer.error, `State of ${stream}`);
  const { state, config } = answer.ok;
  const oldestMs = state.messages === 0 ? null : Date.parse(state.first_ts);
  return { stream, bytes: state.bytes, maxBytes: Math.max(0, config.max_bytes ?? 0), oldestMs };
}

/** For requests that change nothing: an unknown result is as good as none. */
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

/** Tries again what an outage stood in the way of, for a while. */
export async function throughShortOutages(attempt: () => Promise<void>): Promise<void> {
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
