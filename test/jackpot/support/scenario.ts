import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';

type Members = Readonly<Record<string, unknown>>;

/** One pot that takes everything and is never hit, changed by what a test is about. */
export function onePot(
  pot: Members = {},
  rules: Members = {},
  changes: Partial<InstanceConfigurationDocument> = {},
): InstanceConfigurationDocument {
  return {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    contribution_rules: { contribution_type: { Fixed: '1' }, ...rules },
    pots: [{ id: 'main', contribution: { Percentage: '1' }, pot_types: [{ External: {} }], ...pot }],
    ...changes,
  };
}

/** A trigger that every contribution above zero hits. */
export const sureHit = { HitRate: { max_magic_number: 1, cost_per_attempt: '0.00000001' } };
