/**
 * The kinds that a configuration can name. `src/contracts/configuration/kinds.ts` has the input and view of
 * each, `src/jackpot/rules/kinds` its rule: both tables are typed over these unions.
 */

/** Win triggers of a pot (docs/rules/triggers.md "Pot types"). */
export type PotTypeKind = 'HitRate' | 'Threshold' | 'Time' | 'External';

/** Conditions that must hold before a pot can be won (docs/rules/triggers.md "Win constraints"). */
export type WinConstraintKind = 'AllowedSeedDeficit' | 'MinPotValue' | 'MinContributions' | 'MinInterval';

/** Who shares a pot's win with the main winner (docs/rules/wins-and-reseeding.md "Community shares"). */
export type PayoutRuleKind = 'ActivePlayers' | 'HighestContributors' | 'HighestLifetimeContributors';

/** How a contribution, a pot's share or its seed share is calculated (docs/rules/configuration.md). */
export type ContributionTypeKind = 'Fixed' | 'Percentage';
