import * as z from 'zod';
import { directoryKey } from '../../../contracts/directory-keys.ts';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { operatorChange } from '../../../contracts/operator.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { requireOwner, requireSameId } from './owner-access.ts';
import { replicaHas, updateEntry } from './write-directory.ts';

export const changeOperator = defineOperation({
  id: 'A6',
  name: 'Modify an operator',
  method: 'PATCH',
  path: '/config/operators/{operator_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { params: z.strictObject({ operator_id: ownIdField }), body: operatorChange },
  output: 'empty',
  async handle({ principal, params, body }, context) {
    requireSameId(body.operator_id, params.operator_id);
    requireOwner(context, principal, 'configure', params.operator_id);
    const key = directoryKey.operator(params.operator_id);
    const revision = await updateEntry(context, 'operator', key, (current) => {
      if (current === null) throw new PublicError('operator_not_found');
      const four_eyes = body.four_eyes
        ? { enabled: body.four_eyes.enabled, limit: body.four_eyes.limit ?? null }
        : current.four_eyes;
      return {
        ...current,
        name: body.name ?? current.name,
        enabled: body.enabled ?? current.enabled,
        ...(four_eyes === undefined ? {} : { four_eyes }),
      };
    });
    await replicaHas(context, revision);
    return { status: 204 };
  },
});
