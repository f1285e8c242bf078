/**
 * What each field of a configuration means, in which unit, and what leaving it empty means (docs/rules/configuration.md).
 * By its path without places in lists.
 */
export const helps: Readonly<Record<string, string>> = {
  jackpot_type:
    'A jackpot is won by single contributions; a raffle pays its one pot in rounds, by tickets. It never changes once the jackpot is active.',
  currency:
    'The code of the currency that all amounts of this form are in, such as EUR. It never changes once the jackpot is active.',
  win_selector_strategy:
    'One contribution wins one pot at most. Of several that it hits, the one with the lowest or highest value is paid, or the first of the list; the others keep what they have.',
  max_instantiation_count:
    'How many times each pot is paid before it closes. A cycle goes from one win of a pot to the next. Empty: without end.',
  draw_beacon:
    'Required: draws also depend on public random numbers that no operator can choose, and wait for them. None: they do not.',

  'contribution_rules.contribution_type':
    'What is taken of each wager for the jackpot. Percentage: a fraction of the wager, 0.02 is 2 %. Fixed: the same amount each time.',
  'contribution_rules.contribution_values_alt':
    'In place of converting the fixed amount: [{"currency": "USD", "value": "0.1"}]. Empty: it is converted.',
  'contribution_rules.operator_contribution_percentage':
    'The fraction of each contribution that the operator pays; the player pays the rest on top of the wager. Empty: 1, the operator pays all; where only players who opted in may contribute it is 0, they pay all.',
  'contribution_rules.opt_in_required':
    'Contributions are taken only of players who have opted in to this jackpot. Off: of all players.',
  'contribution_rules.opt_in_per_currency':
    'A player opts in, and chooses an amount, for each currency apart. Off: once for all currencies.',
  'contribution_rules.max_contribution.max_contribution_value':
    'No contribution is larger than this amount, in the currency of the pots. Empty: no limit.',
  'contribution_rules.max_contribution.max_contribution_values_alt':
    'In place of converting the largest contribution: [{"currency": "USD", "value": "5"}]. Empty: it is converted.',
  'contribution_rules.max_contribution.include_base_wager':
    'The largest contribution is a limit for wager and contribution together. Off: for the contribution alone.',
  'contribution_rules.max_contribution.cap_contribution_by_base_wager':
    'No contribution is larger than the wager times this number: 0.5 is half of the wager. Empty: no limit.',
  'contribution_rules.wager_criteria.min_base_wager':
    'Contributions for smaller wagers are refused; in the currency of the pots. Empty: 0.',
  'contribution_rules.wager_criteria.min_contribution':
    'Smaller contributions are refused; in the currency of the pots. Empty: 0.',
  'contribution_rules.allowed_brands':
    'The brands whose players may contribute: ["operator:brand"]. Empty or null: all brands of the owner. []: none.',
  'contribution_rules.country_filters.black_list':
    'Players of these countries may not contribute: ["DE", "US-NV"]. It wins over the countries that may. Empty: none.',
  'contribution_rules.country_filters.white_list':
    'Only players of these countries may contribute: ["SE"]. DE covers DE-BY. Empty: all may.',
  'contribution_rules.qualified_contribution_only':
    'Pots whose smallest wager or contribution is not reached get no share. Off: they get it, but cannot be won by it.',

  'house_pot.contribution_type':
    'What the house gets of each contribution; it pays for seeds after wins. Percentage: a fraction, 0.1 is 10 %. Fixed: an amount. Empty: nothing.',
  'house_pot.diversion_rules':
    'The fraction of the house’s part that leaves for an account elsewhere, the amount from which it is sent, and where to. Empty or null: none leaves.',

  'raffle_rules.cost_per_ticket':
    'How much brings a player one ticket, in the currency of the pot; above 0. What is left over counts for the next ticket.',
  'raffle_rules.cost_source': 'Tickets are counted by what was contributed, or by what was wagered.',
  'raffle_rules.allocation_mode':
    'Instant: a player has the numbers of the tickets at once. Deferred: at the end of the round.',
  'raffle_rules.duration':
    'How long a round is, such as {"Days": 1}: Seconds, Minutes, Hours, Days or Weeks. Or {"Scheduled": {"timestamps_end": […]}}, in milliseconds.',
  'raffle_rules.prize_distribution':
    'For each prize the fraction of the pot’s value, and how many winners share it: [{"prize_percentage": "0.5", "number_of_winners": 1}]. At most 1 in all.',

  'pots.id':
    'The name of the pot for programs, of its own in the jackpot. It never changes once the jackpot is active. “house” is taken.',
  'pots.enabled': 'The pot gets its part of contributions and can be won. Off: neither.',
  'pots.contribution':
    'What this pot gets of each contribution. Percentage: a fraction, 0.9 is 90 %. Fixed: an amount. House and all pots have 1 at most together.',
  'pots.seed_contribution':
    'What of the pot’s part is put aside for its next cycle, and not shown to players. Percentage: a fraction. Fixed: an amount. Empty: nothing.',
  'pots.is_progressive':
    'The pot’s value grows by contributions. Off: it stays the same, and its whole part is put aside for the next cycle.',
  'pots.seed_strategy.initial_seed_value':
    'For the first cycle only: this amount is paid in by the operator when the jackpot is activated. Empty: 0.',
  'pots.seed_strategy.min_reseed_value':
    'For each cycle after a win: the pot is filled up to this amount from what was put aside, then by the house, then by the operator. Empty: 0.',
  'pots.seed_strategy.fund_strategy':
    'CollectToMinReseed: what is for the next seed is put aside until that has the value for a cycle after a win; the rest goes to the pot’s value. CollectAll: all of it is put aside. HouseFunded: none; house and operator pay the next seed.',
  'pots.seed_strategy.reseed_strategy':
    'Full: all that was put aside, filled up to the value above. Minimum: just that value. Collected: what was put aside, and nothing on top.',
  'pots.maximum_pot_value': 'The pot’s value does not grow beyond this amount. Empty: no limit.',
  'pots.criteria.min_base_wager':
    'With a smaller wager this pot cannot be won; in the currency of the pots. Empty: 0.',
  'pots.criteria.min_contribution':
    'With a smaller contribution this pot cannot be won; in the currency of the pots. Empty: 0. With a time it has to be above 0.',
  'pots.payout_ruleset.main_winner_percentage':
    'The fraction of the pot’s value that the winner gets: 1 is all of it. Empty: 1. Together with the fee and what others get it is 1 at most.',
  'pots.payout_ruleset.admin_fee':
    'The fraction of the pot’s value that the operator keeps at a win: 0.05 is 5 %. Empty: 0.',
  'pots.payout_ruleset.payout_rules':
    'Fractions of the pot’s value for other players, and which: [{"payout_percentage": "0.1", "rule": {"HighestContributors": {"max_number_of_payouts": 3}}}]. Empty: none.',
  'pots.win_constraints':
    'What has to be so before the pot can be won, such as [{"MinPotValue": "100"}]: AllowedSeedDeficit, MinPotValue (amounts), MinContributions (a number) or MinInterval (seconds). Empty: nothing.',
  'pots.pot_types':
    'HitRate: by chance. Threshold: at a value at the latest. Time: at a time at the latest. External: when an administrator says so.',
  'pots.pot_types.HitRate.max_magic_number':
    'The pot is won once in this number of attempts, on average. A whole number.',
  'pots.pot_types.HitRate.cost_per_attempt':
    'The amount that is one attempt, above 0: a contribution of twice as much has twice the chance.',
  'pots.pot_types.Threshold.min_value':
    'Below this value the pot is not won by this; an amount. The seeds must not be above it.',
  'pots.pot_types.Threshold.max_value':
    'The pot is won for certain before its value passes this amount. The largest value must not be below it.',
  'pots.pot_types.Time.start_time':
    'From when on the pot can drop, in milliseconds. Below 86,400,000: after midnight UTC of every day, 3,600,000 is 01:00. Else since 1970, once.',
  'pots.pot_types.Time.end_time':
    'The first contribution from then on wins the pot for certain, in milliseconds as above: 72,000,000 is 20:00 UTC of every day.',
};

/** What the field at a path means. */
export function helpOf(path: string): string | undefined {
  return helps[path.replace(/\[\d+\]/g, '')];
}
