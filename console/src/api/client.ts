import createClient from 'openapi-fetch';
import { heardOfBooks } from './books.ts';
import { ApiError, errorOf } from './errors.ts';
import { exactJson } from './exact-json.ts';
import type { paths } from './generated.ts';

/** The administrators' API, by the types of its document. The session is a cookie that no script reads. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  fetch: exactFetch,
});

async function exactFetch(request: Request): Promise<Response> {
  const response = await fetch(request).catch(() => {
    throw new ApiError(0, 'unreachable', 'The service does not answer. Is the network there?', null);
  });
  heardOfBooks(response.headers);
  const text = await response.text();
  if (text === '') return new Response(null, response);
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return new Response(isJson ? exactJson(text) : text, response);
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a success. @throws ApiError */
export async function bodyOf<T>(asked: Promise<Answered<T>>): Promise<NonNullable<T>> {
  return (await answerOf(asked)).body;
}

/** The same, with the headers. @throws ApiError */
export async function answerOf<T>(
  asked: Promise<Answered<T>>,
): Promise<{ readonly body: NonNullable<T>; readonly response: Response }> {
  const { data, error, response } = await asked;
  if (!response.ok) throw errorOf(response, error);
  return { body: data as NonNullable<T>, response };
}
