import * as z from 'zod';
import { displayName, maxInteger } from '../fields/configuration-fields.ts';
import { foreignIdField, itemIdField, ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { batchOf } from '../fields/lists.ts';

/** Place of an instance among a source's or segment's jackpots; smaller ones come first. */
export const priorityField = z.int().min(0).max(maxInteger);

export const assignedJackpot = z.strictObject({
  priority: priorityField,
  owner_id: itemIdField,
  instance_id: itemIdField,
});

export const assignedJackpotShape = z.strictObject({
  priority: z.int(),
  owner_id: z.string(),
  instance_id: z.string(),
});

export const sourceShape = z.strictObject({
  owner_id: z.string(),
  source_name: z.string(),
  source_id: z.string(),
  jackpots: z.array(assignedJackpotShape),
});
export type SourceShape = z.output<typeof sourceShape>;

/** A14: all of its members are required. */
export const newSources = batchOf(
  z.strictObject({
    owner_id: itemIdField,
    source_name: displayName,
    source_id: itemIdField,
    jackpots: z.array(assignedJackpot).max(100),
  }),
);
export const sourcesCreated = z.strictObject({
  succeeded: z.array(z.string()),
  duplicated: z.array(z.string()),
  failed: z.array(z.string()),
});

/** A15. */
export const sourcesToDelete = batchOf(z.strictObject({ owner_id: itemIdField, source_id: itemIdField }));
export const sourcesDeleted = z.strictObject({
  succeeded: z.array(z.string()),
  failed: z.array(
    z.strictObject({ owner_id: z.string(), source_id: z.string(), jackpots: z.array(z.string()) }),
  ),
});

/** A16, A18. */
export const sourceAssignment = z.strictObject({
  owner_id: ownerField,
  source_id: z.array(foreignIdField).min(1).max(200),
  instance_id: ownIdField,
});

/** A17: `segment_id` holds the source id, as documented. */
export const sourcePriorities = z.strictObject({
  brand_id: ownerField,
  segment_id: foreignIdField,
  priorities: z.record(ownIdField, priorityField),
});
