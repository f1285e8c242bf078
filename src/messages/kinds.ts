/**
 * The kinds that a configuration can name. What callers give and see of each is in `src/contracts/kinds`, its rule in
 * `src/jackpot/kinds`: both tables are typed over these unions.
 */

/** Win triggers of a pot (docs/rules/triggers.md "Pot types"). */
export type PotTypeKind = 'HitRate' | 'Threshold' | 'Time' | 'External';

/** What has to hold before a pot can be won (docs/rules/triggers.md "Win constraints"). */
export type WinConstraintKind = 'AllowedSeedDeficit' | 'MinPotValue' | 'MinContributions' | 'MinInterval';

/** Who shares a pot's win beside the main winner (docs/rules/wins-and-reseeding.md "Community shares"). */
export type PayoutRuleKind = 'ActivePlayers' | 'HighestContributors' | 'HighestLifetimeContributors';

/** How much a contribution, a pot's share or its seed share is (docs/rules/configuration.md). */
export type ContributionTypeKind = 'Fixed' | 'Percentage';
