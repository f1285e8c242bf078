import * as z from 'zod';
import { displayName } from '../fields/configuration-fields.ts';
import { foreignIdField, itemIdField, ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { batchOf } from '../fields/lists.ts';
import { assignedJackpot, assignedJackpotShape, priorityField } from './source.ts';

/** A segment of players with its jackpots; smaller priorities come first. */
export const segmentShape = z.strictObject({
  owner_id: z.string(),
  id: z.string(),
  name: z.string().nullable(),
  priority: z.int(),
  jackpots: z.array(assignedJackpotShape),
});
export type SegmentShape = z.output<typeof segmentShape>;

/** A8. */
export const newSegments = batchOf(
  z.strictObject({
    owner_id: itemIdField,
    id: itemIdField,
    name: displayName.nullish(),
    priority: priorityField,
    jackpots: z.array(assignedJackpot).max(100).nullish(),
  }),
);
export const segmentsCreated = z.strictObject({
  succeeded: z.array(z.string()),
  duplicated: z.array(z.string()),
  failed: z.array(z.string()),
});

/** A9. */
export const segmentsToDelete = batchOf(z.strictObject({ owner_id: itemIdField, segment_id: itemIdField }));
export const segmentsDeleted = z.strictObject({
  succeeded: z.array(z.string()),
  failed: z.array(
    z.strictObject({ owner_id: z.string(), segment_id: z.string(), jackpots: z.array(z.string()) }),
  ),
});

/** A10, A12. */
export const segmentAssignment = z.strictObject({
  owner_id: ownerField,
  segment_id: foreignIdField,
  instance_id: ownIdField,
});

/** A11: `brand_id` is the segment's owner. */
export const segmentPriorities = z.strictObject({
  brand_id: ownerField,
  segment_id: foreignIdField,
  priorities: z.record(ownIdField, priorityField),
});
