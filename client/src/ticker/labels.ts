/** Every word of the ticker; `{…}` is filled in. A page gives its own with `labels`. */
export interface TickerLabels {
  readonly mustDrop: string;
  readonly asOf: string;
  readonly waiting: string;
  /** Nothing can be shown: the feed is refused, or has no such jackpot. */
  readonly unavailable: string;
  /** For screen readers. */
  readonly won: string;
  /** Below the amount of a celebration. */
  readonly celebrated: string;
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
  unavailable: 'Not available',
  won: '{player} won {amount} ({pot})',
  celebrated: '{player} · {pot}',
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

/** A name or an amount within a text of another direction (Unicode's FSI and PDI). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Words in the page's language, as JSON in the attribute; what does not read is none. */
export function readLabels(text: string | null): Partial<TickerLabels> {
  try {
    return text === null ? {} : (JSON.parse(text) as Partial<TickerLabels>);
  } catch {
    return {};
  }
}
