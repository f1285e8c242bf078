import { ApiError } from '../../api/errors.ts';

/** What is wrong with a configuration, and where. */
export interface Fault {
  /** `pots[0].id`; null: nobody says. */
  readonly path: string | null;
  readonly text: string;
}

const roots =
  'contribution_rules|house_pot|raffle_rules|pots|currency|jackpot_type|win_selector_strategy|max_instantiation_count|draw_beacon';
const place = new RegExp(`\\b(?:${roots})(?:\\.[A-Za-z_]+|\\[\\d+\\])*`);
const between = new RegExp(`; |\\. (?=[A-Z]|(?:${roots})\\b)`);

/** Codes that are about one member. */
const placeOfCode: Readonly<Record<string, string>> = {
  currency_unknown: 'currency',
  endpoint_not_allowed: 'house_pot.diversion_rules.target.External.endpoint',
};

/** The faults that a refusal names; none: it is not about a configuration. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) return [];
  return error.message
    .replace(/\.$/, '')
    .split(between)
    .map((text) => ({ path: place.exec(text)?.[0] ?? placeOfCode[error.code] ?? null, text }));
}

/** The faults of each place that is shown; `''` has those that belong to none of them. */
export function placedFaults(
  faults: readonly Fault[],
  places: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const placed = new Map<string, readonly string[]>();
  for (const { path, text } of faults) {
    let at = path ?? '';
    while (at !== '' && !places.has(at)) at = at.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '');
    placed.set(at, [...(placed.get(at) ?? []), text]);
  }
  return placed;
}
