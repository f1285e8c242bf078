import { createBackOff } from './back-off.ts';

export interface Answer {
  readonly status: number;
  /** null where the answer had no body. */
  readonly body: unknown;
  /** A list that says nothing (new) of lanes that do not serve. */
  readonly incomplete?: boolean;
}

/**
 * The public HTTP API as the demo uses it. Every call repeats the same bytes until it is answered or stopped.
 */
export interface Api {
  /**
   * Answers other than 503, 504 and 409 `idempotency_in_progress`; those and lost connections are tried
   * again.
   */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
}

/** An answer that the demo cannot go on with. */
export class DemoRefused extends Error {
  readonly code: string;
  readonly retryable = false;
  constructor(method: string, path: string, answer: Answer) {
    const { code = 'unknown', message = '' } = (answer.body ?? {}) as { code?: string; message?: string };
    super(`${method} ${path} was answered with ${answer.status} ${code}: ${message}`);
    this.name = 'DemoRefused';
    this.code = code;
  }
}

const laneStopped = 'instance_unavailable';

/** Some of what there may be cannot be seen or made now: a lane has stopped. */
export class LanesMissing extends Error {
  readonly code = laneStopped;
  readonly retryable = true;
}

export function isLaneMissing(error: unknown): boolean {
  return (error instanceof DemoRefused || error instanceof LanesMissing) && error.code === laneStopped;
}

const answerTimeoutMs = 10_000;

/** @param stopped ends all waiting: pending calls reject with its reason. */
export function openApi(baseUrl: () => string | Promise<string>, stopped: AbortSignal): Api {
  return {
    async call(method, path, body, token) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const backOff = createBackOff();
      for (;;) {
        const answer = await oneTry(`${await baseUrl()}${path}`, method, text, token, stopped);
        if (answer !== null && !isTemporary(answer)) return answer;
        await backOff.wait(stopped);
      }
    },
  };
}

/** Null: the connection was lost or never made; the request may have been applied. */
async function oneTry(
  address: string,
  method: string,
  text: string | undefined,
  token: string | undefined,
  stopped: AbortSignal,
): Promise<Answer | null> {
  const headers: Record<string, string> = {};
  if (text !== undefined) headers['content-type'] = 'application/json';
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const request = new AbortController();
  const abort = () => request.abort();
  const timer = setTimeout(abort, answerTimeoutMs);
  stopped.addEventListener('abort', abort);
  try {
    const response = await fetch(address, { method, headers, body: text ?? null, signal: request.signal });
    const body = await response.text();
    const incomplete = response.headers.has('x-incomplete');
    return { status: response.status, body: body === '' ? null : JSON.parse(body), incomplete };
  } catch {
    stopped.throwIfAborted();
    return null;
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener('abort', abort);
  }
}

function isTemporary(answer: Answer): boolean {
  const code = (answer.body as { code?: string } | null)?.code;
  // A lane that stopped waits for a person, and the demo must not wait with it.
  if (answer.status === 503 || answer.status === 504) return code !== laneStopped;
  return answer.status === 409 && code === 'idempotency_in_progress';
}
