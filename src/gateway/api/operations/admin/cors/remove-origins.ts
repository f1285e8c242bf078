import { corsRulesRemoved, removedCorsRules } from '../../../../../contracts/directory/cors.ts';
import { canonicalPattern } from '../../../../../network/origin-rules.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { changeCorsRules } from './change-rules.ts';
import { auditOwners, authentication, rulesOwner } from './rules-owner.ts';

/**
 * O24: removes the rules with these patterns. A pattern without a rule is no fault. Answers with how many were removed,
 * and with every rule that is left, as O23 does.
 */
export const removeCorsOriginsOperation = defineOperation({
  id: 'O24',
  name: 'Remove cross-origin rules',
  method: 'DELETE',
  path: '/v1/cors/origins',
  surface: 'admin',
  authentication,
  input: { body: removedCorsRules },
  output: corsRulesRemoved,
  refusals: [403, 404],
  limits: { bodyBytes: 1024 * 1024 },
  auditOwners,
  async handle({ principal, body }, context) {
    const operator = rulesOwner(context, principal, body.operator_id);
    const patterns = new Set(body.cors_origin_list.flatMap(spellingsOf));
    const { rules, before } = await changeCorsRules(context, operator, (current) =>
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
