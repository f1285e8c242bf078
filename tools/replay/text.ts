import type { ReplayDocument } from './run.ts';
import type { ShownValue } from './state.ts';

/** The state then, and behind each field that changed its value now and the difference. */
export function replayLines({ instance, lane, at, now, differences }: ReplayDocument): string[] {
  const { message, timestamp, ...fields } = at;
  const changes = new Map(differences.map((change) => [change.field, change]));
  const rows = Object.entries(fields as Readonly<Record<string, ShownValue>>).map(([field, value]) => {
    const change = changes.get(field);
    changes.delete(field);
    return [field, String(value), change === undefined ? '' : nowOf(change)] as const;
  });
  const added = [...changes.values()].map((change) => [change.field, '', nowOf(change)] as const);
  const head = ['', `message ${message}`, `message ${now.message}`] as const;
  const times = ['', timestamp, now.timestamp] as const;
  const all = [head, times, ...rows, ...added];
  const [first, second] = [0, 1].map((column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map(([field, before, after]) =>
    `${field.padEnd(first!)}  ${before.padEnd(second!)}  ${after}`.trimEnd(),
  );
  return [`${instance}, lane ${lane}`, ...lines];
}

function nowOf({
  now,
  difference,
}: {
  readonly now: ShownValue | null;
  readonly difference: ShownValue | null;
}): string {
  if (now === null) return 'gone';
  if (difference === null) return String(now);
  return `${now} (${String(difference).startsWith('-') ? '' : '+'}${difference})`;
}
