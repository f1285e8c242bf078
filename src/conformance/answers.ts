import { readAmount } from '../contracts/amount.ts';
import { readExactJson } from '../lib/exact-json.ts';
import { formatAmount } from '../lib/money.ts';
import { type Members, members } from '../lib/unknown-json.ts';
import { judge } from '../wallet/answer.ts';
import { CheckFailed, ensure } from './check.ts';
import type { Exchange } from './client.ts';

/** The service asks these questions of every answer, too (docs/rules/wallets.md "Answers"). */

/** The members of a positive answer. */
export function accepted(exchange: Exchange): Members {
  ensure(kindOf(exchange) === 'accepted', `The request was not accepted: ${describe(exchange)}`, exchange);
  const body = readExactJson(exchange.text);
  ensure(
    typeof body === 'object' && body !== null && !Array.isArray(body),
    'The answer is not a JSON object.',
    exchange,
  );
  return members(body);
}

/** A definite refusal: 4xx with the error's shape, but none of 401, 403, 408, 425 and 429. */
export function refused(exchange: Exchange): void {
  const kind = kindOf(exchange);
  ensure(kind !== 'accepted', 'The request was accepted.', exchange);
  ensure(
    kind === 'refused',
    `The answer is not a definite refusal, so the service does not know what happened: ${describe(exchange)}`,
    exchange,
  );
}

/** The transaction certainly counts for nothing, as far as this answer to W2 or W5 says. */
export function confirmed(exchange: Exchange): void {
  const isGone = kindOf(exchange) === 'refused' && (exchange.status === 404 || exchange.status === 409);
  if (!isGone) accepted(exchange);
}

/** An amount in an answer, in atoms. */
export function amountOf(exchange: Exchange, member: string): bigint {
  const value = accepted(exchange)[member];
  const read = typeof value === 'number' || typeof value === 'string' ? readAmount(value) : null;
  if (read === null || !read.ok)
    throw new CheckFailed(`\`${member}\` is not an exact amount of zero or more.`, exchange);
  return read.atoms;
}

/** Two amounts that must be equal. */
export function ensureAmount(
  what: string,
  actual: bigint,
  expected: bigint,
  exchange: Exchange | null = null,
): void {
  ensure(
    actual === expected,
    `${what} is ${formatAmount(actual)}; it must be ${formatAmount(expected)}.`,
    exchange,
  );
}

export function kindOf({ status, text, fault }: Exchange): 'accepted' | 'refused' | 'unknown' {
  return status === null || fault !== null ? 'unknown' : judge(status, text).kind;
}

function describe({ status, fault }: Exchange): string {
  return fault ?? `status ${status}.`;
}
