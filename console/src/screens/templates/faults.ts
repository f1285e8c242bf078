import { ApiError } from '../../api/errors.ts';
import type { Configuration } from './document.ts';
import { type Member, type Section, sectionsOf } from './members.ts';

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

interface Place {
  readonly section: Section | undefined;
  readonly member: Member | undefined;
}

/** The field that has what is at a path, and the fields that it is among. */
function placeOf(path: string, sections: readonly Section[]): Place {
  const isIn = (at: string) => path.startsWith(at) && /^(?:$|[.[])/.test(path.slice(at.length));
  const section = sections.find(
    ({ path: at, members }) => (at !== '' && isIn(at)) || members.some((each) => isIn(each.path)),
  );
  return { section, member: section?.members.findLast((each) => isIn(each.path)) };
}

/** `Pot main: Its part of a contribution, Percentage`; null: the form has no field of it. */
export function titleOf(path: string, sections: readonly Section[]): string | null {
  const { section, member } = placeOf(path, sections);
  if (section === undefined || member === undefined) return null;
  const rest = path.slice(member.path.length).replace(/^\./, '');
  return `${section.title}: ${member.label}${rest === '' ? '' : `, ${rest}`}`;
}

/** `“Drops from” of Pot main` in place of its path, and labels in place of names of fields. */
function inLabels(text: string, sections: readonly Section[]): string {
  const labelled = text.replace(new RegExp(place, 'g'), (path, offset: number) => {
    if (!/[.[]/.test(path) && !/(?:^|[;.] )$/.test(text.slice(0, offset))) return path;
    const { section, member } = placeOf(path, sections);
    if (section === undefined) return path;
    if (member === undefined) return section.path === path ? section.title : path;
    return `“${member.label}”${section.path.startsWith('pots[') ? ` of ${section.title}` : ''}`;
  });
  const members = sections.flatMap((section) => section.members);
  return labelled.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => {
    const named = members.find(({ path }) => path === name || path.endsWith(`.${name}`));
    return named === undefined ? name : `“${named.label}”`;
  });
}

/** The refusal, in the labels of the form. */
export function inLabelsOf(error: unknown, sections: readonly Section[]): unknown {
  if (faultsOf(error).length === 0) return error;
  const { status, code, message, requestId } = error as ApiError;
  return new ApiError(status, code, inLabels(message, sections), requestId);
}

/** Shows a refused form where its faults are, and the refusal in its labels. */
export function refusedAt(document: Configuration, found: (faults: readonly Fault[]) => void) {
  return (error: unknown): never => {
    found(faultsOf(error));
    throw inLabelsOf(error, sectionsOf(document));
  };
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
