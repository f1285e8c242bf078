import { corsRulesQuery, corsRulesShape } from '../../../../../contracts/directory/cors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { authentication, rulesOwner } from './rules-owner.ts';

/** The cross-origin rules of an operator, or of the whole system, to whoever may change them. */
export const listCorsOriginsOperation = defineOperation({
  id: 'cors.list',
  name: 'List cross-origin rules',
  method: 'GET',
  path: '/v1/cors/origins',
  surface: 'admin',
  authentication,
  input: { query: corsRulesQuery },
  output: corsRulesShape,
  refusals: [404],
  async handle({ principal, query }, context) {
    const { entries } = context.directory;
    const operator = rulesOwner(context, principal, query.operator_id);
    const rules = operator === undefined ? entries.corsRules : entries.corsRulesOf.get(operator);
    return { status: 200, body: { cors_origin_list: rules ?? [] } };
  },
});
