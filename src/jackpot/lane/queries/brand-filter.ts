import type { LaneState } from '../../state/lane/lane-state.ts';

/**
 * Whether the brand of a number is one of the owners (brand paths) or a brand of one (operators); null: every brand is. Each brand
 * is looked at once, however many players it has.
 */
export function brandFilter(
  state: LaneState,
  owners: readonly string[],
): ((brand: number) => boolean) | null {
  if (owners.length === 0) return null;
  const wanted = new Set(owners);
  const known = new Map<number, boolean>();
  return (brand) => {
    let is = known.get(brand);
    if (is === undefined) {
      const path = state.brands.byNumber(brand).command.brand;
      is = wanted.has(path) || wanted.has(path.slice(0, path.indexOf(':')));
      known.set(brand, is);
    }
    return is;
  };
}
