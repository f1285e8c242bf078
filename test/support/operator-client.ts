/** An operator's client as docs/rules/http.md "Idempotency" suggests it: a repeat with the same idempotency key until there is a definite answer. */
export interface ContributionAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown> | null;
}

const retryEveryMs = 100;
const giveUpAfterMs = 90_000;
const retryable = new Set([409, 408, 429, 500, 502, 503, 504]);
/** A repeat of an answered contribution has the same ones again. */
export const repeatedHeaders = [
  'x-contribution-id',
  'x-instance-id',
  'x-timestamp',
  'x-win-amount',
  'x-win-currency',
  'x-win-pot-id',
  'x-tickets-awarded',
];

/** Of a contribution with a key of its own: a first answer that got lost shows as 204. It counts once either way. */
export function firstStatus({ status, tries }: { readonly status: number; readonly tries: number }): number {
  return status === 204 && tries > 1 ? 200 : status;
}

export class OperatorClient {
  private readonly baseUrl: string;
  private readonly token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  static async login(
    baseUrl: string,
    service: { username: string; password: string },
  ): Promise<OperatorClient> {
    return new OperatorClient(baseUrl, await loggedIn(`${baseUrl}/v1/auth/service`, service));
  }

  /** One try; throws where the connection failed. */
  contribute(instance: string, body: Record<string, unknown>): Promise<ContributionAnswer> {
    return this.#post(`/v1/jackpot/instances/${instance}/contributions`, body);
  }

  /** The same to the jackpot that a source leads to. */
  contributeBySource(source: string, body: Record<string, unknown>): Promise<ContributionAnswer> {
    return this.#post(`/v1/jackpot/sources/${source}/contributions`, body);
  }

  async #post(path: string, body: Record<string, unknown>): Promise<ContributionAnswer> {
    const answer = await fetch(`${this.baseUrl}${path}`, {
      ...json('POST', body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    const headers = Object.fromEntries(repeatedHeaders.map((name) => [name, answer.headers.get(name) ?? '']));
    return { status: answer.status, headers, body: text === '' ? null : JSON.parse(text) };
  }

  /** Repeats until the answer is definite; counts the tries. */
  async contributeSurely(
    instance: string,
    body: Record<string, unknown>,
  ): Promise<ContributionAnswer & { tries: number }> {
    const deadline = performance.now() + giveUpAfterMs;
    for (let tries = 1; ; tries += 1) {
      const answer = await this.contribute(instance, body).catch(() => null);
      if (answer && !retryable.has(answer.status)) return { ...answer, tries };
      if (performance.now() > deadline)
        throw new Error(`no definite answer: ${answer?.status} ${JSON.stringify(answer?.body)}`);
      await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
    }
  }
}

export class AdministratorClient {
  private readonly baseUrl: string;
  private readonly token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  static async login(
    baseUrl: string,
    admin: { username: string; password: string },
  ): Promise<AdministratorClient> {
    return new AdministratorClient(baseUrl, await loggedIn(`${baseUrl}/auth/admin`, admin));
  }

  /** Who its token is of. */
  subject(): string {
    const claims = Buffer.from(this.token.split('.')[1]!, 'base64url').toString();
    return (JSON.parse(claims) as { sub: string }).sub;
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${this.baseUrl}${path}`, {
      ...json(method, body),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        authorization: `Bearer ${this.token}`,
      },
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }
}

/** The token. */
export async function loggedIn(url: string, credentials: object): Promise<string> {
  const { status, text } = await judged(() => logIn(url, credentials));
  if (status !== 200) throw new Error(`login: ${status} ${text}`);
  return (JSON.parse(text) as { token: string }).token;
}

/** A single try. */
export async function logIn(url: string, credentials: object): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, json('POST', credentials));
  return { status: answer.status, text: await answer.text() };
}

/** The first answer that says something of the password: a busy gateway says 503, as threads of low priority hash passwords. */
export async function judged<A extends { readonly status: number }>(attempt: () => Promise<A>): Promise<A> {
  const deadline = performance.now() + giveUpAfterMs;
  for (;;) {
    const answer = await attempt();
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
  }
}

function json(method: string, body: unknown): RequestInit {
  if (body === undefined) return { method };
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
