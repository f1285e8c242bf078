import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { ContributionError, errorOf } from './errors.ts';
import type { paths } from './generated/openapi.ts';
import { writeBody } from './json-text.ts';
import { Failure, type Pace, type RetryLimits, withRetries } from './retry.ts';

type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { 'application/json': infer Content } } };
}
  ? Content
  : never;

/** Body of O8. */
export type InstanceContribution = Body<'/v1/jackpot/instances/{instance_id}/contributions'>;
/** Body of O9. */
export type SourceContribution = Body<'/v1/jackpot/sources/{source_id}/contributions'>;
/** Body of O16. */
export type ContributionV2 = Body<'/v2/jackpot/contributions'>;

/** What one instance made of a contribution. */
export type ContributionResult =
  paths['/v2/jackpot/contributions']['post']['responses'][200]['content']['application/json'][number];

/** The answer to a contribution, the first one or a repeat of it. Amounts are exact decimals. */
export interface Contribution {
  /** The idempotency key was known: the contribution had been applied before, and this is how that one ended. */
  readonly replayed: boolean;
  readonly idempotency_key: string;
  readonly contribution_id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly request_id: string | null;
  /**
   * The instance that received it; with several, the main one. This and the next four are null for a contribution with
   * a `callback`, which is accepted before its result is known.
   */
  readonly instance_id: string | null;
  /** `0` without a win. */
  readonly win_amount: string | null;
  readonly win_currency: string | null;
  readonly tickets_awarded: number | null;
  /** Also null without a win. */
  readonly win_pot_id: string | null;
  /** One for each instance, the main one first. Empty for a repeat and with a `callback`. */
  readonly results: readonly ContributionResult[];
}

export interface ContributionOptions {
  /** Ends waiting and retries. The contribution may have been applied by then. */
  readonly signal?: AbortSignal;
}

/**
 * Contributions with safe retries. Each has one idempotency key, yours or a new one, and is sent again with the same key
 * and the same bytes after lost connections, timeouts, 429, 503, `idempotency_in_progress` and `outcome_unknown`.
 * All throw ContributionError.
 */
export interface Contributions {
  /** O8. */
  contributeToInstance(
    instanceId: string,
    body: InstanceContribution,
    options?: ContributionOptions,
  ): Promise<Contribution>;
  /** O9. */
  contributeBySource(
    sourceId: string,
    body: SourceContribution,
    options?: ContributionOptions,
  ): Promise<Contribution>;
  /** O16. */
  contribute(body: ContributionV2, options?: ContributionOptions): Promise<Contribution>;
}

export function createContributions(api: Api, limits: RetryLimits, pace: Pace): Contributions {
  const run = async (
    key: string,
    attempt: (init: ContributionOptions) => Promise<Attempt>,
    { signal }: ContributionOptions = {},
  ): Promise<Contribution> => {
    try {
      return await withRetries(
        async () => answerOf(key, await attempt(signal === undefined ? {} : { signal })),
        limits,
        pace,
        signal,
      );
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      throw new ContributionError(failure.error, key, failure.mayHaveEffect ? 'unknown' : 'not_applied');
    }
  };
  return {
    contributeToInstance(instance_id, content, options) {
      const { key, body, bodySerializer } = keyed(content);
      const params = { path: { instance_id } };
      const path = '/v1/jackpot/instances/{instance_id}/contributions';
      return run(key, (init) => api.POST(path, { params, body, bodySerializer, ...init }), options);
    },
    contributeBySource(source_id, content, options) {
      const { key, body, bodySerializer } = keyed(content);
      const params = { path: { source_id } };
      const path = '/v1/jackpot/sources/{source_id}/contributions';
      return run(key, (init) => api.POST(path, { params, body, bodySerializer, ...init }), options);
    },
    contribute(content, options) {
      const { key, body: keyedOptions } = keyed(content.options ?? {});
      const body = { ...content, options: keyedOptions };
      const bodySerializer = fixed(body);
      return run(
        key,
        (init) => api.POST('/v2/jackpot/contributions', { body, bodySerializer, ...init }),
        options,
      );
    },
  };
}

/** The content with an idempotency key, written once: every attempt sends the same bytes. */
function keyed<T extends { readonly idempotency_key?: string | null }>(content: T) {
  const key = content.idempotency_key ?? randomUUID();
  const body = { ...content, idempotency_key: key };
  return { key, body, bodySerializer: fixed(body) };
}

function fixed(body: object): () => string {
  const text = writeBody(body);
  return () => text;
}

interface Attempt {
  readonly response: Response;
  readonly data?: ContributionResult | readonly ContributionResult[] | undefined;
}

function answerOf(idempotencyKey: string, { response, data = [] }: Attempt): Contribution {
  const { headers, status } = response;
  const contributionId = headers.get('x-contribution-id');
  // Something on the way answered, and may have passed the contribution on.
  if (contributionId === null) throw errorOf(response, 'X-Contribution-Id is missing.');
  const tickets = headers.get('x-tickets-awarded');
  return {
    replayed: status === 204,
    idempotency_key: idempotencyKey,
    contribution_id: contributionId,
    timestamp: Number(headers.get('x-timestamp')),
    request_id: headers.get('x-request-id'),
    instance_id: headers.get('x-instance-id'),
    win_amount: headers.get('x-win-amount'),
    win_currency: headers.get('x-win-currency'),
    tickets_awarded: tickets === null ? null : Number(tickets),
    win_pot_id: headers.get('x-win-pot-id'),
    results: Array.isArray(data) ? data : [data as ContributionResult],
  };
}
