import * as z from 'zod';
import { amountField } from '../fields/amount.ts';
import { brandField, foreignIdField, idempotencyKeyField, ownIdField } from '../fields/identifier-fields.ts';
import { secret } from '../fields/secrets.ts';

/** Bodies of O8, O9, O16 and A35 to A37, and the result (docs/rules/http.md "Contributions"). */

const tokenField = secret(z.string().min(1).max(4096));
const currencyField = z.string().min(1).max(16);
/** Its form is checked with the rules, after existence (country_invalid). */
const countryField = z.string().max(64);
const segmentsField = z.array(foreignIdField).max(256);

/** Where the result goes instead of into the answer (docs/rules/callbacks.md "Accepted contributions"). */
const callbackField = z.strictObject({
  win_result_only: z.boolean().nullish(),
  web_hook: z.string().min(1).max(2048),
});

const contributionFields = {
  token: tokenField,
  brand_id: brandField,
  player_id: foreignIdField,
  player_country: countryField,
  gameround_id: foreignIdField.nullish(),
  base_wager: amountField,
  currency: currencyField,
  callback: callbackField.nullish(),
  idempotency_key: idempotencyKeyField.nullish(),
  metadata: z.unknown().optional(),
  event_metadata: z.unknown().optional(),
};

/** Body of O8. */
export const instanceContribution = z.strictObject({
  instance_id: ownIdField.nullish(),
  ...contributionFields,
});

/** Body of O9. */
export const sourceContribution = z.strictObject({
  source_id: foreignIdField.nullish(),
  segments: segmentsField.nullish(),
  ...contributionFields,
});

/** Body of A37. Neither a callback nor a key: the key is a header. */
export const providerContribution = z
  .strictObject({
    provider_id: foreignIdField.nullish(),
    game_code: foreignIdField,
    ...contributionFields,
    instance_id: ownIdField,
  })
  .omit({ callback: true, idempotency_key: true });

/** What a contribution of O16 comes from. */
export const sourceTypes = ['gameround', 'deposit', 'bet', 'other'] as const;

/** Body of O16; `options.bonus` is our addition. */
export const contributionV2 = z.strictObject({
  target: z.strictObject({ id: foreignIdField, type: z.enum(['instance', 'source']) }),
  source: z.strictObject({ id: foreignIdField, type: z.enum(sourceTypes) }),
  operator_id: ownIdField,
  player: z.strictObject({
    id: foreignIdField,
    token: tokenField,
    country: countryField,
    brand_id: brandField,
    segments: segmentsField.nullish(),
  }),
  base_wager: z.strictObject({ currency: currencyField, value: amountField }),
  metadata: z.unknown().optional(),
  event_metadata: z.unknown().optional(),
  options: z
    .strictObject({
      vertical_id: foreignIdField.nullish(),
      game_code: foreignIdField.nullish(),
      game_category: foreignIdField.nullish(),
      allow_linked_contributions: z.boolean().nullish(),
      callback: callbackField.nullish(),
      idempotency_key: idempotencyKeyField.nullish(),
      bonus: z
        .strictObject({ bonus_id: foreignIdField, amount: amountField, currency: currencyField })
        .nullish(),
    })
    .nullish(),
});

/** The caller's name for a line of the stream: 1 to 128 printable characters, or a whole number. */
const refField = z.union([
  z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u),
  z.int().min(0).max(Number.MAX_SAFE_INTEGER),
]);

/** A line of the contribution stream. */
export const streamedContribution = contributionV2.extend({ ref: refField });

export type InstanceContribution = z.output<typeof instanceContribution>;
export type SourceContribution = z.output<typeof sourceContribution>;
export type ContributionV2 = z.output<typeof contributionV2>;
export type CallbackOptions = z.output<typeof callbackField>;

/** Amounts in atoms here, exact numbers on the wire. */
export const contributionResult = z.strictObject({
  instance_id: z.string(),
  timestamp: z.int(),
  gameround_id: z.string().nullable(),
  win_amount: z.bigint(),
  win_pot_id: z.string().nullable(),
  tickets_awarded: z.int(),
  win_withheld: z.boolean(),
  contribution_currency: z.string(),
  contribution_amount: z.bigint(),
  bonus_amount_used: z.bigint(),
  metadata: z.unknown(),
});

/** A line of the answer of the contribution stream (docs/rules/streams.md "Results"). */
export const streamedResult = z.strictObject({
  /** null: the line has no good one; then `line` is its number. */
  ref: refField.nullable(),
  results: z.array(contributionResult).optional(),
  replayed: z.literal(true).optional(),
  /** An accepted contribution with a callback has these two, and no results. */
  contribution_id: z.string().optional(),
  timestamp: z.int().optional(),
  line: z.int().optional(),
  error: z.strictObject({ status_code: z.int(), code: z.string(), message: z.string() }).optional(),
  /** Seconds. */
  retry_after: z.int().optional(),
  /** The last message of a stream that ended before its input: lines from `line` on were not taken. */
  end: z.literal(true).optional(),
});
