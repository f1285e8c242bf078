import * as z from 'zod';
import { configurationMembers } from './configuration.ts';
import { description, displayName } from './configuration-fields.ts';
import { ownerField, ownIdField } from './identifier-fields.ts';

/** http.md, "templates". */
export const newTemplate = z.strictObject({
  owner_id: ownerField,
  id: ownIdField,
  name: displayName,
  description: description.nullish(),
  ...configurationMembers,
});

/** The configuration members stand in the documents' types (contracts/instance-view). */
export const templateShape = z.looseObject({
  owner_id: z.string(),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  jackpot_type: z.string(),
  currency: z.string(),
});
