import * as z from 'zod';
import { operatorShape } from '../../../../../contracts/directory/operator.ts';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { operatorView } from './owner-view.ts';

/** A4: an operator with its brands, its four-eyes rule and its quota. A foreign one is `operator_not_found`. */
export const readOperatorOperation = defineOperation({
  id: 'A4',
  name: 'Get an operator',
  method: 'GET',
  path: '/config/operators/{operator_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { params: z.strictObject({ operator_id: ownIdField }) },
  output: operatorShape,
  refusals: [404],
  async handle({ principal, params }, context) {
    requireOwner(context, principal, 'read', params.operator_id);
    const { entries } = context.directory;
    const operator = entries.operators.get(params.operator_id);
    if (operator === undefined) throw new PublicError('operator_not_found');
    return { status: 200, body: operatorView(operator, entries.brandsOf(operator.id)) };
  },
});
