import * as z from 'zod';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import {
  newSegments,
  type SegmentShape,
  segmentAssignment,
  segmentPriorities,
  segmentShape,
  segmentsCreated,
  segmentsDeleted,
  segmentsToDelete,
} from '../../../../../contracts/directory/segment.ts';
import { ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { cursorQuery, nameFilter } from '../../../../../contracts/fields/lists.ts';
import { ownedKey, type SegmentEntry } from '../../../../../directory/owners.ts';
import { assert } from '../../../../../lib/assert.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import {
  createEntry,
  inParallel,
  lanesHave,
  readModelHas,
  updateEntry,
} from '../../../directory/write-entries.ts';
import { defineChange, defineRead } from '../../../operation/operation.ts';
import { incompleteHeaders, listHeaders, ownedPage } from '../../lists.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
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

/** A7: segments with their jackpots, in pages. A filter by operator covers its brands. */
export const listSegmentsOperation = defineRead('read', {
  id: 'A7',
  name: 'List segments',
  route: 'GET /config/segments',
  input: {
    query: cursorQuery(['id', 'name', 'priority', 'owner_id'], {
      brand_id: ownerField.optional(),
      name: nameFilter,
    }),
  },
  output: z.array(segmentShape),
  refusals: [404],
  answerHeaders: ['X-Incomplete', ...listHeaders],
  async handle({ principal, query }, context) {
    const { directory } = context;
    const { page, headers } = await ownedPage(context, principal, directory.entries.segments, 'id', query, {
      owner: query.brand_id,
      ownerOf: ({ owner }) => owner,
      name: query.name,
    });
    const body = page.map((segment) => segments.view(directory, segment));
    return { status: 200, headers: [...incompleteHeaders(context), ...headers], body };
  },
});

/**
 * A8: creates segments, at most 1,000. An existing one is `duplicated`; an invalid one, or one with a jackpot
 * that cannot be assigned, is `failed` and not there afterwards. Answers when every lane resolves with them.
 */
export const createSegmentsOperation = defineChange('configure', {
  id: 'A8',
  name: 'Create segments',
  route: 'POST /config/segments',
  input: { body: newSegments },
  output: segmentsCreated,
  limits: { bodyBytes: 1024 * 1024 },
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    const items = body.map(({ owner_id, id, jackpots }) => ({
      owner: owner_id,
      id,
      jackpots: jackpots ?? [],
    }));
    const proposed = await proposedChange(context, request, ownersOfItems(context, principal, items));
    if (proposed !== null) return proposed;
    const create = async (index: number): Promise<number | Fate> => {
      const fate = judgeItem(context, principal, segments, items[index]!, approved);
      if (fate !== null) return fate;
      const { owner_id, id, name, priority } = body[index]!;
      const value = { name: name ?? null, priority, created_timestamp: context.clock.nowMs() };
      const key = directoryKey.segment(owner_id, id);
      return (await createEntry(context, 'segment', key, value, approved)) ?? 'duplicated';
    };
    const created = await inParallel(items, (_, index) =>
      create(index).catch((reason: unknown) => ({ reason })),
    );
    const revisions = created.filter((each) => typeof each === 'number');
    try {
      const outage = created.find((each) => typeof each === 'object');
      if (outage !== undefined) throw outage.reason;
      if (revisions.length > 0) await lanesHave(context, Math.max(...revisions));
    } catch (error) {
      // Repeated, it would find segments that exist, without their jackpots.
      await inParallel(items, async (item, index) => {
        if (typeof created[index] === 'number') await rollBack(context, segments, item);
      });
      throw error;
    }
    const fates = await inParallel(created as (number | Fate)[], async (each, index) => {
      if (typeof each !== 'number') return each;
      try {
        await bindJackpots(context, principal, segments, items[index]!);
        return 'succeeded';
      } catch (error) {
        await rollBack(context, segments, items[index]!);
        return fateOf(error);
      }
    });
    return { status: 200, body: byFate(items, fates) };
  },
});

