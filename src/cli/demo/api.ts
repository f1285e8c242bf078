import { createBackOff } from './back-off.ts';

export interface Answer {
  readonly status: number;
  /** null where the answer had no body. */
  readonly body: unknown;
}

/** The public HTTP API as the demo uses it. Every call repeats the same bytes until it is answered or stopped. */
export interface Api {
  /** Answers other than 503, 504 and 409 `idempotency_in_progress`; those and lost connections are tried again. */
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
    return { status: response.status, body: body === '' ? null : JSON.parse(body) };
  } catch {
    stopped.throwIfAborted();
    return null;
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener('abort', abort);
  }
}

function isTemporary(answer: Answer): boolean {
  if (answer.status === 503 || answer.status === 504) return true;
  return answer.status === 409 && (answer.body as { code?: string }).code === 'idempotency_in_progress';
}
