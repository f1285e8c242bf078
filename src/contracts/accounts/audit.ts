import * as z from 'zod';
import { milliseconds } from '../fields/configuration-fields.ts';
import { ownerField } from '../fields/identifier-fields.ts';
import { cursorQuery } from '../fields/lists.ts';

/** Changes by administrators, from the audit trail (docs/rules/audit.md "Entries"). Times in milliseconds. */
const time = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,14})$/)
  .transform(Number)
  .pipe(milliseconds)
  .optional();

/** Both times are included. */
export const auditQuery = cursorQuery(['timestamp'], {
  owner_id: ownerField.optional(),
  operation: z.string().min(1).max(64).optional(),
  user: z.string().min(1).max(256).optional(),
  timestamp_start: time,
  timestamp_end: time,
});

export const auditRecordShape = z.strictObject({
  id: z.string(),
  sequence: z.int(),
  timestamp: z.int(),
  user: z.string(),
  address: z.string(),
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  /** Operators and brands; empty text: the whole system. */
  owners: z.array(z.string()),
  reason: z.string().nullable(),
  request_id: z.string(),
  approval: z.strictObject({ id: z.string(), approved_by: z.string() }).nullable(),
  /** Parameters and body, without secrets. */
  input: z.unknown(),
  /** `unknown`: it may have been applied or not. */
  outcome: z.enum(['applied', 'proposed', 'refused', 'unknown']),
  status_code: z.int().nullable(),
  code: z.string().nullable(),
  /** Each thing that changed: null before, it was made; null after, it was removed. */
  changes: z.array(z.strictObject({ object: z.string(), before: z.unknown(), after: z.unknown() })),
  /** How many refused log-ins the record stands for. */
  count: z.int(),
});
