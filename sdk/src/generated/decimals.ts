// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.

/** Where answers have decimals, by method and path; `*` is each item or member. */
export const decimals: Readonly<Record<string, readonly string[]>> = {
  "POST /v1/jackpot/instances/{instance_id}/contributions": [
    "bonus_amount_used",
    "contribution_amount",
    "win_amount"
  ],
  "POST /v1/jackpot/sources/{source_id}/contributions": [
    "bonus_amount_used",
    "contribution_amount",
    "win_amount"
  ],
  "POST /v2/jackpot/contributions": [
    "*.bonus_amount_used",
    "*.contribution_amount",
    "*.win_amount"
  ],
  "GET /v1/currencies/{brand_id}": [
    "multipliers.*"
  ],
  "GET /v1/operator/jackpot/instances/source/{source_id}/brand/{brand_id}": [
    "contribution_type.Fixed",
    "contribution_type.Percentage",
    "contribution_values_alt.*.value",
    "optin_status.contribution_value",
    "optin_status.pot_contributions.*.contribution_value",
    "optin_status.preferred_contribution_value",
    "pots.*.contributed_amount",
    "pots.*.contributed_seed",
    "pots.*.contribution.Fixed",
    "pots.*.contribution.Percentage",
    "pots.*.criteria.min_base_wager",
    "pots.*.criteria.min_contribution",
    "pots.*.current_value",
    "pots.*.initial_cost",
    "pots.*.overflow_amount",
    "pots.*.payout_ruleset.admin_fee",
    "pots.*.payout_ruleset.main_winner_percentage",
    "pots.*.payout_ruleset.payout_rules.*.payout_percentage",
    "pots.*.pot_types.*.HitRate.cost_per_attempt",
    "pots.*.pot_types.*.Threshold.max_value",
    "pots.*.pot_types.*.Threshold.min_value",
    "pots.*.seed_contribution.Fixed",
    "pots.*.seed_contribution.Percentage",
    "pots.*.seed_strategy.initial_seed_value",
    "pots.*.seed_strategy.min_reseed_value",
    "pots.*.seed_value",
    "pots.*.surplus_seed"
  ],
  "GET /v1/jackpot/instances/{instance_id}/winners": [
    "*.win_amount"
  ],
  "GET /v1/jackpot/instances/{instance_id}/pots/winners": [
    "*.*.win_amount"
  ],
  "POST /v2/jackpot/winners": [
    "*.win_amount"
  ],
  "POST /v2/jackpot/pots/winners": [
    "*.win_amount"
  ],
  "GET /v1/currencies": [
    "multipliers.*"
  ],
  "GET /v1/jackpot/instances/source/{source_id}/brand/{brand_id}": [
    "contribution_type.Fixed",
    "contribution_type.Percentage",
    "contribution_values_alt.*.value",
    "optin_status.contribution_value",
    "optin_status.pot_contributions.*.contribution_value",
    "optin_status.preferred_contribution_value",
    "pots.*.community_split",
    "pots.*.current_value"
  ],
  "GET /v1/fairness/instances/{instance_id}": [
    "funding.contribution_type.Fixed",
    "funding.contribution_type.Percentage",
    "funding.contribution_values_alt.*.value",
    "funding.house_contribution_type.Fixed",
    "funding.house_contribution_type.Percentage",
    "funding.max_contribution.max_contribution_values_alt.*.value",
    "funding.wager_criteria.min_base_wager",
    "funding.wager_criteria.min_contribution",
    "pots.*.contribution.Fixed",
    "pots.*.contribution.Percentage",
    "pots.*.criteria.min_base_wager",
    "pots.*.criteria.min_contribution",
    "pots.*.odds.*.HitRate.certain_at_contribution",
    "pots.*.odds.*.HitRate.cost_per_attempt",
    "pots.*.odds.*.Threshold.max_value",
    "pots.*.odds.*.Threshold.min_value",
    "pots.*.payout_ruleset.admin_fee",
    "pots.*.payout_ruleset.main_winner_percentage",
    "pots.*.payout_ruleset.payout_rules.*.payout_percentage",
    "pots.*.seed_contribution.Fixed",
    "pots.*.seed_contribution.Percentage",
    "pots.*.seed_strategy.initial_seed_value",
    "pots.*.seed_strategy.min_reseed_value"
  ],
  "GET /v1/fairness/instances/{instance_id}/conservation": [
    "accounts.*",
    "sum"
  ]
};

/** Where events have decimals, of whatever type; `*` is each item. */
export const eventDecimals: readonly string[] = [
  "data.community_winners.*.win_amount",
  "data.contribution_value",
  "data.paid_amount",
  "data.pot_contributions.*.contribution_value",
  "data.preferred_contribution_value",
  "data.seed",
  "data.seed_deficit",
  "data.win_amount",
  "data.winners.*.win_amount"
];
