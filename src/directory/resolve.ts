import { operatorOf } from '../contracts/fields/identifiers.ts';
import { isBrandAllowed, isCountryAllowed } from '../messages/admission.ts';
import type { Binding } from '../messages/records.ts';
import type { KnownInstance, LaneView } from './lane-view.ts';
import { type DirectoryEntries, ownedKey } from './owners.ts';

export interface SourceLookup {
  /** Brand path. */
  readonly brand: string;
  readonly source: string;
  readonly segments: readonly string[];
  /** The source's group: segments lead to instances of it only. */
  readonly group: string;
  /** null: not known, then country filters do not narrow the lookup. */
  readonly country: string | null;
  /** Leaves out instances that are of another game; absent: of none. */
  readonly gameCode?: string | undefined;
}

/** Lookups show what a player can join now, then what will open, then what is paused. */
const statusesShown = ['Active', 'Pending', 'Paused'] as const;

/**
 * The jackpot that applies to a source: the order of a contribution, opt-in ignored
 * (docs/rules/contributions.md "Lookups"). null where none does.
 */
export function jackpotForSource(
  entries: DirectoryEntries,
  lanes: LaneView,
  lookup: SourceLookup,
  nowMs: number,
): KnownInstance | null {
  const fitting = candidates(entries, lanes, lookup).filter((known) => fits(known, lookup, nowMs));
  for (const status of statusesShown) {
    const found = fitting.find((known) => known.status === status);
    if (found !== undefined) return found;
  }
  return null;
}

/** What the player's segments lead to, then the source's own lists, a brand's before its operator's. */
export function candidates(
  entries: DirectoryEntries,
  lanes: LaneView,
  lookup: SourceLookup,
): KnownInstance[] {
  const operator = operatorOf(lookup.brand);
  const found: KnownInstance[] = [];
  const take = (bindings: readonly Binding[], group: string | null): void => {
    for (const binding of bindings) {
      const known = goingOn(lanes, binding.instance);
      if (known !== undefined && (group === null || known.description.group === group)) found.push(known);
    }
  };
  take(ledTo(entries, lanes, lookup), lookup.group);
  take(lanes.bindings('source', lookup.brand, lookup.source), null);
  take(lanes.bindings('source', operator, lookup.source), null);
  return found;
}

/** After a model switch the target, also while the switch is still announcing its bindings. */
function goingOn(lanes: LaneView, id: string): KnownInstance | undefined {
  let known = lanes.instances.get(id);
  while (known?.status === 'Switched' && known.description.switchedTo !== '')
    known = lanes.instances.get(known.description.switchedTo);
  return known;
}

/** Where the player's segments lead, as one list in the order of docs/rules/contributions.md "Resolve". */
function ledTo(entries: DirectoryEntries, lanes: LaneView, lookup: SourceLookup): readonly Binding[] {
  const owners = [lookup.brand, operatorOf(lookup.brand)];
  const found = owners.flatMap((owner, rank) =>
    [...new Set(lookup.segments)].flatMap((id) => {
      const segment = entries.segments.get(ownedKey(owner, id));
      if (segment === undefined) return [];
      return lanes.bindings('segment', owner, id).map((binding) => ({ ...binding, segment, rank }));
    }),
  );
  return found.sort(
    (a, b) =>
      a.segment.priority - b.segment.priority ||
      a.priority - b.priority ||
      a.rank - b.rank ||
      (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : 0),
  );
}

function fits(known: KnownInstance, lookup: SourceLookup, nowMs: number): boolean {
  const { timestampEndMs, owner, gameCode } = known.description;
  if (lookup.gameCode !== undefined && gameCode !== '' && gameCode !== lookup.gameCode) return false;
  if (timestampEndMs !== null && nowMs >= timestampEndMs) return false;
  if (!isBrandAllowed(known.configuration, owner, lookup.brand)) return false;
  return lookup.country === null || isCountryAllowed(known.configuration, lookup.country);
}
