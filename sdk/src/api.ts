import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { errorOf } from './errors.ts';
import { exactAnswer } from './exact-decimals.ts';
import type { paths } from './generated/openapi.ts';
import { type Authentication, authenticatedFetch } from './transport.ts';

/**
 * Every operation below /v1 and /v2 that a service may call, typed from the OpenAPI document. Decimals are strings in
 * both directions. Errors are thrown as PotstreamError, so `data` is always the answer.
 */
export type Api = Client<paths>;

export function createApi(baseUrl: string, authentication: Authentication, send: typeof fetch): Api {
  const api = createClient<paths>({
    baseUrl,
    fetch: authenticatedFetch(authentication, send),
    redirect: 'error',
  });
  api.use(answers);
  return api;
}

const answers: Middleware = {
  async onResponse({ request, response, schemaPath }) {
    const text = await response.text();
    if (!response.ok) throw errorOf(response, text);
    const { status, headers } = response;
    if (status === 204) return new Response(null, { status, headers });
    const exact = new Headers(headers);
    // Both describe the bytes that came.
    for (const name of ['content-length', 'content-encoding']) exact.delete(name);
    return new Response(exactAnswer(request.method, schemaPath, text), { status, headers: exact });
  },
};
