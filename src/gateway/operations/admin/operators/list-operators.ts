import * as z from 'zod';
import { ownerField } from '../../../../contracts/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/identifiers.ts';
import { listQuery, matchesName, nameFilter, pageOf } from '../../../../contracts/lists.ts';
import { operatorShape } from '../../../../contracts/operator.ts';
import { defineOperation } from '../../../operation.ts';
import { mayRead, requireOwner } from '../shared/owner-access.ts';
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
    const wanted = query.owner_id === undefined ? undefined : operatorOf(query.owner_id);
    const operators = [...entries.operators.values()].filter(
      (operator) =>
        mayRead(principal, operator.id) &&
        (wanted === undefined || operator.id === wanted) &&
        matchesName(operator.name, query.name),
    );
    const page = pageOf(operators, query, (operator) => operator.id, {
      id: (operator) => operator.id,
      name: (operator) => operator.name,
      enabled: (operator) => operator.enabled,
      created_timestamp: (operator) => operator.created_timestamp,
    });
    return {
      status: 200,
      body: page.map((operator) => operatorView(operator, entries.brandsOf(operator.id))),
    };
  },
});
