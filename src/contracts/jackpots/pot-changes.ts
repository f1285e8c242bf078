import * as z from 'zod';
import { amountField } from '../fields/amount.ts';
import { brandField, foreignIdField, ownIdField } from '../fields/identifier-fields.ts';
import { reasonField } from './instance.ts';

/** A22: the amount is in the jackpot's currency. */
export const adjustment = z.strictObject({
  instance_id: ownIdField.nullish(),
  pot_id: ownIdField.nullish(),
  /** The value to which the pot is set. */
  adjustment: amountField,
  reason: reasonField,
});

/** Body of A23. */
export const instanceBrandChange = z.strictObject({
  instance_id: ownIdField.nullish(),
  brand_id: brandField.nullish(),
});

/** Body of A30. */
export const trigger = z.strictObject({
  instance_id: ownIdField.nullish(),
  pot_id: ownIdField.nullish(),
  brand_id: brandField,
  player_id: foreignIdField,
  source_id: foreignIdField,
});

/** `win_amount` in atoms here, an exact number on the wire. */
export const triggered = z.strictObject({
  instance_id: z.string(),
  timestamp: z.int(),
  win_amount: z.bigint(),
  win_pot_id: z.string(),
});
