import { everyOwner } from '../../../access/accounts/administrator-rights.ts';
import type { AdministratorPrincipal, Principal } from '../../../access/rights/principal.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import { asksForSecondFactor } from '../../../reference/refusals.ts';
import { PublicError } from '../../base/errors.ts';
import type { AuditedRequest, GatewayContext, Operation, OperationRequest } from './operation.ts';

const howToEnrol =
  'This needs a second factor, and the account has none. Enrol one: POST /auth/admin/second-factor, then PUT.';

/**
 * Whether an account with these owners needs a second factor for what moves money: where the whole system
 * requires it, or an operator that the account acts for (docs/decisions/0499).
 */
export function needsSecondFactor(
  { directory, requiresSecondFactor }: GatewayContext,
  { owners }: { readonly owners: Iterable<string> },
): boolean {
  const { operators } = directory.entries;
  const acting = [...owners];
  const own = acting.includes(everyOwner)
    ? operators.values()
    : acting.map((owner) => operators.get(operatorOf(owner)));
  return requiresSecondFactor || [...own].some((operator) => operator?.requires_second_factor === true);
}

/**
 * Refuses what moves money, or hands out the power to, to an administrator with a second factor who has not
 * shown a code of it lately, and to one without where it is required; of an approved change both have
 * (docs/rules/second-factor.md "What asks for it").
 * @throws PublicError second_factor_required
 */
export async function requireSecondFactor(
  operation: Operation,
  request: AuditedRequest,
  context: GatewayContext,
): Promise<void> {
  const {
    access: { secondFactors },
    clock,
  } = context;
  const principal = request.principal as unknown as Principal;
  if (request.approved !== null || principal.kind !== 'administrator') return;
  if (!asksForSecondFactor(operation) || operation.isHarmless?.(request) === true) return;
  if (!secondFactors.has(principal.subject)) {
    if (!beganAtProviderUnderRule(principal, context)) {
      if (!needsSecondFactor(context, principal)) return;
      if ((await operation.isFirstFactor?.(request, context)) === true) return;
    }
    throw new PublicError('second_factor_required', howToEnrol);
  }
  if ((secondFactors.validUntilMs(principal) ?? 0) <= clock.nowMs())
    throw new PublicError('second_factor_required');
}

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
