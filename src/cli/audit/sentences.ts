import type { AuditChange, AuditEntry } from '../../audit/entry.ts';
import type { AuditRecord } from '../../audit/reader.ts';

/** A change in words: when, who, what, how it ended. `nameOf`: an operation's name; undefined: none. */
export function sentencesOf(
  { intent, outcome, sequence }: AuditRecord,
  nameOf: (operation: string) => string | undefined,
): string {
  const { timestamp, user, address, path, reason, approval } = intent;
  const time = new Date(timestamp).toISOString().replace('.000Z', 'Z').replace('T', ' ');
  const who = `${user === '' ? 'somebody unknown' : user}${address === '' ? '' : ` at ${address}`}`;
  const end = intent.kind === 'event' ? intent : outcome;
  const words = [
    `${time} ${who}: ${whatOf(intent, nameOf)}${path === '' ? '' : `, ${path}`}.`,
    endOf(end),
    ...changesOf(end?.changes ?? []),
    ...(approval === null ? [] : [`Approved by ${approval.approved_by}.`]),
    ...(reason === null ? [] : [`Reason: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`]),
    `(message ${sequence})`,
  ];
  return words.join(' ');
}

function whatOf(
  { operation, owners }: AuditEntry,
  nameOf: (operation: string) => string | undefined,
): string {
  const name = nameOf(operation);
  const what = name === undefined ? operation : `${name} (${operation})`;
  const tenants = owners.filter((owner) => owner !== '');
  return tenants.length === 0 ? what : `${what} of ${tenants.join(', ')}`;
}

function endOf(end: AuditEntry | null): string {
  switch (end?.outcome) {
    case 'applied':
      return 'Done.';
    case 'proposed':
      return 'It waits for a second administrator.';
    case 'refused':
      return `Refused${end.count === undefined ? '' : ` ${end.count} times`}: ${end.code ?? 'without a code'}.`;
    default:
      return 'Whether it was done is not known.';
  }
}

function changesOf(changes: readonly AuditChange[]): string[] {
  const named = (word: string, which: (change: AuditChange) => boolean): string[] => {
    const objects = changes.filter(which).map(({ object }) => object);
    return objects.length === 0 ? [] : [`${word} ${objects.join(', ')}.`];
  };
  return [
    ...named('New:', ({ before }) => before === null),
    ...named('Changed:', ({ before, after }) => before !== null && after !== null),
    ...named('Removed:', ({ before, after }) => before !== null && after === null),
  ];
}
