import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';

/** docs/rules/contributions.md "Worked example": three pots, drawn by HitRate. */
export function threePots(
  changes: Partial<InstanceConfigurationDocument> = {},
  pot: Readonly<Record<string, unknown>> = {},
): InstanceConfigurationDocument {
  const shares = { first: '0.25', second: '0.25', third: '0.2' };
  return {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    contribution_rules: { contribution_type: { Fixed: '0.1' } },
    house_pot: { contribution_type: { Percentage: '0.3' } },
    pots: Object.entries(shares).map(([id, share]) => ({
      id,
      contribution: { Percentage: share },
      seed_contribution: { Percentage: '0.85' },
      seed_strategy: { initial_seed_value: '0', min_reseed_value: '100', fund_strategy: 'CollectAll' },
      pot_types: [{ HitRate: { max_magic_number: 1_000_000, cost_per_attempt: '0.1' } }],
      ...pot,
    })),
    ...changes,
  };
}
