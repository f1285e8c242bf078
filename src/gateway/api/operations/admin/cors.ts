import { authorize, system } from '../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../../access/rights/principal.ts';
import {
  type CorsRule,
  corsRulesQuery,
  corsRulesRemoved,
  corsRulesShape,
  type MatchMode,
  matchModes,
  maxCorsRules,
  newCorsRules,
  removedCorsRules,
} from '../../../../contracts/directory/cors.ts';
import { directoryKey } from '../../../../contracts/directory/directory-keys.ts';
import { brandOf } from '../../../../contracts/fields/identifiers.ts';
import { canonicalPattern, fitTogether } from '../../../../network/origin-rules.ts';
import { PublicError } from '../../../base/errors.ts';
import { readModelHas, updateEntry } from '../../directory/write-entries.ts';
import { defineOperation, type GatewayContext, type Operation } from '../../operation/operation.ts';
import { operatorIn } from '../lists.ts';
import { requireOwner } from './shared/owner-access.ts';

type Caller = ServicePrincipal | AdministratorPrincipal;

/** A service's user with the right, or an administrator. */
const authentication = { kind: 'service_or_administrator', action: 'origins' } as const;

/** For the audit trail. */
const auditOwners: NonNullable<Operation['auditOwners']> = (request) => {
  const principal = request.principal as unknown as Caller;
  const { operator_id: named } = request.body as { readonly operator_id?: string | null };
  const own = principal.kind === 'service' ? principal.operator : operatorOfOwners(principal);
  return [named ?? own ?? system];
};

/** The cross-origin rules of an operator, or of the whole system. */
export const listCorsOriginsOperation = defineOperation({
  id: 'cors.list',
  name: 'List cross-origin rules',
  route: 'GET /v1/cors/origins',
  surface: 'admin',
  authentication,
  input: { query: corsRulesQuery },
  output: corsRulesShape,
  refusals: [404],
  async handle({ principal, query }, context) {
    const { entries } = context.directory;
    const operator = rulesOwner(context, principal, operatorIn(query));
    const rules = operator === undefined ? entries.corsRules : entries.corsRulesOf.get(operator);
    return { status: 200, body: { cors_origin_list: rules ?? [] } };
  },
});

/**
 * O23: adds rules, and changes the mode of those with known patterns; all or none. Answers with every rule of
 * the operator or of the whole system. docs/rules/http.md "Cross-origin requests"
 */
export const putCorsOriginsOperation = defineOperation({
  id: 'O23',
  name: 'Add or change cross-origin rules',
  route: 'PUT /v1/cors/origins',
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

/** O24: removes the rules with these patterns, if any. Answers with their number and what is left. */
export const removeCorsOriginsOperation = defineOperation({
  id: 'O24',
  name: 'Remove cross-origin rules',
  route: 'DELETE /v1/cors/origins',
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

/** Writes another list of rules; `operator` undefined: the system's. @throws PublicError cors_limit */
async function changeCorsRules(
  context: GatewayContext,
  operator: string | undefined,
  change: (current: readonly CorsRule[]) => readonly CorsRule[],
): Promise<{ readonly rules: readonly CorsRule[]; readonly before: number }> {
  let rules: readonly CorsRule[] = [];
  let before = 0;
  const revision = await updateEntry(context, 'cors', directoryKey.corsRules(operator), (entry) => {
    const current = entry?.rules ?? [];
    before = current.length;
    rules = change(current);
    if (sameRules(rules, current)) return null;
    const of = operator === undefined ? 'system' : 'operator';
    if (rules.length > maxCorsRules[of] || !fitTogether(rules, of)) throw new PublicError('cors_limit');
    return { rules: [...rules] };
  });
  await readModelHas(context, revision);
  return { rules, before };
}

function sameRules(left: readonly CorsRule[], right: readonly CorsRule[]): boolean {
  return (
    left.length === right.length &&
    left.every((rule, index) => {
      const other = right[index];
      return rule.pattern === other?.pattern && rule.match_mode === other.match_mode;
    })
  );
}

/**
 * The operator whose rules a request is about; undefined: the whole system's. Who names none means its own.
 * @throws PublicError forbidden, operator_not_found, owner_disabled
 */
function rulesOwner(
  context: GatewayContext,
  principal: Caller,
  named: string | null | undefined,
): string | undefined {
  if (principal.kind === 'service') return servicesOperator(context, principal, named);
  const operator = named ?? ownOperator(principal);
  if (operator !== undefined) requireOwner(context, principal, 'origins', operator);
  return operator;
}

function servicesOperator(
  { directory }: GatewayContext,
  principal: ServicePrincipal,
  named: string | null | undefined,
): string {
  const { operator } = principal;
  const decision = authorize(principal, 'origins', named ?? operator);
  if (decision === 'forbidden') throw new PublicError('forbidden');
  if (decision === 'foreign') throw new PublicError('operator_not_found');
  if (directory.entries.enabled(operator) !== true) throw new PublicError('owner_disabled');
  return operator;
}

/** undefined: the administrator is one of the whole system. */
function ownOperator(principal: AdministratorPrincipal): string | undefined {
  if (authorize(principal, 'origins', system) === 'allowed') return undefined;
  const operator = operatorOfOwners(principal);
  if (operator === undefined) throw new PublicError('forbidden');
  return operator;
}

/** undefined: the administrator is not of one operator alone. */
function operatorOfOwners({ owners }: AdministratorPrincipal): string | undefined {
  const operators = [...owners].filter((owner) => owner !== '*' && brandOf(owner) === null);
  return operators.length === 1 ? operators[0] : undefined;
}
