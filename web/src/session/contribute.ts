export interface ContributionRequest {
  readonly target: { readonly type: 'instance' | 'source'; readonly id: string };
  readonly brand_id: string;
  readonly player_id: string;
  /** A decimal string: money is never a float, not even in a form. */
  readonly base_wager: string;
  readonly currency: string;
  readonly idempotency_key: string;
}

export interface ContributionResult {
  readonly instance_id: string;
  readonly timestamp: number;
  readonly win_amount: number | string;
  readonly win_pot_id: string | null;
  readonly tickets_awarded: number;
  readonly contribution_currency: string;
  readonly contribution_amount: number | string;
}

export interface ContributionAnswer {
  readonly status: number;
  /** Milliseconds from the click to the answer. */
  readonly tookMs: number;
  /** The documented headers that came with it, in a fixed order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly result: ContributionResult | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const shownHeaders = [
  'X-Contribution-Id',
  'X-Instance-Id',
  'X-Timestamp',
  'X-Win-Amount',
  'X-Win-Currency',
  'X-Win-Pot-Id',
  'X-Tickets-Awarded',
  'X-Request-Id',
] as const;

const requestTimeoutMs = 10_000;

/** Sends one contribution on behalf of a demo player. Throws only where no answer came at all. */
export async function sendContribution(request: ContributionRequest): Promise<ContributionAnswer> {
  const startedMs = performance.now();
  const response = await fetch('/demo/contribute', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  const text = await response.text();
  const tookMs = performance.now() - startedMs;
  const headers = shownHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const body: unknown = text === '' ? null : JSON.parse(text);
  return {
    status: response.status,
    tookMs,
    headers,
    result: response.ok && body !== null ? (body as ContributionResult) : null,
    error: response.ok ? null : (body as { code: string; message: string }),
  };
}
