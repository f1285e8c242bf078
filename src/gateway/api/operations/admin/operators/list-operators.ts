import * as z from 'zod';
import { operatorShape } from '../../../../../contracts/directory/operator.ts';
import { ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { listQuery, matchesName, nameFilter, pageOf } from '../../../../../contracts/fields/lists.ts';
import type { OperatorEntry } from '../../../../../directory/owners.ts';
import { type Matches, named, sortedPage } from '../../../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { operatorView } from './owner-view.ts';

/**
 * A2: operators with their brands, in pages, filtered by owner and part of a name. Those that the caller may not read
 * are left out.
 */
export const listOperatorsOperation = defineOperation({
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
    const scope = listScope(principal, wanted, (operator: OperatorEntry) => operator.id);
    const page =
      scope.group === null
        ? await sortedPage(operators, 'id', query, { ...scope, text: named(query.name) })
        : pageOf(
            onlyOne(operators.get(scope.group), scope.matches, query.name),
            query,
            (operator) => operator.id,
          );
    return {
      status: 200,
      body: page.map((operator) => operatorView(operator, entries.brandsOf(operator.id))),
    };
  },
});

function onlyOne(
  operator: OperatorEntry | undefined,
  matches: Matches<OperatorEntry>,
  name: string | undefined,
): OperatorEntry[] {
  if (operator === undefined || matches?.(operator) === false) return [];
  return matchesName(operator.name, name) ? [operator] : [];
}
