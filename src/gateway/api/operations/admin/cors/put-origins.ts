import {
  type CorsRule,
  corsRulesShape,
  type MatchMode,
  matchModes,
  maxCorsRules,
  newCorsRules,
} from '../../../../../contracts/directory/cors.ts';
import { canonicalPattern, fitTogether } from '../../../../../network/origin-rules.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { changeCorsRules } from './change-rules.ts';
import { auditOwners, authentication, rulesOwner } from './rules-owner.ts';

/**
 * O23: adds rules, and changes the mode of those whose pattern is there already; all of them or none. Answers with every
 * rule of the operator or, for administrators of it, of the whole system. docs/rules/http.md "Cross-origin requests"
 */
export const putCorsOriginsOperation = defineOperation({
  id: 'O23',
  name: 'Add or change cross-origin rules',
  method: 'PUT',
  path: '/v1/cors/origins',
  surface: 'admin',
  authentication,
  input: { body: newCorsRules },
  output: corsRulesShape,
  refusals: [403, 404],
  limits: { bodyBytes: 1024 * 1024 },
  auditOwners,
  async handle({ principal, body }, context) {
    const operator = rulesOwner(context, principal, body.operator_id);
    const added = rulesOf(body.cors_origin_list, operator === undefined ? 'system' : 'operator');
    const { rules } = await changeCorsRules(context, operator, (current) => {
      const byPattern = new Map([...current, ...added].map((rule) => [rule.pattern, rule]));
      return [...byPattern.values()];
    });
    return { status: 200, body: { cors_origin_list: rules } };
  },
});

type Item = { readonly pattern: string; readonly match_mode: string };

/** Reading stops where there are more rules than may be, for each costs a compilation. */
function rulesOf(items: readonly Item[], of: 'system' | 'operator'): readonly CorsRule[] {
  if (new Set(items.map(({ pattern }) => pattern)).size > maxCorsRules[of])
    throw new PublicError('cors_limit');
  const rules: CorsRule[] = [];
  for (const item of items) {
    rules.push(ruleOf(item));
    if (!fitTogether(rules, of)) throw new PublicError('cors_limit');
  }
  return rules;
}

function ruleOf({ pattern, match_mode }: Item): CorsRule {
  if (!isMode(match_mode)) throw new PublicError('cors_mode_unknown');
  const canonical = canonicalPattern(pattern, match_mode);
  if (canonical === null) throw new PublicError('cors_pattern_invalid');
  return { pattern: canonical, match_mode };
}

function isMode(text: string): text is MatchMode {
  return (matchModes as readonly string[]).includes(text);
}
