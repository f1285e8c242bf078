import type { AdministratorPrincipal, Principal } from '../../../access/rights/principal.ts';
import { asksForSecondFactor } from '../../../reference/refusals.ts';
import { PublicError } from '../../base/errors.ts';
import type { AuditedRequest, GatewayContext, Operation, OperationRequest } from './operation.ts';

/**
 * Refuses what moves money, or hands out the power to, to an administrator with a second factor who has not
 * shown a code of it lately; of an approved change both have
 * (docs/rules/second-factor.md "What asks for it").
 * @throws PublicError second_factor_required
 */
export function requireSecondFactor(
  operation: Operation,
  request: AuditedRequest,
  context: GatewayContext,
): void {
  const { access, clock } = context;
  const { secondFactors } = access;
  const principal = request.principal as unknown as Principal;
  if (request.approved !== null || principal.kind !== 'administrator') return;
  if (!asksForSecondFactor(operation) || operation.isHarmless?.(request) === true) return;
  if (!secondFactors.has(principal.subject)) {
    if (!beganAtProviderUnderRule(principal, context)) return;
    throw new PublicError('second_factor_required', howToEnrol);
  }
  if ((secondFactors.validUntilMs(principal) ?? 0) <= clock.nowMs())
    throw new PublicError('second_factor_required');
}

const howToEnrol =
  'What an identity provider vouches for needs a second factor of ours under the four-eyes rule: POST /auth/admin/second-factor enrols one.';

/**
 * Whether the session began at the identity provider of an operator with the four-eyes rule: who runs that
 * could be both of its two persons, but for our own factor (docs/decisions/0501).
 */
export function beganAtProviderUnderRule(
  { provider }: AdministratorPrincipal,
  { directory }: GatewayContext,
): boolean {
  if (provider === undefined) return false;
  const operator = directory.entries.operators.get(provider);
  return operator === undefined || operator.four_eyes?.enabled === true;
}

/** Whether the body, which may repeat ids of the path, disables and does nothing else. */
export function onlyDisables({ body, params }: Pick<OperationRequest, 'body' | 'params'>): boolean {
  const { enabled, ...others } = body as Readonly<Record<string, unknown>>;
  const isAbsent = (name: string) => (others[name] ?? null) === null || name in params;
  return enabled === false && Object.keys(others).every(isAbsent);
}
