import * as z from 'zod';
import { fullPotShape, partShape, valuePerCurrencyShape } from '../configuration/configuration-shapes.ts';
import { optInStatusShape } from './opt-in.ts';

/** Answers of the lookups by source (instance-view.ts makes them). */
const shown = {
  id: z.string(),
  currency: z.string(),
  opt_in_required: z.boolean(),
  opt_in_per_currency: z.boolean(),
  contribution_type: partShape,
  contribution_values_alt: valuePerCurrencyShape,
  timestamp_start: z.int(),
  timestamp_end: z.int().nullable(),
  status: z.string(),
};

/** O12, A27. */
export const operatorJackpotShape = z.strictObject({
  ...shown,
  game_code: z.string(),
  optin_status: optInStatusShape.optional(),
  pots: z.array(z.strictObject({ ...fullPotShape.shape, initial_cost: z.bigint() })),
});

/** O13; `optin_status` where the player's token is shown. */
export const frontendJackpotShape = z.strictObject({
  ...shown,
  optin_status: optInStatusShape.optional(),
  pots: z.array(
    z.strictObject({
      id: z.string(),
      instance_count: z.int(),
      is_progressive: z.boolean(),
      current_value: z.bigint(),
      community_split: z.number(),
    }),
  ),
});
