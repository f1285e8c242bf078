import * as z from 'zod';
import {
  contributionTypeShapes,
  payoutRuleShapes,
  potTypeShapes,
  shapeOf,
  winConstraintShapes,
} from './kinds.ts';

/** Configurations in answers; a bigint is an amount in atoms, an exact number on the wire. */
export const partShape = shapeOf(contributionTypeShapes);

export const valuePerCurrencyShape = z.array(z.strictObject({ currency: z.string(), value: z.bigint() }));

const criteriaShape = z.strictObject({ min_base_wager: z.bigint(), min_contribution: z.bigint() });

export const contributionRulesShape = z.strictObject({
  opt_in_required: z.boolean(),
  opt_in_per_currency: z.boolean(),
  contribution_type: partShape,
  contribution_values_alt: valuePerCurrencyShape,
  max_contribution: z
    .strictObject({
      max_contribution_value: z.string().nullable(),
      max_contribution_values_alt: valuePerCurrencyShape,
      include_base_wager: z.boolean(),
      cap_contribution_by_base_wager: z.string().nullable(),
    })
    .nullable(),
  operator_contribution_percentage: z.string(),
  wager_criteria: criteriaShape,
  allowed_brands: z.array(z.string()).nullable(),
  country_filters: z.strictObject({ black_list: z.array(z.string()), white_list: z.array(z.string()) }),
  qualified_contribution_only: z.boolean(),
});

const diversionRulesShape = z
  .strictObject({
    target: z.strictObject({ External: z.strictObject({ endpoint: z.string(), account_id: z.string() }) }),
    diversion_percentage: z.string(),
    flush_threshold: z.string().nullable(),
  })
  .nullable();

/** The configuration fields of a pot. */
export const potMembers = {
  id: z.string(),
  enabled: z.boolean(),
  contribution: partShape,
  seed_contribution: partShape,
  payout_ruleset: z.strictObject({
    main_winner_percentage: z.number(),
    admin_fee: z.number(),
    payout_rules: z.array(z.strictObject({ payout_percentage: z.number(), rule: shapeOf(payoutRuleShapes) })),
  }),
  seed_strategy: z.strictObject({
    initial_seed_value: z.bigint(),
    min_reseed_value: z.bigint(),
    fund_strategy: z.string(),
    reseed_strategy: z.string(),
  }),
  win_constraints: z.array(shapeOf(winConstraintShapes)),
  pot_types: z.array(shapeOf(potTypeShapes)),
  supports_external_trigger: z.boolean(),
  is_progressive: z.boolean(),
  criteria: criteriaShape,
  maximum_pot_value: z.string().nullable(),
};

/** A pot with its configuration and what it holds, as operators and administrators see it. */
export const fullPotShape = z.strictObject({
  ...potMembers,
  instance_count: z.int(),
  timestamp_created: z.int(),
  surplus_seed: z.bigint(),
  contributed_amount: z.bigint(),
  contributed_seed: z.bigint(),
  seed_value: z.bigint(),
  current_value: z.bigint(),
  overflow_amount: z.bigint(),
  total_contributions: z.int(),
});

const duration = (unit: string) => z.strictObject({ [unit]: z.int() });

export const raffleRulesShape = z
  .strictObject({
    cost_per_ticket: z.string(),
    cost_source: z.enum(['Contribution', 'BaseWager']),
    allocation_mode: z.enum(['Instant', 'Deferred']),
    duration: z.union([
      ...(['Seconds', 'Minutes', 'Hours', 'Days', 'Weeks'] as const).map(duration),
      z.strictObject({ Scheduled: z.strictObject({ timestamps_end: z.array(z.int()) }) }),
    ]),
    prize_distribution: z.array(z.strictObject({ prize_percentage: z.string(), number_of_winners: z.int() })),
  })
  .nullable();

const shared = {
  currency: z.string(),
  contribution_rules: contributionRulesShape,
  jackpot_type: z.string(),
  raffle_rules: raffleRulesShape,
  win_selector_strategy: z.string(),
  max_instantiation_count: z.int().nullable(),
  /** There where it is stored. */
  draw_beacon: z.string().optional(),
};

/** A template's configuration. */
export const configurationShape = {
  ...shared,
  house_pot: z.strictObject({ contribution_type: partShape, diversion_rules: diversionRulesShape }),
  pots: z.array(z.strictObject(potMembers)),
};

/** An instance's configuration, with what its pots hold. */
export const liveConfigurationShape = {
  ...shared,
  house_pot: z.strictObject({
    contribution_type: partShape,
    timestamp_created: z.int(),
    current_value: z.bigint(),
    accumulated_seed_deficit: z.bigint(),
    total_contributions: z.int(),
    diversion_rules: diversionRulesShape,
    diversion_pool: z.bigint(),
  }),
  pots: z.array(fullPotShape),
};
