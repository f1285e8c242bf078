import type { InstanceConfigurationDocument } from '../../messages/instance-commands.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members of a pot that decide who wins what, and how often. */
const ruledOfPot = ['pot_types', 'win_constraints', 'payout_ruleset'] as const;
const ruled = ['win_selector_strategy', 'raffle_rules'] as const;

/** Whether a configuration diverts money to another address than before; null: there was none before. */
export function divertsElsewhere(before: Members | null, after: InstanceConfigurationDocument): boolean {
  const target = targetOf(after as unknown as Members);
  return target !== null && target !== (before === null ? null : targetOf(before));
}

/** Whether a change of parameters is one of money or odds (docs/rules/approvals.md "Changes"). */
export function changesMoneyOrOdds(before: Members, after: InstanceConfigurationDocument): boolean {
  const next = after as unknown as Members;
  if (divertsElsewhere(before, after)) return true;
  if (ruled.some((name) => textOf(before[name]) !== textOf(next[name]))) return true;
  const pots = new Map((before.pots as readonly Members[]).map((pot) => [pot.id, pot]));
  return (next.pots as readonly Members[]).some((pot) =>
    ruledOfPot.some((name) => textOf(pots.get(pot.id)?.[name]) !== textOf(pot[name])),
  );
}

/** Whether two configurations in normal form differ. */
export function changesAnything(before: Members, after: InstanceConfigurationDocument): boolean {
  return textOf(before) !== textOf(after);
}

function targetOf(configuration: Members): string | null {
  const house = configuration.house_pot as { readonly diversion_rules?: Members | null } | null | undefined;
  const target = house?.diversion_rules?.target ?? null;
  return target === null ? null : textOf(target);
}

/** The same text for the same members, whatever their order. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
