import * as z from 'zod';
import { templateShape } from '../../../../../contracts/configuration/template.ts';
import { ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { listQuery, nameFilter } from '../../../../../contracts/fields/lists.ts';
import type { TemplateEntry } from '../../../../../directory/owners.ts';
import { named, sortedPage } from '../../../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { templateView } from './template-view.ts';

/** Templates in pages, filtered by owner and part of a name. */
export const listTemplatesOperation = defineOperation({
  id: 'templates.list',
  name: 'List templates',
  method: 'GET',
  path: '/config/templates',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    query: listQuery(['id', 'name', 'owner_id', 'created'], {
      owner_id: ownerField.optional(),
      name: nameFilter,
    }),
  },
  output: z.array(templateShape),
  refusals: [404],
  async handle({ principal, query }, context) {
    if (query.owner_id !== undefined) requireOwner(context, principal, 'read', query.owner_id);
    const scope = listScope(principal, query.owner_id, (template: TemplateEntry) => template.owner);
    const { templates } = context.directory.entries;
    const page = await sortedPage(templates, 'id', query, { ...scope, text: named(query.name) });
    return { status: 200, body: page.map(templateView) };
  },
});
