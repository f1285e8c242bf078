import type * as z from 'zod';
import type { switchExecution } from '../../../../../contracts/jackpots/model-switch.ts';
import type { TransferRule } from '../../../../../messages/instance-commands.ts';

/** Pot transfer rules as the lane takes them. */
export function transferRules(rules: z.infer<typeof switchExecution>['pot_rules']): readonly TransferRule[] {
  return rules.map((rule) => ({ source: rule.source_pot, targets: Object.entries(rule.target_pot) }));
}
