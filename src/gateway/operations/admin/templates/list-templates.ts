import * as z from 'zod';
import { ownerField } from '../../../../contracts/identifier-fields.ts';
import { isWithin } from '../../../../contracts/identifiers.ts';
import { listQuery, matchesName, nameFilter, pageOf } from '../../../../contracts/lists.ts';
import { templateShape } from '../../../../contracts/template.ts';
import { ownedKey } from '../../../../directory/owners.ts';
import { defineOperation } from '../../../operation.ts';
import { mayRead, requireOwner } from '../shared/owner-access.ts';
import { templateView } from './template-view.ts';

/** Templates in pages, filtered by owner and part of a name. */
export const listTemplates = defineOperation({
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
  async handle({ principal, query }, context) {
    if (query.owner_id !== undefined) requireOwner(context, principal, 'read', query.owner_id);
    const templates = [...context.directory.entries.templates.values()].filter(
      (template) =>
        mayRead(principal, template.owner) &&
        (query.owner_id === undefined || isWithin(template.owner, query.owner_id)) &&
        matchesName(template.name, query.name),
    );
    const page = pageOf(templates, query, (template) => ownedKey(template.id, template.owner), {
      id: (template) => template.id,
      name: (template) => template.name,
      owner_id: (template) => template.owner,
      created: (template) => template.created_timestamp,
    });
    return { status: 200, body: page.map(templateView) };
  },
});
