import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../src/config/settings.ts';
import { readExactJson } from '../../src/lib/exact-json.ts';
import {
  administratorCredentials,
  CredentialsError,
  type GatewayLogin,
  type LoginChoices,
} from './credentials.ts';
import { askHidden } from './hidden-input.ts';

export type { LoginChoices } from './credentials.ts';

/**
 * An answer of the gateway. Numbers that a double may not hold exactly are strings in `json`; `text` is as it
 * came.
 */
export interface AdministratorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** undefined: an empty body. */
  readonly json: unknown;
}

/** The gateway refused a request, or gave no answer. The message is for the user of a command. */
class AdministratorError extends Error {
  /** The error's code in the answer; null: there was none. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

const answerTimeoutMs = 60_000;
const maxAnswerBytes = 64 * 1024 * 1024;
const maxTries = 4;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/**
 * Logs in as an administrator and does the work of a command, which gives its exit code: 1 where the gateway
 * refuses or gives no answer, 2 where credentials are missing.
 */
export async function withAdministrator(
  settings: Settings,
  choices: LoginChoices,
  print: (line: string) => void,
  work: (client: AdministratorClient) => Promise<number>,
): Promise<number> {
  const { dataDirectory, administratorClient } = settings;
  try {
    const credentials = await administratorCredentials(dataDirectory, administratorClient, choices);
    return await work(await AdministratorClient.logIn(credentials));
  } catch (error) {
    if (!(error instanceof AdministratorError || error instanceof CredentialsError)) throw error;
    print(error.message);
    return error instanceof CredentialsError ? 2 : 1;
  }
}

/** Calls the administration of a gateway over HTTP, as one administrator. */
export class AdministratorClient {
  readonly #url: URL;
  readonly #ask: typeof askHidden;
  #token = '';

  private constructor(url: URL, ask: typeof askHidden) {
    this.#url = url;
    this.#ask = ask;
  }

  /** `ask` gets a code of the second factor where a change needs one; null: it cannot be asked for. */
  static async logIn(
    { url, username, password }: GatewayLogin,
    ask = askHidden,
  ): Promise<AdministratorClient> {
    const client = new AdministratorClient(url, ask);
    client.#token = client.#tokenOf(await client.#call('POST', '/auth/admin', { username, password }));
    return client;
  }

  /** @throws AdministratorError for every answer that is not 2xx */
  get(path: string): Promise<AdministratorAnswer> {
    return this.#call('GET', path);
  }

  /** Every try has the same idempotency key, so a repeat changes nothing twice. @throws AdministratorError */
  async post(path: string, body: unknown): Promise<AdministratorAnswer> {
    const key = randomUUID();
    try {
      return await this.#call('POST', path, body, key);
    } catch (error) {
      if (!(error instanceof AdministratorError) || error.code !== 'second_factor_required') throw error;
      // Where one is required, the message says how to get one.
      if (!(await this.#hasSecondFactor())) throw error;
      const code = await this.#ask('Code of your second factor: ');
      if (code === null) throw error;
      this.#token = this.#tokenOf(await this.#call('POST', '/auth/admin/step-up', { code: code.trim() }));
      return this.#call('POST', path, body, key);
    }
  }

  async #hasSecondFactor(): Promise<boolean> {
    const { json } = await this.get('/auth/admin/me');
    return (
      (json as { readonly second_factor?: { readonly is_enrolled?: unknown } }).second_factor?.is_enrolled ===
      true
    );
  }

  #tokenOf({ json }: AdministratorAnswer): string {
    const token = (json as { readonly token?: unknown } | undefined)?.token;
    if (typeof token === 'string') return token;
    throw new AdministratorError(`${this.#url.host} is not a gateway of Potstream.`, null);
  }

  async #call(method: string, path: string, body?: unknown, key?: string): Promise<AdministratorAnswer> {
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === maxTries;
      const answer = await this.#try(method, path, body, key).catch((error: unknown) => {
        if (isLast || error instanceof AdministratorError) throw asError(error, this.#url);
        return null;
      });
      if (answer !== null && (isLast || !busyStatuses.has(answer.status))) return accepted(answer);
      await sleep(pauseMs(tries, answer));
    }
  }

  async #try(method: string, path: string, body: unknown, key?: string): Promise<AdministratorAnswer> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.#token !== '') headers.authorization = `Bearer ${this.#token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (key !== undefined) headers['idempotency-key'] = key;
    const response = await fetch(new URL(`${basePath(this.#url)}${path}`, this.#url), {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await boundedText(response);
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
  }
}

function basePath(url: URL): string {
  return url.pathname.replace(/\/+$/, '');
}

async function boundedText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new AdministratorError('The answer is too large.', null);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** undefined: no JSON; a proxy's page, for example. */
function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : readExactJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @throws AdministratorError for every status that is not 2xx */
function accepted(answer: AdministratorAnswer): AdministratorAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const { code, message, detail } = (answer.json ?? {}) as Readonly<Record<string, unknown>>;
  const known = typeof code === 'string' ? code : null;
  const said = [message, detail].filter((each) => typeof each === 'string').join(' ');
  throw new AdministratorError(`${known ?? answer.status}: ${said || answer.text.slice(0, 200)}`, known);
}

function asError(error: unknown, { host }: URL): AdministratorError {
  if (error instanceof AdministratorError) return error;
  const { message, cause } = error as Error;
  const reason =
    cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
  return new AdministratorError(`${host} gives no answer: ${reason}`, null);
}

function pauseMs(tries: number, answer: AdministratorAnswer | null): number {
  const asked = Number(answer?.headers.get('retry-after') ?? 0) * 1000;
  return Math.min(Math.max(firstPauseMs * 2 ** (tries - 1), asked || 0), maxPauseMs);
}
