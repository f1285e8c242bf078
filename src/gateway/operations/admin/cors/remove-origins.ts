import { system } from '../../../../access/authorize.ts';
import { corsRulesRemoved, removedCorsRules } from '../../../../contracts/cors.ts';
import { canonicalPattern } from '../../../../network/origin-rules.ts';
import { defineOperation } from '../../../operation.ts';
import { requireAllowed } from '../shared/owner-access.ts';
import { changeCorsRules } from './change-rules.ts';

/**
 * O24: removes the rules with these patterns. A pattern without a rule is no fault. Answers with how many were removed,
 * and with every rule that is left. Administrators of the whole system only.
 */
export const removeCorsOrigins = defineOperation({
  id: 'O24',
  name: 'Remove cross-origin rules',
  method: 'DELETE',
  path: '/v1/cors/origins',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { body: removedCorsRules },
  output: corsRulesRemoved,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    requireAllowed(principal, 'secure', system, 'forbidden');
    const patterns = new Set(body.cors_origin_list.flatMap(spellingsOf));
    const { rules, before } = await changeCorsRules(context, (current) =>
      current.filter(({ pattern }) => !patterns.has(pattern)),
    );
    return { status: 200, body: { removed: before - rules.length, cors_origin_list: rules } };
  },
});

/** As it may be stored. */
function spellingsOf(pattern: string): string[] {
  const canonical = (['exact', 'subdomain'] as const).flatMap(
    (mode) => canonicalPattern(pattern, mode) ?? [],
  );
  return [pattern, ...canonical];
}
