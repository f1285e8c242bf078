import * as z from 'zod';
import { templateShape } from '../../../../../contracts/configuration/template.ts';
import { ownerField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireAllowed } from '../shared/owner-access.ts';
import { templateView } from './template-view.ts';

/** One template. A foreign one is `template_not_found`. */
export const readTemplateOperation = defineOperation({
  id: 'templates.read',
  name: 'Get a template',
  method: 'GET',
  path: '/config/templates/{owner_id}/{template_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { params: z.strictObject({ owner_id: ownerField, template_id: ownIdField }) },
  output: templateShape,
  refusals: [404],
  async handle({ principal, params }, { directory }) {
    requireAllowed(principal, 'read', params.owner_id, 'template_not_found');
    const template = directory.entries.templates.get(ownedKey(params.owner_id, params.template_id));
    if (template === undefined) throw new PublicError('template_not_found');
    return { status: 200, body: templateView(template) };
  },
});