/** A9: deletes segments. One with jackpots is `failed` with their ids, a missing one without any. */
export const deleteSegmentsOperation = defineChange('configure', {
  id: 'A9',
  name: 'Delete segments',
  route: 'DELETE /config/segments',
  input: { body: segmentsToDelete },
  output: segmentsDeleted,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    const items = body.map(({ owner_id, segment_id }) => ({ owner: owner_id, id: segment_id }));
    const { succeeded, failed } = await deleteEntries(context, principal, segments, items);
    const failures = failed.map(({ owner, id, jackpots }) => ({ owner_id: owner, segment_id: id, jackpots }));
    return { status: 200, body: { succeeded, failed: failures } };
  },
});

/** A10: binds an instance to a segment. Refuses an instance of another group (`group_mismatch`). */
export const assignSegmentOperation = defineChange('configure', {
  id: 'A10',
  name: 'Assign a jackpot to a segment',
  route: 'POST /config/segments/assign',
  input: { body: segmentAssignment },
  refusals: [404],
  fourEyes: true,
  handle: (request, context) => assign(context, request, segments, assignmentOf(request.body)),
});

/** A11: priorities of a segment's jackpots. */
export const orderSegmentOperation = defineChange('configure', {
  id: 'A11',
  name: 'Set jackpot priorities of a segment',
  route: 'PUT /config/segments/priorities',
  input: { body: segmentPriorities },
  output: z.array(segmentShape),
  refusals: [404],
  fourEyes: true,
  handle: (request, context) => orderJackpots(context, request, segments, request.body),
});

/** A12: unbinds an instance from a segment. */
export const removeFromSegmentOperation = defineChange('configure', {
  id: 'A12',
  name: 'Remove a jackpot from a segment',
  route: 'POST /config/segments/remove',
  input: { body: segmentAssignment },
  refusals: [404],
  fourEyes: true,
  handle: (request, context) => unassign(context, request, segments, assignmentOf(request.body)),
});

function assignmentOf({ owner_id, segment_id, instance_id }: z.output<typeof segmentAssignment>) {
  return { owner: owner_id, ids: [segment_id], instance: instance_id };
}

/**
 * The first instance decides the group of all: it is written into the segment's entry before the lane is
 * told, because the lanes of two groups cannot see each other.
 */
const segments: BindingKind<SegmentEntry> = {
  of: 'segment',
  missing: 'segment_not_found',
  keepsGroup: false,
  entries: (directory) => directory.entries.segments,
  groupOf: (directory, owner, id) => directory.entries.segments.get(ownedKey(owner, id))?.group || undefined,
  async bind(context, principal, { owner, ids: [id], instance, priority }) {
    assert(id !== undefined, 'one segment is bound at a time');
    const { lane, description } = requireReachable(context, principal, owner, instance, null);
    const revision = await updateEntry(context, 'segment', directoryKey.segment(owner, id), (current) => {
      if (current === null) throw new PublicError('segment_not_found');
      if (current.group === description.group) return null;
      if (current.group !== '') throw new PublicError('group_mismatch');
      return { ...current, group: description.group };
    });
    const binding = { of: 'segment', owner, ids: [id], instance } as const;
    requireSuccess(await context.lanes.send(lane, { kind: 'Bind', ...binding, priority }));
    await readModelHas(context, revision);
    if (context.directory.entries.segments.has(ownedKey(owner, id))) return;
    // The segment was deleted meanwhile: it had no jackpot and gets no jackpot.
    await context.lanes.send(lane, { kind: 'Unbind', ...binding });
    throw new PublicError('segment_not_found');
  },
  view: (directory, { owner, id, name, priority }): SegmentShape => ({
    owner_id: owner,
    id,
    name,
    priority,
    jackpots: jackpotsOf(directory, 'segment', owner, id),
  }),
};
