/** Every word of the ticker; `{…}` is filled in. A page gives its own with `labels`. */
export interface TickerLabels {
  readonly mustDrop: string;
  readonly asOf: string;
  readonly waiting: string;
  readonly won: string;
  readonly more: string;
  /** Names of pots by their ids. */
  readonly pots: Readonly<Record<string, string>>;
  /** Words for a status other than Active. */
  readonly statuses: Readonly<Record<string, string>>;
}

export const english: TickerLabels = {
  mustDrop: 'Must drop in {time}',
  asOf: 'As of {time}',
  waiting: 'Waiting for the first value',
  won: '{player} won {amount} ({pot})',
  more: '{count} more wins before it',
  pots: {},
  statuses: {},
};

export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** `grand_prize` is `Grand prize`. */
export function potName(id: string, { pots }: TickerLabels): string {
  const words = id.replace(/[-_]+/g, ' ').trim();
  return (Object.hasOwn(pots, id) ? pots[id] : undefined) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
