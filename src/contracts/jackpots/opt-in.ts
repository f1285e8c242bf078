import * as z from 'zod';
import { formatAmount } from '../../lib/money.ts';
import type { OptInStatusRecord } from '../../messages/records.ts';
import { amountField } from '../fields/amount.ts';
import { brandField, foreignIdField, ownIdField } from '../fields/identifier-fields.ts';

/** Bodies of O14 and O18. Countries and currencies are checked with the rules, after existence. */
const countryField = z.string().max(64);
const currencyField = z.string().min(1).max(16);

/** An instance, or a source that leads to one. */
export const targetField = z.strictObject({ id: foreignIdField, type: z.enum(['instance', 'source']) });

const segmentsField = z.array(foreignIdField).max(256).nullish();

/** The player whom a target is resolved for. */
export const playerCriteria = z.strictObject({
  id: foreignIdField,
  country: countryField,
  brand_id: brandField,
  segments: segmentsField,
});

/** O14, A24, A34. */
export const optInBody = z.strictObject({
  instance_id: ownIdField.nullish(),
  player_id: foreignIdField,
  brand_id: brandField,
  player_country: countryField,
  opt_in: z.boolean(),
  contribution_value: amountField.nullish(),
  contribution_currency: currencyField.nullish(),
});
export type OptInBody = z.output<typeof optInBody>;

/** O18. */
export const optInV2Body = z.strictObject({
  target: targetField,
  operator_id: ownIdField,
  player: playerCriteria,
  contribution_preference: z.strictObject({ currency: currencyField, value: amountField }).nullish(),
  opt_in: z.boolean(),
  opt_linked: z.boolean().nullish(),
});

export const maxBulkOptIns = 50_000;

const bulkItem = z.strictObject({ player_id: foreignIdField, currency: currencyField });

/** A25 as JSON. The handler counts the items: in the shape that rule takes ten times as long. */
export const bulkOptIns = z.array(
  z.strictObject({
    instance_id: ownIdField,
    brand_id: brandField,
    opt_ins: z.array(bulkItem),
    opt_outs: z.array(bulkItem),
  }),
);

/** A25 as CSV. */
export const bulkOptInsCsv = {
  header: ['instance_id', 'brand_id', 'player_id', 'currency', 'opt_in'],
  maxRows: maxBulkOptIns,
} as const;

/** The answer of A25: codes by the number of the row, or by `instance_id/brand_id/player_id`. */
export const bulkOptInErrors = z.strictObject({ errors: z.record(z.string(), z.string()) });

/** The answer of O18: ids of instances. */
export const optInResult = z.strictObject({ success: z.array(z.string()), failed: z.array(z.string()) });

/** A player's opt-in status; amounts in atoms here, exact numbers on the wire. */
export const optInStatusShape = z.strictObject({
  doc_version: z.literal('V1'),
  instance_id: z.string(),
  player_id: z.string(),
  ext_player_id: z.string(),
  player_brand_id: z.string(),
  preferred_contribution_value: z.bigint().nullable(),
  preferred_contribution_currency: z.string().nullable(),
  contribution_preferences: z.record(z.string(), z.string()),
  contribution_count: z.int(),
  contribution_value: z.bigint(),
  pot_contributions: z.record(
    z.string(),
    z.strictObject({ contribution_count: z.int(), contribution_value: z.bigint() }),
  ),
  opted_in: z.boolean(),
  opted_out: z.boolean(),
  last_updated: z.int(),
});

/** In atoms; shows the preferred value of the request's currency, else the latest, else null. */
export function optInStatusView(status: OptInStatusRecord, requestedCurrency?: string | null) {
  const shown = shownPreference(status, requestedCurrency);
  return {
    doc_version: 'V1',
    instance_id: status.instance,
    player_id: `${status.brand}:${status.player}`,
    ext_player_id: status.player,
    player_brand_id: status.brand,
    preferred_contribution_value: shown?.[1] ?? null,
    preferred_contribution_currency: shown?.[0] ?? null,
    contribution_preferences: Object.fromEntries(
      status.preferences.map(([currency, valueAtoms]) => [currency, formatAmount(valueAtoms)]),
    ),
    contribution_count: status.contributionCount,
    contribution_value: status.contributionAtoms,
    pot_contributions: Object.fromEntries(
      status.pots.map(([pot, count, valueAtoms]) => [
        pot,
        { contribution_count: count, contribution_value: valueAtoms },
      ]),
    ),
    opted_in: status.optedIn,
    opted_out: status.optedOut === true,
    last_updated: status.lastUpdatedMs,
  };
}

function shownPreference(
  { preferences, statedCurrency }: OptInStatusRecord,
  requestedCurrency: string | null | undefined,
): readonly [currency: string, valueAtoms: bigint | null] | undefined {
  const requested = preferences.find(([currency]) => currency === requestedCurrency);
  if (requested !== undefined) return requested;
  return statedCurrency === undefined ? preferences.at(-1) : [statedCurrency, null];
}
