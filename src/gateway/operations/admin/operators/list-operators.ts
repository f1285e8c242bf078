import * as z from 'zod';
import { ownerField } from '../../../../contracts/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/identifiers.ts';
import { listQuery, nameFilter, pageOf } from '../../../../contracts/lists.ts';
import { operatorShape } from '../../../../contracts/operator.ts';
import type { Operator } from '../../../../directory/owners.ts';
import { allOf, type Matches, named, sortedPage } from '../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { operatorView } from './owner-view.ts';

/**
 * A2: operators with their brands, in pages, filtered by owner and part of a name. Those that the caller may not read
 * are left out.
 */
export const listOperators = defineOperation({
  id: 'A2',
  name: 'List operators',
  method: 'GET',
  path: '/config/operators',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    query: listQuery(['id', 'name', 'enabled', 'created_timestamp'], {
      owner_id: ownerField.optional(),
      name: nameFilter,
    }),
  },
  output: z.array(operatorShape),
  refusals: [404],
  async handle({ principal, query }, context) {
    if (query.owner_id !== undefined) requireOwner(context, principal, 'read', query.owner_id);
    const { entries } = context.directory;
    const { operators } = entries;
    const wanted = query.owner_id === undefined ? undefined : operatorOf(query.owner_id);
    const scope = listScope(principal, wanted, (operator: Operator) => operator.id);
    const matches = allOf(
      scope.matches,
      named(query.name, (operator: Operator) => operator.name),
    );
    const page =
      scope.group === null
        ? await sortedPage(operators, 'id', query, { group: null, matches })
        : pageOf(onlyOne(operators.get(scope.group), matches), query, (operator) => operator.id);
    return {
      status: 200,
      body: page.map((operator) => operatorView(operator, entries.brandsOf(operator.id))),
    };
  },
});

function onlyOne(operator: Operator | undefined, matches: Matches<Operator>): Operator[] {
  return operator === undefined || matches?.(operator) === false ? [] : [operator];
}
