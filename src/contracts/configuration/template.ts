import * as z from 'zod';
import { description, displayName } from '../fields/configuration-fields.ts';
import { ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { configurationMembers, configurationNames } from './configuration.ts';
import { configurationShape } from './configuration-shapes.ts';

/**
 * A template: a configuration with an id below its owner (docs/rules/http.md "Templates and instances").
 * What a GET shows of one may be sent as it is: a new template has its first version, whatever it says.
 */
export const newTemplate = z.strictObject({
  owner_id: ownerField,
  id: ownIdField,
  name: displayName,
  description: description.nullish(),
  retired: z.boolean().nullish(),
  version: z.int().nullish(),
  ...configurationMembers,
});

const overrides = Object.fromEntries(
  configurationNames.map((name) => [name, z.unknown().optional()]),
) as unknown as { readonly [Name in keyof typeof configurationMembers]: z.ZodOptional<z.ZodUnknown> };

/** Members of a configuration are merged with those that it has, as overrides are. */
export const templateChange = z.strictObject({
  name: displayName.nullish(),
  description: description.nullish(),
  retired: z.boolean().nullish(),
  ...overrides,
});

/** `owner_id`: absent, the owner stays. */
export const templateCopy = z.strictObject({
  owner_id: ownerField.nullish(),
  id: ownIdField,
  name: displayName.nullish(),
});

/** A template as it is shown. */
export const templateShape = z.strictObject({
  owner_id: z.string(),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  retired: z.boolean(),
  version: z.int(),
  ...configurationShape,
});
