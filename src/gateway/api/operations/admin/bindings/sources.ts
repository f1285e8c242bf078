import * as z from 'zod';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import {
  newSources,
  type SourceShape,
  sourceAssignment,
  sourcePriorities,
  sourceShape,
  sourcesCreated,
  sourcesDeleted,
  sourcesToDelete,
} from '../../../../../contracts/directory/source.ts';
import { foreignIdField, ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { cursorQuery, nameFilter } from '../../../../../contracts/fields/lists.ts';
import type { SourceEntry } from '../../../../../directory/owners.ts';
import type { ReadModel } from '../../../../../directory/read-model.ts';
import { named, sortedPage } from '../../../../../directory/sorted-page.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { claimSourceGroup } from '../../../contribution/source-group.ts';
import { createEntry, inParallel, readModelHas } from '../../../directory/write-entries.ts';
import { defineChange, defineRead } from '../../../operation/operation.ts';
import { incompleteHeaders, listed, listHeaders, listScope } from '../../lists.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireOwner } from '../shared/owner-access.ts';
import {
  assign,
  type BindingKind,
  deleteEntries,
  jackpotsOf,
  orderJackpots,
  requireReachable,
  unassign,
} from './bindings.ts';
import {
  bindJackpots,
  byFate,
  type Fate,
  fateOf,
  judgeItem,
  ownersOfItems,
  rollBack,
} from './created-items.ts';

/** A13: sources with their jackpots, in pages. A filter by operator covers its brands. */
export const listSourcesOperation = defineRead('read', {
  id: 'A13',
  name: 'List sources',
  route: 'GET /config/sources',
  input: {
    query: cursorQuery(['source_id', 'source_name', 'owner_id'], {
      owner_id: ownerField.optional(),
      source_id: foreignIdField.optional(),
      name: nameFilter,
    }),
  },
  output: z.array(sourceShape),
  refusals: [404],
  answerHeaders: ['X-Incomplete', ...listHeaders],
  async handle({ principal, query }, context) {
    const { directory } = context;
    const { owner_id, source_id, name } = query;
    if (owner_id !== undefined) requireOwner(context, principal, 'read', owner_id);
    const { sources: items } = directory.entries;
    const equal = source_id === undefined ? null : ({ field: 'source_id', value: source_id } as const);
    const ofId = { ...listScope(principal, owner_id, ({ owner }: SourceEntry) => owner), equal };
    if (equal !== null && (await sortedPage(items, 'source_id', { limit: 1 }, ofId)).length === 0)
      throw new PublicError('source_not_found');
    const { page, headers } = await listed(items, 'source_id', query, { ...ofId, text: named(name) });
    const body = page.map((source) => sourceView(directory, source));
    return { status: 200, headers: [...incompleteHeaders(context), ...headers], body };
  },
});

/**
 * A14: creates sources, at most 1,000. An existing one is `duplicated`; an invalid one, or one with a jackpot
 * that cannot be bound, is `failed` and not there afterwards. Only those with jackpots need approval.
 */
export const createSourcesOperation = defineChange('configure', {
  id: 'A14',
  name: 'Create sources',
  route: 'POST /config/sources',
  input: { body: newSources },
  output: sourcesCreated,
  limits: { bodyBytes: 1024 * 1024 },
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    const items = body.map(({ owner_id, source_id, jackpots }) => ({
      owner: owner_id,
      id: source_id,
      jackpots,
    }));
    const bound = items.filter(({ jackpots }) => jackpots.length > 0);
    const proposed = await proposedChange(context, request, ownersOfItems(context, principal, bound));
    if (proposed !== null) return proposed;
    const fates = await inParallel(items, async (item, index): Promise<Fate> => {
      const fate = judgeItem(context, principal, sources, item, approved);
      if (fate !== null) return fate;
      const value = { name: body[index]!.source_name, created_timestamp: context.clock.nowMs() };
      const key = directoryKey.source(item.owner, item.id);
      let isCreated = false;
      try {
        const revision = await createEntry(context, 'source', key, value, approved);
        if (revision === null) return 'duplicated';
        isCreated = true;
        await readModelHas(context, revision);
        await bindJackpots(context, principal, sources, item);
        return 'succeeded';
      } catch (error) {
        if (isCreated) await rollBack(context, sources, item);
        return fateOf(error);
      }
    });
    return { status: 200, body: byFate(items, fates) };
  },
});

