import type { InstanceConfigurationDocument } from '../../messages/instance-commands.ts';
import type { InstanceDescription } from '../../messages/records.ts';

type Members = Readonly<Record<string, unknown>>;

/** Whether two configurations differ: no member is harmless (docs/rules/approvals.md "Configurations"). */
export function changesAnything(before: Members, after: InstanceConfigurationDocument): boolean {
  return canonicalText(before) !== canonicalText(after);
}

/** Whether a configuration diverts money to another address than before; null: there was none before. */
export function divertsElsewhere(before: Members | null, after: InstanceConfigurationDocument): boolean {
  const target = diversionOf(after);
  return (
    target !== null && canonicalText(target) !== canonicalText(before === null ? null : diversionOf(before))
  );
}

/** Where a configuration diverts money to; null: nowhere. */
export function diversionOf(
  configuration: object,
): { readonly External: { readonly endpoint: string } } | null {
  const { house_pot: house } = configuration as {
    readonly house_pot?: { readonly diversion_rules?: Members | null } | null;
  };
  return (house?.diversion_rules?.target ?? null) as ReturnType<typeof diversionOf>;
}

/** Whether the activation approves the configuration: the instance is Pending, and no clock starts it. */
export function isUnapproved({ status, timestampStartMs, createdMs }: InstanceDescription): boolean {
  return status === 'Pending' && timestampStartMs === createdMs;
}

/** The same text for the same members, whatever their order; of null the text of nothing. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
