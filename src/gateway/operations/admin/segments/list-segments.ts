import * as z from 'zod';
import { ownerField } from '../../../../contracts/identifier-fields.ts';
import { isWithin } from '../../../../contracts/identifiers.ts';
import { listQuery, matchesName, nameFilter, pageOf } from '../../../../contracts/lists.ts';
import { segmentShape } from '../../../../contracts/segment.ts';
import { ownedKey } from '../../../../directory/owners.ts';
import { defineOperation } from '../../../operation.ts';
import { incompleteHeaders } from '../../incomplete.ts';
import { mayRead, requireOwner } from '../shared/owner-access.ts';
import { segmentView } from './segment-view.ts';

/** A7: segments with their jackpots, in pages. A filter by operator covers its brands. */
export const listSegments = defineOperation({
  id: 'A7',
  name: 'List segments',
  method: 'GET',
  path: '/config/segments',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    query: listQuery(['id', 'name', 'priority', 'owner_id'], {
      brand_id: ownerField.optional(),
      name: nameFilter,
    }),
  },
  output: z.array(segmentShape),
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, query }, context) {
    const { directory } = context;
    const { brand_id, name } = query;
    if (brand_id !== undefined) requireOwner(context, principal, 'read', brand_id);
    const segments = [...directory.entries.segments.values()].filter(
      (segment) =>
        mayRead(principal, segment.owner) &&
        (brand_id === undefined || isWithin(segment.owner, brand_id)) &&
        matchesName(segment.name ?? '', name),
    );
    const page = pageOf(segments, query, (segment) => ownedKey(segment.id, segment.owner), {
      id: (segment) => segment.id,
      name: (segment) => segment.name ?? '',
      priority: (segment) => segment.priority,
      owner_id: (segment) => segment.owner,
    });
    const headers = incompleteHeaders({ directory });
    return { status: 200, headers, body: page.map((segment) => segmentView(directory, segment)) };
  },
});