/** A15: deletes sources. One with jackpots is `failed` with their ids, a missing one without any. */
export const deleteSourcesOperation = defineChange('configure', {
  id: 'A15',
  name: 'Delete sources',
  route: 'DELETE /config/sources',
  input: { body: sourcesToDelete },
  output: sourcesDeleted,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    const items = body.map(({ owner_id, source_id }) => ({ owner: owner_id, id: source_id }));
    const { succeeded, failed } = await deleteEntries(context, principal, sources, items);
    const failures = failed.map(({ owner, id, jackpots }) => ({ owner_id: owner, source_id: id, jackpots }));
    return { status: 200, body: { succeeded, failed: failures } };
  },
});

/** A16: binds an instance to sources of an owner (1 to 200). `group_mismatch` for one of another group. */
export const assignSourcesOperation = defineChange('configure', {
  id: 'A16',
  name: 'Assign a jackpot to sources',
  route: 'POST /config/sources/assign',
  input: { body: sourceAssignment },
  refusals: [404],
  fourEyes: true,
  handle: (request, context) => assign(context, request, sources, assignmentOf(request.body)),
});

/** A17: priorities of a source's jackpots. `segment_id` holds the source id, as the interface has it. */
export const orderSourceOperation = defineChange('configure', {
  id: 'A17',
  name: 'Set jackpot priorities of a source',
  route: 'PUT /config/sources/priorities',
  input: { body: sourcePriorities },
  output: z.array(sourceShape),
  refusals: [404],
  fourEyes: true,
  handle: (request, context) => orderJackpots(context, request, sources, request.body),
});

/** A18: unbinds an instance from sources of an owner. */
export const removeFromSourcesOperation = defineChange('configure', {
  id: 'A18',
  name: 'Remove a jackpot from sources',
  route: 'POST /config/sources/remove',
  input: { body: sourceAssignment },
  refusals: [404],
  fourEyes: true,
  handle: (request, context) => unassign(context, request, sources, assignmentOf(request.body)),
});

function assignmentOf({ owner_id, source_id, instance_id }: z.output<typeof sourceAssignment>) {
  return { owner: owner_id, ids: [...new Set(source_id)], instance: instance_id };
}

const sources: BindingKind<SourceEntry> = {
  of: 'source',
  missing: 'source_not_found',
  keepsGroup: true,
  entries: (directory) => directory.entries.sources,
  groupOf: (directory, owner, id) => directory.entries.sourceGroup(owner, id),
  async bind(context, principal, { owner, ids, instance, priority }) {
    const { lane, description } = requireReachable(context, principal, owner, instance, null);
    // Two gateways may bind one source to instances of different groups, whose lanes cannot see each other.
    const claims = await inParallel(ids, (id) => claimSourceGroup(context, owner, id, description.group));
    if (claims.some(({ group }) => group !== description.group)) throw new PublicError('group_mismatch');
    await readModelHas(context, Math.max(0, ...claims.map(({ revision }) => revision)));
    requireSuccess(
      await context.lanes.send(lane, { kind: 'Bind', of: 'source', owner, ids, instance, priority }),
    );
  },
  view: sourceView,
};

/** A source as it is shown. */
export function sourceView(directory: ReadModel, { owner, id, name }: SourceEntry): SourceShape {
  return {
    owner_id: owner,
    source_name: name,
    source_id: id,
    jackpots: jackpotsOf(directory, 'source', owner, id),
  };
}
