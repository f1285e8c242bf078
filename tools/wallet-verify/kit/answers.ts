import { formatAmount, roundedDecimal } from '../../../src/lib/money.ts';
import { type Members, members } from '../../../src/lib/unknown-json.ts';
import { undocumentedMember } from '../../../src/wallet/calls/documented-answers.ts';
import { judge } from '../../../src/wallet/client/answer.ts';
import { CheckFailed, ensure } from './check.ts';
import type { Exchange } from './client.ts';

/** The service asks these questions of every answer, too (docs/rules/wallets.md "Answers"). */

/** The members of a positive answer. */
export function accepted(exchange: Exchange): Members {
  ensure(kindOf(exchange) === 'accepted', `The request was not accepted: ${describe(exchange)}`, exchange);
  return members(JSON.parse(exchange.text));
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

/** An amount in an answer, in atoms, rounded half up. */
export function amountOf(exchange: Exchange, member: string): bigint {
  const value = accepted(exchange)[member];
  if (typeof value !== 'number' && typeof value !== 'string')
    throw new CheckFailed(`\`${member}\` is missing.`, exchange);
  return roundedAtoms(value);
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

export function kindOf({ call, status, text, fault }: Exchange): 'accepted' | 'refused' | 'unknown' {
  if (status === null || fault !== null) return 'unknown';
  return judge(status, text, (body) => undocumentedMember(call, body) === null).kind;
}

/** Why an answer was not accepted. */
export function describe({ call, status, text, fault }: Exchange): string {
  if (fault !== null || status === null) return fault ?? 'no answer.';
  const answer = judge(status, text);
  if (answer.kind !== 'accepted') return `status ${status}.`;
  const member = undocumentedMember(call, answer.body);
  return member === '' ? 'it is no JSON object.' : `\`${member}\` is missing or of another type.`;
}

/** The nearest atoms, half up, of an amount of any size. */
function roundedAtoms(value: number | string): bigint {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(String(value));
  const [, sign, units = '0', decimals = '', exponent = '0'] = parts ?? [];
  const atoms = roundedDecimal(units + decimals, 8 + Number(exponent) - decimals.length);
  return sign === '-' ? -atoms : atoms;
}
