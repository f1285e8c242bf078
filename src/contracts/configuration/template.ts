import * as z from 'zod';
import { description, displayName } from '../fields/configuration-fields.ts';
import { ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { configurationMembers } from './configuration.ts';
import { configurationShape } from './configuration-shapes.ts';

/** A template: a configuration with an id below its owner (docs/rules/http.md "Templates and instances"). */
export const newTemplate = z.strictObject({
  owner_id: ownerField,
  id: ownIdField,
  name: displayName,
  description: description.nullish(),
  ...configurationMembers,
});

/** A template as it is shown. */
export const templateShape = z.strictObject({
  owner_id: z.string(),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  ...configurationShape,
});
