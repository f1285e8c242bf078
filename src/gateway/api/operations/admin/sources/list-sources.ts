import * as z from 'zod';
import { sourceShape } from '../../../../../contracts/directory/source.ts';
import { foreignIdField, ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { listQuery, nameFilter } from '../../../../../contracts/fields/lists.ts';
import type { SourceEntry } from '../../../../../directory/owners.ts';
import { named, sortedPage } from '../../../../../directory/sorted-page.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { incompleteHeaders } from '../../incomplete.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { sourceView } from './source-view.ts';

/** A13: sources with their jackpots, in pages. A filter by operator covers its brands. */
export const listSourcesOperation = defineOperation({
  id: 'A13',
  name: 'List sources',
  method: 'GET',
  path: '/config/sources',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    query: listQuery(['source_id', 'source_name', 'owner_id'], {
      owner_id: ownerField.optional(),
      source_id: foreignIdField.optional(),
      name: nameFilter,
    }),
  },
  output: z.array(sourceShape),
  refusals: [404],
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, query }, context) {
    const { directory } = context;
    const { owner_id, source_id, name } = query;
    if (owner_id !== undefined) requireOwner(context, principal, 'read', owner_id);
    const scope = listScope(principal, owner_id, (source: SourceEntry) => source.owner);
    const { sources } = directory.entries;
    const equal = source_id === undefined ? null : ({ field: 'source_id', value: source_id } as const);
    const ofId = { ...scope, equal };
    if (equal !== null && (await sortedPage(sources, 'source_id', { limit: 1 }, ofId)).length === 0)
      throw new PublicError('source_not_found');
    const page = await sortedPage(sources, 'source_id', query, { ...ofId, text: named(name) });
    const headers = incompleteHeaders({ directory });
    return { status: 200, headers, body: page.map((source) => sourceView(directory, source)) };
  },
});
