import * as z from 'zod';
import { foreignIdField, ownerField } from '../../../../contracts/identifier-fields.ts';
import { isWithin } from '../../../../contracts/identifiers.ts';
import { listQuery, matchesName, nameFilter, pageOf } from '../../../../contracts/lists.ts';
import { sourceShape } from '../../../../contracts/source.ts';
import { ownedKey } from '../../../../directory/owners.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { incompleteHeaders } from '../../incomplete.ts';
import { mayRead, requireOwner } from '../shared/owner-access.ts';
import { sourceView } from './source-view.ts';

/** A13: sources with their jackpots, in pages. A filter by operator covers its brands. */
export const listSources = defineOperation({
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
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, query }, context) {
    const { directory } = context;
    const { owner_id, source_id, name } = query;
    if (owner_id !== undefined) requireOwner(context, principal, 'read', owner_id);
    const visible = [...directory.entries.sources.values()].filter(
      (source) =>
        mayRead(principal, source.owner) &&
        (owner_id === undefined || isWithin(source.owner, owner_id)) &&
        (source_id === undefined || source.id === source_id),
    );
    if (source_id !== undefined && visible.length === 0) throw new PublicError('source_not_found');
    const sources = visible.filter((source) => matchesName(source.name, name));
    const page = pageOf(sources, query, (source) => ownedKey(source.id, source.owner), {
      source_id: (source) => source.id,
      source_name: (source) => source.name,
      owner_id: (source) => source.owner,
    });
    const headers = incompleteHeaders({ directory });
    return { status: 200, headers, body: page.map((source) => sourceView(directory, source)) };
  },
});
