import * as z from 'zod';
import { liveConfigurationShape } from '../configuration/configuration-shapes.ts';
import { description, displayName, milliseconds } from '../fields/configuration-fields.ts';
import { gameCodeField, ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { wholeNumber } from '../fields/lists.ts';

/** Makes an instance (docs/rules/http.md "Templates and instances"); times in milliseconds. */
export const newInstanceBody = z.strictObject({
  template_owner_id: ownerField,
  template_id: ownIdField,
  owner_id: ownerField,
  name: displayName,
  description: description.nullish(),
  game_code: gameCodeField.nullish(),
  group: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}(?::[A-Za-z0-9_-]{1,64})?$/, 'invalid_identifier')
    .nullish(),
  timestamp_start: milliseconds.nullish(),
  timestamp_end: milliseconds.nullish(),
  overrides: z.record(z.string(), z.unknown()).nullish(),
});

/** docs/rules/statuses.md "Transitions" */
export const instanceStatuses = [
  'Pending',
  'Active',
  'Paused',
  'Resolving',
  'Completed',
  'Cancelled',
  'Switched',
] as const;

/** A blank reason is refused by its rule, not by its shape. */
export const reasonField = z.string().max(1000);

const instanceId = { instance_id: ownIdField.nullish() };

/** `to`: the instance that takes the balances of a completed one; only with that status. */
export const statusChange = z.strictObject({
  ...instanceId,
  status: z.enum(instanceStatuses),
  reason: reasonField,
  to: ownIdField.nullish(),
});

/** An epoch's number in a path. */
export const epochField = wholeNumber;

/** 32 bytes as lower-case hex (docs/decisions/0080). */
export const beaconInput = z.strictObject({
  ...instanceId,
  epoch: z.int().min(0).nullish(),
  beacon: z.string().regex(/^[0-9a-f]{64}$/),
  reason: reasonField,
});

/** Overrides, merged with the configuration stored last. */
export const parameterChange = z.strictObject({
  ...instanceId,
  overrides: z.record(z.string(), z.unknown()),
  reason: reasonField,
});

/** The whole list of linked instances. */
export const linkChange = z.strictObject({ ...instanceId, instance_ids: z.array(ownIdField).max(64) });

/** A31. */
export const detailsChange = z.strictObject({
  ...instanceId,
  name: displayName.nullish(),
  description: description.nullish(),
});

/** A model switch under way, or ended without a move (docs/rules/model-switches.md "Copying"). */
export const switchShape = z.strictObject({
  target: z.string(),
  /** Players of the source. */
  copied: z.int(),
  total: z.int(),
  state: z.enum(['copying', 'refused', 'cancelled']),
  /** The code of a refusal. */
  code: z.string().nullable(),
  message: z.string().nullable(),
});

/** A full instance (A19, A32); times in milliseconds. */
export const instanceShape = z.strictObject({
  id: z.string(),
  game_code: z.string(),
  template_owner_id: z.string(),
  template_id: z.string(),
  status: z.enum(instanceStatuses),
  name: z.string(),
  description: z.string(),
  owner_id: z.string(),
  version: z.int(),
  ...liveConfigurationShape,
  total_contributions: z.int(),
  created: z.int(),
  timestamp_start: z.int(),
  timestamp_end: z.int().nullable(),
  last_updated: z.int(),
  group: z.string(),
  links: z.array(z.string()),
  switched_to: z.string().nullable(),
  switch: switchShape.nullable(),
});
