import { errorOf } from './errors.ts';
import { type SigningKey, signatureHeaders } from './signing.ts';
import type { Tokens } from './tokens.ts';

/** How requests show who sends them. */
export type Authentication = { readonly tokens: Tokens } | { readonly key: SigningKey };

const replaceableTokenCodes = new Set<string>(['token_expired', 'token_revoked', 'unauthenticated']);

/**
 * `fetch` with the caller's credential. A request whose token was refused is sent once more with a new one: Potstream
 * checks tokens before anything has an effect.
 */
export function authenticatedFetch(authentication: Authentication, send: typeof fetch) {
  return async (request: Request): Promise<Response> => {
    const body = new Uint8Array(await request.arrayBuffer());
    const attempt = (headers: Record<string, string>) => {
      const all = new Headers(request.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      const { method, signal } = request;
      const init = { method, headers: all, signal, redirect: 'error' } as const;
      return send(request.url, body.length === 0 ? init : { ...init, body });
    };
    if ('key' in authentication) {
      const { pathname, search } = new URL(request.url);
      const { method } = request;
      return attempt(signatureHeaders(authentication.key, { method, pathAndQuery: pathname + search, body }));
    }
    const { tokens } = authentication;
    const token = await tokens.current();
    const response = await attempt({ authorization: `Bearer ${token}` });
    if (response.status !== 401 || !(await wantsNewToken(response))) return response;
    tokens.discard(token);
    return attempt({ authorization: `Bearer ${await tokens.current()}` });
  };
}

async function wantsNewToken(response: Response): Promise<boolean> {
  const { code } = errorOf(response, await response.clone().text());
  return replaceableTokenCodes.has(code);
}
