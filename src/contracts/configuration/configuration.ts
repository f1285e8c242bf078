import * as z from 'zod';
import {
  configuredAmount,
  countryFilter,
  currencyCode,
  cycleCount,
  milliseconds,
  oneKind,
  optionalAmount,
  optionalShare,
  share,
} from '../fields/configuration-fields.ts';
import { brandField, ownIdField } from '../fields/identifier-fields.ts';
import {
  contributionTypeShapes,
  inputOf,
  payoutRuleShapes,
  potTypeShapes,
  winConstraintShapes,
} from './kinds.ts';

/** Members of instances and templates (docs/rules/configuration.md). The lane checks the figures. */
const part = inputOf(contributionTypeShapes);

const valuePerCurrency = z
  .array(z.strictObject({ currency: currencyCode, value: configuredAmount }))
  .max(200);

const criteria = z.strictObject({
  min_base_wager: configuredAmount.nullish(),
  min_contribution: configuredAmount.nullish(),
});

const contributionRules = z.strictObject({
  opt_in_required: z.boolean().nullish(),
  opt_in_per_currency: z.boolean().nullish(),
  contribution_type: part.nullish(),
  contribution_values_alt: valuePerCurrency.nullish(),
  max_contribution: z
    .strictObject({
      max_contribution_value: optionalAmount.nullish(),
      max_contribution_values_alt: valuePerCurrency.nullish(),
      include_base_wager: z.boolean().nullish(),
      cap_contribution_by_base_wager: optionalShare.nullish(),
    })
    .nullish(),
  operator_contribution_percentage: share.nullish(),
  wager_criteria: criteria.nullish(),
  allowed_brands: z.array(brandField).max(1000).nullish(),
  country_filters: z
    .strictObject({
      black_list: z.array(countryFilter).max(1000).nullish(),
      white_list: z.array(countryFilter).max(1000).nullish(),
    })
    .nullish(),
  qualified_contribution_only: z.boolean().nullish(),
});

const housePot = z.strictObject({
  contribution_type: part.nullish(),
  diversion_rules: z
    .strictObject({
      target: oneKind({
        External: z.strictObject({
          endpoint: z.string().min(1).max(2048),
          account_id: z.string().min(1).max(128),
        }),
      }),
      diversion_percentage: share,
      flush_threshold: optionalAmount.nullish(),
    })
    .nullish(),
});

const payoutRule = z.strictObject({
  payout_percentage: share,
  rule: inputOf(payoutRuleShapes),
});

const pot = z
  .strictObject({
    id: ownIdField,
    enabled: z.boolean().nullish(),
    contribution: part.nullish(),
    seed_contribution: part.nullish(),
    payout_ruleset: z
      .strictObject({
        main_winner_percentage: share.nullish(),
        admin_fee: share.nullish(),
        payout_rules: z.array(payoutRule).max(32).nullish(),
      })
      .nullish(),
    seed_strategy: z
      .strictObject({
        initial_seed_value: configuredAmount.nullish(),
        min_reseed_value: configuredAmount.nullish(),
        fund_strategy: z.enum(['CollectToMinReseed', 'CollectAll', 'HouseFunded']).nullish(),
        reseed_strategy: z.enum(['Full', 'Minimum', 'Collected']).nullish(),
      })
      .nullish(),
    win_constraints: z.array(inputOf(winConstraintShapes)).max(32).nullish(),
    pot_types: z.array(inputOf(potTypeShapes)).max(32).nullish(),
    criteria: criteria.nullish(),
    maximum_pot_value: optionalAmount.nullish(),
    is_progressive: z.boolean().nullish(),
    supports_external_trigger: z.boolean().nullish(),
  })
  .transform(({ supports_external_trigger, ...fields }, context) => {
    // The flag follows from pot_types; another value is a mistake.
    const external = (fields.pot_types ?? []).some(
      (type) => type.External !== null && type.External !== undefined,
    );
    if (supports_external_trigger !== null && supports_external_trigger !== undefined)
      if (supports_external_trigger !== external)
        context.addIssue({
          code: 'custom',
          message: 'config_invalid',
          path: ['supports_external_trigger'],
          params: { rule: 'must be true exactly where pot_types has External' },
        });
    return fields;
  });

const raffleRules = z.strictObject({
  cost_per_ticket: configuredAmount,
  cost_source: z.enum(['Contribution', 'BaseWager']),
  allocation_mode: z.enum(['Instant', 'Deferred']),
  duration: oneKind({
    Seconds: cycleCount,
    Minutes: cycleCount,
    Hours: cycleCount,
    Days: cycleCount,
    Weeks: cycleCount,
    Scheduled: z.strictObject({ timestamps_end: z.array(milliseconds).min(1).max(1000) }),
  }),
  prize_distribution: z
    .array(z.strictObject({ prize_percentage: share, number_of_winners: cycleCount }))
    .max(1000),
});

export const configurationMembers = {
  jackpot_type: z.enum(['Jackpot', 'Raffle']),
  currency: currencyCode,
  contribution_rules: contributionRules,
  house_pot: housePot.nullish(),
  raffle_rules: raffleRules.nullish(),
  win_selector_strategy: z.enum(['Lowest', 'Highest', 'First']).nullish(),
  max_instantiation_count: cycleCount.nullish(),
  draw_beacon: z.enum(['None', 'Required']).nullish(),
  pots: z.array(pot).min(1).max(64),
} as const;

/** A whole configuration; its output still holds nulls: normalise with `withoutAbsent`. */
export const configuration = z.strictObject(configurationMembers);
export const configurationNames = Object.keys(configurationMembers);
