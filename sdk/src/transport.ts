import { errorOf, LoginError, noAnswer } from './errors.ts';
import { type SigningKey, signatureHeaders } from './signing.ts';
import type { Tokens } from './tokens.ts';

/** How requests show who sends them. */
export type Authentication = { readonly tokens: Tokens } | { readonly key: SigningKey };

const replaceableTokenCodes = new Set<string>(['token_expired', 'token_revoked', 'unauthenticated']);

/**
 * `fetch` with the caller's credential, and at most `timeoutMs` for the whole answer. A request whose token was refused is
 * sent once more with a new one: Potstream checks tokens before anything has an effect. @throws LoginError
 */
export function authenticatedFetch(authentication: Authentication, send: typeof fetch, timeoutMs: number) {
  return (request: Request): Promise<Response> =>
    withinTime(timeoutMs, request.signal, async (signal) => {
      const { method, url } = request;
      const body = new Uint8Array(await request.arrayBuffer());
      const attempt = async (credential: Record<string, string>) => {
        const headers = new Headers(request.headers);
        for (const [name, value] of Object.entries(credential)) headers.set(name, value);
        const init = { method, headers, signal, redirect: 'error' } as const;
        return whole(await send(url, body.length === 0 ? init : { ...init, body }));
      };
      if ('key' in authentication) {
        const { pathname, search } = new URL(url);
        const signed = { method, pathAndQuery: pathname + search, body };
        return attempt(signatureHeaders(authentication.key, signed));
      }
      const { tokens } = authentication;
      const token = await tokenWithin(tokens, signal);
      const response = await attempt({ authorization: `Bearer ${token}` });
      if (response.status !== 401 || !(await wantsNewToken(response))) return response;
      tokens.discard(token);
      return attempt({ authorization: `Bearer ${await tokenWithin(tokens, signal)}` });
    });
}

/** The timer ends with the work: thousands of requests a second must not leave theirs behind. */
async function withinTime<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await work(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** With the body read, while there is time for it. */
async function whole(response: Response): Promise<Response> {
  const { status, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

/** The log-in goes on for other requests when this one has no more time. */
async function tokenWithin(tokens: Tokens, signal: AbortSignal): Promise<string> {
  try {
    return await Promise.race([tokens.current(), aborted(signal)]);
  } catch (error) {
    throw new LoginError(noAnswer(error));
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function wantsNewToken(response: Response): Promise<boolean> {
  const { code } = errorOf(response, await response.clone().text());
  return replaceableTokenCodes.has(code);
}
