import * as z from 'zod';
import { directoryKey } from '../../../contracts/directory-keys.ts';
import { brandField, ownIdField } from '../../../contracts/identifier-fields.ts';
import { brandPath, operatorOf } from '../../../contracts/identifiers.ts';
import { brandChange } from '../../../contracts/operator.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { requireOwner, requireSameId } from './owner-access.ts';
import { replicaHas, updateEntry } from './write-directory.ts';

export const changeBrand = defineOperation({
  id: 'A6',
  name: 'Modify a brand',
  method: 'PATCH',
  path: '/config/operators/{operator_id}/brands/{brand_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { params: z.strictObject({ operator_id: ownIdField, brand_id: brandField }), body: brandChange },
  output: 'empty',
  async handle({ principal, params, body }, context) {
    requireSameId(body.operator_id, params.operator_id);
    requireSameId(body.brand_id, params.brand_id);
    const { operator_id, brand_id } = params;
    const path = brand_id.includes(':') ? brand_id : brandPath(operator_id, brand_id);
    if (operatorOf(path) !== operator_id) throw new PublicError('brand_not_found');
    requireOwner(context, principal, 'configure', path);
    const revision = await updateEntry(context, 'brand', directoryKey.brand(path), (current) => {
      if (current === null) throw new PublicError('brand_not_found');
      return { ...current, name: body.name ?? current.name, enabled: body.enabled ?? current.enabled };
    });
    await replicaHas(context, revision);
    return { status: 204 };
  },
});
