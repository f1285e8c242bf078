import * as z from 'zod';
import { everyEventType, foreignSources } from './feed.ts';
import { brandField, foreignIdField } from './identifier-fields.ts';

/** The name of a type as a subscription can name it. */
const eventType = z
  .string()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u)
  .refine((name) => name !== everyEventType);

/** The body of `POST /v1/events`: an event of another platform (docs/rules/feeds.md "Events of other platforms"). */
export const platformEvent = z.strictObject({
  source: z.enum(foreignSources),
  event_type: eventType,
  brand_id: brandField,
  /** Absent: for the whole brand. */
  player_id: foreignIdField.nullish(),
  /** Any JSON but null. */
  data: z.unknown(),
});
