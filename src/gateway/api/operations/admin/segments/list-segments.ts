import * as z from 'zod';
import { segmentShape } from '../../../../../contracts/directory/segment.ts';
import { ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { listQuery, nameFilter } from '../../../../../contracts/fields/lists.ts';
import type { SegmentEntry } from '../../../../../directory/owners.ts';
import { named, sortedPage } from '../../../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { incompleteHeaders } from '../../incomplete.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { segmentView } from './segment-view.ts';

/** A7: segments with their jackpots, in pages. A filter by operator covers its brands. */
export const listSegmentsOperation = defineOperation({
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
  refusals: [404],
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, query }, context) {
    const { directory } = context;
    const { brand_id, name } = query;
    if (brand_id !== undefined) requireOwner(context, principal, 'read', brand_id);
    const scope = listScope(principal, brand_id, (segment: SegmentEntry) => segment.owner);
    const filters = { ...scope, text: named(name) };
    const page = await sortedPage(directory.entries.segments, 'id', query, filters);
    const headers = incompleteHeaders({ directory });
    return { status: 200, headers, body: page.map((segment) => segmentView(directory, segment)) };
  },
});
