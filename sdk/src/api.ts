import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { errorOf, noAnswer } from './errors.ts';
import { exactAnswer } from './exact-decimals.ts';
import type { paths } from './generated/openapi.ts';
import { type Authentication, authenticatedFetch } from './transport.ts';

/**
 * Every operation below /v1 and /v2 that a service may call, typed from the OpenAPI document. Decimals are strings in
 * both directions. Errors are thrown as PotstreamError, so `data` is always the answer.
 */
export type Api = Client<paths>;

/** @param timeoutMs of each request */
export function createApi(
  baseUrl: string,
  authentication: Authentication,
  send: typeof fetch,
  timeoutMs: number,
): Api {
  const authenticated = authenticatedFetch(authentication, send, timeoutMs);
  const api = createClient<paths>({ baseUrl, fetch: authenticated, redirect: 'error' });
  api.use(answers);
  return api;
}

const answers: Middleware = {
  onError({ error }) {
    return noAnswer(error);
  },
  async onResponse({ request, response, schemaPath }) {
    const text = await response.text();
    const { status, headers } = response;
    if (!response.ok || !(text === '' || isJson(headers))) throw errorOf(response, text);
    if (status === 204) return new Response(null, { status, headers });
    const exact = new Headers(headers);
    // Both describe the bytes that came.
    for (const name of ['content-length', 'content-encoding']) exact.delete(name);
    return new Response(exactAnswer(request.method, schemaPath, text), { status, headers: exact });
  },
};

function isJson(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
}
