import * as z from 'zod';
import { configuredAmount, displayName } from '../fields/configuration-fields.ts';
import { itemIdField, ownIdField } from '../fields/identifier-fields.ts';
import { batchOf } from '../fields/lists.ts';
import { fairnessChoices } from './directory.ts';

/** Operators and brands. */
const owner = {
  id: z.string(),
  path: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  created_timestamp: z.int(),
  /** Everybody may read its winners, masked (docs/rules/http.md "Winners"). */
  public_winners: z.literal(true).optional(),
  /** Everybody may follow its jackpots (docs/rules/feeds.md "Public feed"). */
  public_feed: z.literal(true).optional(),
};
const brandShape = z.strictObject(owner);
/** What the services of an operator may send to one gateway process in a second (docs/decisions/0065). */
const quota = {
  contributions_per_second: z.int().min(1).max(1_000_000),
  bytes_per_second: z.int().min(1024).max(1_000_000_000),
};
export const operatorShape = z.strictObject({
  ...owner,
  brands: z.array(brandShape),
  /** Absent: public. */
  fairness: z.literal('signed_in').optional(),
  four_eyes: z.strictObject({ enabled: z.boolean(), limit: z.string().nullable() }),
  /** Absent: not by the operator (docs/rules/second-factor.md "Where it is required"). */
  requires_second_factor: z.literal(true).optional(),
  quota: z
    .strictObject({
      contributions_per_second: quota.contributions_per_second.nullable(),
      bytes_per_second: quota.bytes_per_second.nullable(),
    })
    .optional(),
});

/** A3, A5. */
export const newOwners = batchOf(z.strictObject({ id: itemIdField, name: displayName }));
export const ownersCreated = z.strictObject({ success: z.array(z.string()), failed: z.array(z.string()) });

/**
 * A6: of an operator also its four-eyes rule, whether second factors are required, and its quota; what a
 * quota does not name has no limit.
 */
const change = {
  name: displayName.nullish(),
  enabled: z.boolean().nullish(),
  public_winners: z.boolean().nullish(),
  public_feed: z.boolean().nullish(),
};
export const brandChange = z.strictObject({
  operator_id: ownIdField.nullish(),
  brand_id: z.string().nullish(),
  ...change,
});
export const operatorChange = z.strictObject({
  operator_id: ownIdField.nullish(),
  ...change,
  fairness: z.enum(fairnessChoices).nullish(),
  four_eyes: z.strictObject({ enabled: z.boolean(), limit: configuredAmount.nullish() }).nullish(),
  requires_second_factor: z.boolean().nullish(),
  quota: z
    .strictObject({
      contributions_per_second: quota.contributions_per_second.nullish(),
      bytes_per_second: quota.bytes_per_second.nullish(),
    })
    .nullish(),
});
