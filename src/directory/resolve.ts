import { operatorOf } from '../contracts/identifiers.ts';
import type { Binding } from '../contracts/log/outcomes.ts';
import { allowsBrand, allowsCountry } from './configuration-view.ts';
import type { KnownInstance, LaneView } from './lane-view.ts';
import type { DirectoryEntries, Segment } from './owners.ts';
import { ownedKey } from './owners.ts';

export interface SourceLookup {
  /** Brand path. */
  readonly brand: string;
  readonly source: string;
  readonly segments: readonly string[];
  /** The source's group: segments lead to instances of it only. */
  readonly group: string;
  /** null: not known, then country filters do not narrow the lookup. */
  readonly country: string | null;
}

/** Lookups show what a player can join now, then what will open, then what rests. */
const statusesShown = ['Active', 'Pending', 'Paused'] as const;

/**
 * The jackpot that applies to a source (domain.md 3, step 0, "Lookups"): the order of a contribution, opt-in ignored.
 * null where none does.
 */
export function jackpotForSource(
  entries: DirectoryEntries,
  lanes: LaneView,
  lookup: SourceLookup,
  nowMs: number,
): KnownInstance | null {
  const fitting = candidates(entries, lanes, lookup).filter((known) => fits(known, lookup, nowMs));
  for (const status of statusesShown) {
    const found = fitting.find((known) => known.headline.status === status);
    if (found !== undefined) return found;
  }
  return null;
}

/** The player's segments by priority, then the source's own lists, a brand's before its operator's. */
export function candidates(
  entries: DirectoryEntries,
  lanes: LaneView,
  lookup: SourceLookup,
): KnownInstance[] {
  const operator = operatorOf(lookup.brand);
  const found: KnownInstance[] = [];
  const take = (bindings: readonly Binding[], group: string | null): void => {
    for (const binding of bindings) {
      const known = lanes.instances.get(binding.instance);
      if (known !== undefined && (group === null || known.description.group === group)) found.push(known);
    }
  };
  for (const segment of segmentsOf(entries, lookup))
    take(lanes.bindings('segment', segment.owner, segment.id), lookup.group);
  take(lanes.bindings('source', lookup.brand, lookup.source), null);
  take(lanes.bindings('source', operator, lookup.source), null);
  return found;
}

function segmentsOf(entries: DirectoryEntries, lookup: SourceLookup): Segment[] {
  const owners = [lookup.brand, operatorOf(lookup.brand)];
  const found: { readonly segment: Segment; readonly rank: number }[] = [];
  for (const [rank, owner] of owners.entries()) {
    for (const id of new Set(lookup.segments)) {
      const segment = entries.segments.get(ownedKey(owner, id));
      if (segment !== undefined) found.push({ segment, rank });
    }
  }
  found.sort(
    (a, b) =>
      a.segment.priority - b.segment.priority || a.rank - b.rank || (a.segment.id < b.segment.id ? -1 : 1),
  );
  return found.map((item) => item.segment);
}

function fits(known: KnownInstance, lookup: SourceLookup, nowMs: number): boolean {
  const { timestampEndMs, owner } = known.description;
  if (timestampEndMs !== null && nowMs >= timestampEndMs) return false;
  if (!allowsBrand(known.configuration, owner, lookup.brand)) return false;
  return lookup.country === null || allowsCountry(known.configuration, lookup.country);
}
