/** A configuration as JSON: what a template has beside its names. */
export type Configuration = Readonly<Record<string, unknown>>;

interface Template {
  readonly pots: readonly object[];
}

const names = ['owner_id', 'id', 'name', 'description', 'retired', 'version'];

/** The configuration of a template, without what follows from the rest of it. */
export function configurationOf(template: Template): Configuration {
  const members = Object.entries(template).filter(([name]) => !names.includes(name));
  const { pots, ...others } = Object.fromEntries(members);
  return {
    ...others,
    pots: (pots as Configuration[]).map(({ supports_external_trigger: _, ...pot }) => pot),
  };
}

/** `pots[0].id`, member by member. */
function keysOf(path: string): readonly string[] {
  return path.split(/[.[\]]+/).filter((key) => key !== '');
}

/** What stands at a path; undefined: nothing. */
export function valueAt(document: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Configuration)[key] : undefined),
    document,
  );
}

/** The configuration with another value at a path; undefined takes it away. */
export function withValue(document: Configuration, path: string, value: unknown): Configuration {
  return replaced(document, keysOf(path), value) as Configuration;
}

function replaced(at: unknown, [key, ...deeper]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(at)) {
    const index = Number(key);
    const next = replaced(at[index], deeper, value);
    return next === undefined ? at.toSpliced(index, 1) : at.with(Math.min(index, at.length - 1), next);
  }
  const { [key]: present, ...others } = isMembers(at) ? at : {};
  const next = replaced(present, deeper, value);
  if (next === undefined) return others;
  // In its place among the others.
  return isMembers(at) && key in at ? { ...at, [key]: next } : { ...others, [key]: next };
}

/**
 * What has to be said on top of one configuration to get another: objects by member, pots by id, and null for what is
 * taken away (docs/rules/http.md "Templates and instances").
 */
export function overridesOf(base: Configuration, edited: Configuration): Configuration {
  const changes = changesOf(base, edited);
  const rules = changes.contribution_rules;
  // Its default depends on whether players opt in.
  if (isMembers(rules) && 'opt_in_required' in rules) {
    const path = 'contribution_rules.operator_contribution_percentage';
    return withValue(changes, path, valueAt(edited, path) ?? null);
  }
  return changes;
}

function changesOf(base: Configuration, edited: Configuration): Configuration {
  const changed = [...new Set([...Object.keys(base), ...Object.keys(edited)])].filter(
    (key) => !isSame(base[key], edited[key]),
  );
  return Object.fromEntries(changed.map((key) => [key, changeOf(key, base[key], edited[key])]));
}

function changeOf(key: string, before: unknown, after: unknown): unknown {
  if (key === 'pots' && Array.isArray(before) && Array.isArray(after)) {
    const known = new Map(before.filter(isMembers).map((pot) => [pot.id, pot]));
    return after
      .filter((pot) => !isMembers(pot) || !isSame(known.get(pot.id), pot))
      .map((pot) => {
        const present = isMembers(pot) ? known.get(pot.id) : undefined;
        return present === undefined ? pot : { id: pot.id, ...changesOf(present, pot) };
      });
  }
  return isMembers(before) && isMembers(after) ? changesOf(before, after) : (after ?? null);
}

/** Pots of the base that overrides cannot take away. */
export function lostPots(base: Configuration, edited: Configuration): readonly string[] {
  const idsOf = ({ pots }: Configuration) =>
    Array.isArray(pots) ? pots.filter(isMembers).map(({ id }) => String(id)) : [];
  const left = new Set(idsOf(edited));
  return idsOf(base).filter((id) => !left.has(id));
}

interface ComparedMember {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** The members of two configurations that differ. Pots are compared by their ids, the others of them by their places. */
export function comparedMembers(one: Configuration, other: Configuration): readonly ComparedMember[] {
  const [left, right] = [leavesOf(one, ''), leavesOf(matched(one, other), '')];
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((path) => ({ path, one: left.get(path), other: right.get(path) }))
    .filter((each) => !isSame(each.one, each.other));
}

/** The other configuration, each of its pots at the place of the one's that it is compared with. */
function matched(one: Configuration, other: Configuration): Configuration {
  if (!Array.isArray(one.pots) || !Array.isArray(other.pots)) return other;
  const left: unknown[] = [...other.pots];
  const take = (index: number) => left.splice(index, index < 0 ? 0 : 1)[0];
  const same = one.pots.map((pot) => take(left.findIndex((each) => isMembers(each) && each.id === pot?.id)));
  return { ...other, pots: [...same.map((pot) => pot ?? left.shift()), ...left] };
}

function leavesOf(value: unknown, path: string): ReadonlyMap<string, unknown> {
  if (Array.isArray(value) && value.length > 0)
    return new Map(value.flatMap((item, index) => [...leavesOf(item, `${path}[${index}]`)]));
  if (!isMembers(value) || (path !== '' && Object.keys(value).length === 0)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, member]) => [
      ...leavesOf(member, path === '' ? key : `${path}.${key}`),
    ]),
  );
}

/** A number and its text are the same amount; so are null and nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || normal(one) === normal(other);
}

function normal(value: unknown): string {
  return JSON.stringify(value ?? null, (_, member: unknown) => {
    if (typeof member === 'number') return String(member);
    if (typeof member === 'string') return withoutZeros(member);
    if (!isMembers(member)) return member;
    const present = Object.entries(member).filter(([, each]) => each !== null && each !== undefined);
    return Object.fromEntries(present.toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

function withoutZeros(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

function isMembers(value: unknown): value is Configuration {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
