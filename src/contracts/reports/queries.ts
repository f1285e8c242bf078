import * as z from 'zod';
import { parseAmount } from '../../lib/money.ts';
import {
  brandField,
  foreignIdField,
  idempotencyKeyField,
  ownerField,
  ownIdField,
} from '../fields/identifier-fields.ts';
import { listQuery, wholeNumber } from '../fields/lists.ts';
import { exportedTableNames, exportFormats } from './exports.ts';
import { dailyGroups, significantKinds } from './questions.ts';

/** Inputs of reports (docs/rules/reports.md "Lists"). */

/** Whose things a report is about. */
const owners = { owner_id: ownerField.optional(), brand_id: brandField.optional() };
const narrowed = { ...owners, instance_id: ownIdField.optional() };

const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'invalid_identifier')
  .transform((text) => text.toLowerCase());

/** The next page of a list begins behind the last row of the one before. */
const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,4096}$/)
  .optional();

/** A contribution that the books are to have before they are asked. */
const wait = { wait: uuid.optional() };

const { limit, sort_direction } = listQuery(['time'], {}).shape;

/** `from` and `to` in milliseconds, the second one not included. */
const listed = {
  ...narrowed,
  ...wait,
  from: wholeNumber.optional(),
  to: wholeNumber.optional(),
  player_id: foreignIdField.optional(),
  cursor,
  limit,
  sort_direction,
};

export const bookedContributionsQuery = z.strictObject({
  ...listed,
  contribution_id: uuid.optional(),
  idempotency_key: idempotencyKeyField.optional(),
  gameround_id: foreignIdField.optional(),
  source_id: foreignIdField.optional(),
});

export const bookedWinsQuery = z.strictObject({ ...listed, contribution_id: uuid.optional() });

/** `state` as docs/reporting.md has it; `open`: true, those that have not come to their end. */
export const bookedPaymentsQuery = z.strictObject({
  ...listed,
  contribution_id: uuid.optional(),
  transaction_id: foreignIdField.optional(),
  batch_id: foreignIdField.optional(),
  state: z
    .enum([
      'pending',
      'debited',
      'applied',
      'refused',
      'cancelled',
      'withheld',
      'unknown',
      'dead',
      'settled',
      'confirmed',
      'failed',
    ])
    .optional(),
});

/** The newest tries first. */
export const deliveryTriesQuery = z.strictObject({
  owner_id: ownerField.optional(),
  event_id: uuid.optional(),
  kind: z.enum(['callback', 'flush', 'event']).optional(),
  result: z.enum(['delivered', 'failed']).optional(),
  from: wholeNumber.optional(),
  to: wholeNumber.optional(),
  cursor,
  limit,
  sort_direction,
});

export const exportParams = z.strictObject({ table: z.enum(exportedTableNames) });
export const exportQuery = z.strictObject({
  ...narrowed,
  format: z.enum(exportFormats).optional(),
  from: wholeNumber.optional(),
  to: wholeNumber.optional(),
  cursor,
});

export const contributionParams = z.strictObject({ contribution_id: uuid });
export const explanationQuery = z.strictObject(wait);
export const playerParams = z.strictObject({ player_id: foreignIdField });
export const bookedPlayerQuery = z.strictObject({ brand_id: brandField, ...wait });

/** A whole id of something: 1 to 128 printable characters; ids of contributions are in lower case. */
export const searchQuery = z.strictObject({ ...owners, ...wait, q: z.union([uuid, foreignIdField]) });

/** A day of UTC that there is. */
const day = z
  .string()
  .regex(/^(?:19[7-9]|[2-9]\d\d)\d-\d{2}-\d{2}$/)
  .refine((text) => Number.isFinite(Date.parse(text)) && new Date(text).toISOString().startsWith(text));

/** An amount in units, as atoms. */
const amount = z.string().transform((text, context) => {
  const parsed = parseAmount(text);
  if (parsed.ok && parsed.atoms >= 0n) return parsed.atoms;
  context.addIssue({ code: 'custom', message: 'must be an amount' });
  return z.NEVER;
});

/** `min_win` in the currency of each jackpot. */
export const significantQuery = z.strictObject({
  ...narrowed,
  from: wholeNumber.optional(),
  to: wholeNumber.optional(),
  kind: z.enum(significantKinds).optional(),
  min_win: amount.optional(),
  cursor,
  limit,
});

/** Days, both included. `group_by`: words with commas between them. */
export const dailyReportQuery = z.strictObject({
  ...narrowed,
  from: day,
  to: day,
  group_by: z
    .string()
    .max(64)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(dailyGroups)).min(1).max(dailyGroups.length))
    .optional(),
  players: z.enum(['true', 'false']).optional(),
  cursor,
  limit,
});
