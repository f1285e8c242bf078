import * as z from 'zod';
import { sourceShape } from '../../../../contracts/directory/source.ts';
import { ownerField } from '../../../../contracts/fields/identifier-fields.ts';
import { brandOf } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery, nameFilter } from '../../../../contracts/fields/lists.ts';
import type { SourceEntry } from '../../../../directory/owners.ts';
import { named } from '../../../../directory/sorted-page.ts';
import { PublicError } from '../../../base/errors.ts';
import { writeList } from '../../../base/write-list.ts';
import { requireOperator, scopedBrand } from '../../contribution/brand-scope.ts';
import { defineOperation } from '../../operation/operation.ts';
import { sourceView } from '../admin/bindings/sources.ts';
import { incompleteHeaders, listed, listHeaders, listScope } from '../lists.ts';

/**
 * O15: sources of an owner with their jackpots, all or a page. An operator's own, and those of the brands
 * that the caller acts for.
 */
export const listOwnSourcesOperation = defineOperation({
  id: 'O15',
  name: 'List sources of an owner',
  route: 'GET /v1/jackpot/sources',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {
    query: cursorQuery(['source_id', 'source_name', 'owner_id'], { owner_id: ownerField, name: nameFilter }),
  },
  output: z.array(sourceShape),
  refusals: [403, 404],
  answerHeaders: ['X-Incomplete', ...listHeaders],
  async handle({ principal, query }, context) {
    const { directory } = context;
    const owner = query.owner_id;
    if (brandOf(owner) !== null) scopedBrand(directory, principal, owner);
    else {
      requireOperator(principal, owner);
      if (directory.entries.enabled(owner) !== true) throw new PublicError('owner_disabled');
    }
    const { page: number, limit, cursor } = query;
    const asksForAll = number === undefined && limit === undefined && cursor === undefined;
    const scope = listScope(principal, owner, (source: SourceEntry) => source.owner);
    const { page, headers } = await listed(
      directory.entries.sources,
      'source_id',
      asksForAll ? { ...query, limit: Number.MAX_SAFE_INTEGER } : query,
      { ...scope, text: named(query.name) },
    );
    const text = await writeList(page, (source) => sourceView(directory, source));
    return { status: 200, headers: [...headers, ...incompleteHeaders(context)], text };
  },
});
