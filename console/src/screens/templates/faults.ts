import { ApiError } from '../../api/errors.ts';
import type { Section } from './members.ts';

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

/** `“Drops from” of Pot main` in place of the path, and labels in place of names of fields; without a pot the label alone. */
export function inLabels(text: string, sections: readonly Section[]): string {
  const labelled = text.replace(new RegExp(place, 'g'), (path, offset: number) => {
    if (!/[.[]/.test(path) && !/(?:^|[;.] )$/.test(text.slice(0, offset))) return path;
    const section = sections.find((each) => each.path !== '' && `${path}.`.startsWith(`${each.path}.`));
    const label = labelAt(path, section === undefined ? sections : [section]);
    const pot = section?.path.startsWith('pots[') ? section.title : null;
    if (label === null) return section?.path === path ? section.title : path;
    return pot === null ? `“${label}”` : `“${label}” of ${pot}`;
  });
  const members = sections.flatMap((section) => section.members);
  return labelled.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => {
    const named = members.find(({ path }) => path === name || path.endsWith(`.${name}`));
    return named === undefined ? name : `“${named.label}”`;
  });
}

/** The label of the field that has what is at the path. */
function labelAt(path: string, sections: readonly Section[]): string | null {
  const members = sections.flatMap((section) => section.members);
  const found = members.findLast(
    (each) =>
      path === each.path || (/^[.[]/.test(path.slice(each.path.length)) && path.startsWith(each.path)),
  );
  return found?.label ?? null;
}

/** The refusal, in the labels of the form. */
export function inLabelsOf(error: unknown, sections: readonly Section[]): unknown {
  if (faultsOf(error).length === 0) return error;
  const { status, code, message, requestId } = error as ApiError;
  return new ApiError(status, code, inLabels(message, sections), requestId);
}

/** The faults that a refusal names; none: it is not about a configuration. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) return [];
  return error.message
    .replace(/\.$/, '')
    .split(between)
    .map((text) => ({ path: place.exec(text)?.[0] ?? placeOfCode[error.code] ?? null, text }));
}

/**
 * The faults of each place that is shown, in the labels of the form; `''` has those that belong to none of them.
 * What names no place is at the first field whose label, or name, it has.
 */
export function placedFaults(
  faults: readonly Fault[],
  sections: readonly Section[],
): ReadonlyMap<string, readonly string[]> {
  const members = sections.flatMap((section) => section.members);
  const places = new Set([...sections.map(({ path }) => path), ...members.map(({ path }) => path)]);
  const placed = new Map<string, readonly string[]>();
  for (const { path, text: plain } of faults) {
    const text = inLabels(plain, sections);
    let at = path ?? members.find(({ label }) => text.includes(`“${label}”`))?.path ?? '';
    while (at !== '' && !places.has(at)) at = at.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '');
    placed.set(at, [...(placed.get(at) ?? []), text]);
  }
  return placed;
}
