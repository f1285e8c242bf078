import * as z from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { ownerField } from '../../../contracts/identifier-fields.ts';
import { brandOf, isWithin } from '../../../contracts/identifiers.ts';
import { listQuery, matchesName, nameFilter, pageOrAll } from '../../../contracts/lists.ts';
import { sourceShape } from '../../../contracts/source.ts';
import { ownedKey } from '../../../directory/owners.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { requireOperator } from '../../contribution/operator-scope.ts';
import { PublicError } from '../../errors.ts';
import { writeList } from '../../http/write-list.ts';
import { defineOperation } from '../../operation.ts';
import { sourceView } from '../admin/sources/source-view.ts';
import { incompleteHeaders } from '../incomplete.ts';

/**
 * O15: sources of an owner with their jackpots: all, or a page where one is asked for. Of an operator: its own and those of the
 * brands that the caller acts for. A foreign operator is 404.
 */
export const listOwnSources = defineOperation({
  id: 'O15',
  name: 'List sources of an owner',
  method: 'GET',
  path: '/v1/jackpot/sources',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {
    query: listQuery(['source_id', 'source_name', 'owner_id'], { owner_id: ownerField, name: nameFilter }),
  },
  output: z.array(sourceShape),
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, query }, { directory }) {
    const owner = query.owner_id;
    if (brandOf(owner) !== null) scopedBrand(directory, principal, owner);
    else {
      requireOperator(principal, owner);
      if (directory.entries.enabled(owner) !== true) throw new PublicError('owner_disabled');
    }
    const sources = [...directory.entries.sources.values()].filter(
      (source) =>
        isWithin(source.owner, owner) &&
        authorize(principal, 'read', source.owner) === 'allowed' &&
        matchesName(source.name, query.name),
    );
    const page = pageOrAll(sources, query, (source) => ownedKey(source.id, source.owner), {
      source_id: (source) => source.id,
      source_name: (source) => source.name,
      owner_id: (source) => source.owner,
    });
    const headers = incompleteHeaders({ directory });
    return { status: 200, headers, text: await writeList(page, (source) => sourceView(directory, source)) };
  },
});
