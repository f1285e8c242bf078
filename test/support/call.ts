/** An answer of a gateway; `json` null: its body is empty. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it has asked for
  readonly json: any;
}

/** A request with a body as JSON; `token` '': without one. */
export async function callGateway(
  baseUrl: string,
  method: string,
  path: string,
  body?: unknown,
  token = '',
): Promise<Answer> {
  const { status, headers, text } = await callForText(baseUrl, method, path, body, token);
  return { status, headers, text, json: text === '' ? null : JSON.parse(text) };
}

/** The same where the answer need not be JSON. */
export async function callForText(
  baseUrl: string,
  method: string,
  path: string,
  body?: unknown,
  token = '',
): Promise<Omit<Answer, 'json'>> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
