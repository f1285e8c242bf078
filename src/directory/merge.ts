type Json = unknown;
type Members = Readonly<Record<string, Json>>;

/** Members that hold one key naming a kind: another kind replaces the whole, the same one is merged. */
const kindMembers: ReadonlySet<string> = new Set([
  'contribution_type',
  'contribution',
  'seed_contribution',
  'target',
  'duration',
  'rule',
]);

/**
 * A configuration with overrides on top (docs/rules/http.md "Templates and instances"): objects by key,
 * `pots` by id, other arrays replaced. null stays, so that the shape refuses a required member that is
 * removed; absent changes nothing.
 */
export function mergeConfiguration(base: Members, overrides: Members): Members {
  const merged: Record<string, Json> = {};
  for (const key of Object.keys(base)) set(merged, key, base[key]);
  for (const key of Object.keys(overrides)) {
    const value = overrides[key];
    if (value !== undefined)
      set(merged, key, mergeMember(key, Object.hasOwn(base, key) ? base[key] : undefined, value));
  }
  return merged;
}

function mergeMember(key: string, base: Json, override: Json): Json {
  if (key === 'pots' && Array.isArray(override)) return mergePots(Array.isArray(base) ? base : [], override);
  if (!isMembers(override)) return override;
  const isOfOtherKind =
    isMembers(base) &&
    kindMembers.has(key) &&
    Object.keys(override).some((kind) => override[kind] !== null && !Object.hasOwn(base, kind));
  return mergeConfiguration(isMembers(base) && !isOfOtherKind ? base : {}, override);
}

function mergePots(base: readonly Json[], overrides: readonly Json[]): readonly Json[] {
  const pots = [...base];
  for (const override of overrides) {
    const place = pots.findIndex((pot) => isMembers(pot) && isMembers(override) && pot.id === override.id);
    const present = pots[place];
    if (isMembers(present) && isMembers(override)) pots[place] = mergeConfiguration(present, override);
    else pots.push(isMembers(override) ? mergeConfiguration({}, override) : override);
  }
  return pots;
}

function isMembers(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As an own member whatever its name is: a key `__proto__` is data too. */
function set(target: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
