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
  ],
  "GET /v1/reports/contributions": [
    "*.base_wager",
    "*.bonus_amount",
    "*.contribution_amount",
    "*.debit_amount",
    "*.jackpot_base_wager",
    "*.jackpot_contribution",
    "*.operator_part",
    "*.player_part",
    "*.win_amount"
  ],
  "GET /v1/reports/contributions/{contribution_id}": [
    "contributions.*.base_wager",
    "contributions.*.bonus_amount",
    "contributions.*.contribution_amount",
    "contributions.*.debit_amount",
    "contributions.*.jackpot_base_wager",
    "contributions.*.jackpot_contribution",
    "contributions.*.operator_part",
    "contributions.*.player_part",
    "contributions.*.rules.contribution_rules.contribution_type.Fixed",
    "contributions.*.rules.contribution_rules.contribution_type.Percentage",
    "contributions.*.rules.contribution_rules.contribution_values_alt.*.value",
    "contributions.*.rules.contribution_rules.max_contribution.max_contribution_values_alt.*.value",
    "contributions.*.rules.contribution_rules.wager_criteria.min_base_wager",
    "contributions.*.rules.contribution_rules.wager_criteria.min_contribution",
    "contributions.*.rules.house_contribution_type.Fixed",
    "contributions.*.rules.house_contribution_type.Percentage",
    "contributions.*.rules.pots.*.contribution.Fixed",
    "contributions.*.rules.pots.*.contribution.Percentage",
    "contributions.*.rules.pots.*.pot_types.*.HitRate.cost_per_attempt",
    "contributions.*.rules.pots.*.pot_types.*.Threshold.max_value",
    "contributions.*.rules.pots.*.pot_types.*.Threshold.min_value",
    "contributions.*.rules.pots.*.seed_contribution.Fixed",
    "contributions.*.rules.pots.*.seed_contribution.Percentage",
    "contributions.*.shares.*.amount",
    "contributions.*.win_amount",
    "draws.*.triggers.*.pot_value",
    "draws.*.triggers.*.pot_value_before",
    "payments.*.amount",
    "payments.*.bonus_amount",
    "payments.*.paid_amount",
    "wins.*.paid_amount",
    "wins.*.win_amount"
  ],
  "GET /v1/reports/wins": [
    "*.paid_amount",
    "*.win_amount"
  ],
  "GET /v1/reports/payments": [
    "*.amount",
    "*.bonus_amount",
    "*.paid_amount"
  ],
  "GET /v1/reports/players/{player_id}": [
    "contributions.*.base_wager",
    "contributions.*.bonus_amount",
    "contributions.*.contribution_amount",
    "contributions.*.debit_amount",
    "contributions.*.jackpot_base_wager",
    "contributions.*.jackpot_contribution",
    "contributions.*.operator_part",
    "contributions.*.player_part",
    "contributions.*.win_amount",
    "open_payments.*.amount",
    "open_payments.*.bonus_amount",
    "open_payments.*.paid_amount",
    "opt_ins.*.contribution_amount",
    "payments.*.amount",
    "payments.*.bonus_amount",
    "payments.*.paid_amount",
    "totals.*.contributed",
    "totals.*.player_part",
    "totals.*.won",
    "wins.*.paid_amount",
    "wins.*.win_amount"
  ],
  "GET /v1/reports/search": [
    "contributions.*.base_wager",
    "contributions.*.bonus_amount",
    "contributions.*.contribution_amount",
    "contributions.*.debit_amount",
    "contributions.*.jackpot_base_wager",
    "contributions.*.jackpot_contribution",
    "contributions.*.operator_part",
    "contributions.*.player_part",
    "contributions.*.win_amount",
    "payments.*.amount",
    "payments.*.bonus_amount",
    "payments.*.paid_amount",
    "wins.*.paid_amount",
    "wins.*.win_amount"
  ],
  "GET /v1/reports/daily": [
    "*.adjusted",
    "*.bonus",
    "*.community",
    "*.contributed",
    "*.diverted",
    "*.fees",
    "*.fx",
    "*.house",
    "*.liability",
    "*.operator_cost",
    "*.operator_part",
    "*.player_part",
    "*.pot_values",
    "*.raffle",
    "*.repaid",
    "*.seed_collected",
    "*.seed_fronted",
    "*.transferred",
    "*.wagered",
    "*.withheld",
    "*.won"
  ],
  "GET /v1/reports/significant-events": [
    "*.amount"
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
