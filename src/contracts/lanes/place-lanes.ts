import { fnv1a32 } from '../../lib/hashes.ts';

/** A live host, as placement sees it. */
export interface PlacedHost {
  readonly id: string;
  /** Up for long enough after its last failure; until then a standby at best (hold-down). */
  readonly isSettled: boolean;
  /** Hands its lanes over: drained by an administrator, or its process is stopping. */
  readonly isLeaving: boolean;
}

/** Who should own a lane, and who should follow it. null: no host can. */
export interface LanePlacement {
  readonly owner: string | null;
  readonly standby: string | null;
}

/**
 * Rendezvous hashing: each lane ranks the hosts by a hash of both names and takes the first two, so a host
 * that joins or leaves moves only the lanes that it is among the first two of. Settled hosts rank before
 * unsettled ones as owners, and leaving hosts own only what no other host can. `pins` names the owner that an
 * administrator chose for a lane.
 */
export function placeLanes(
  lanes: number,
  hosts: readonly PlacedHost[],
  pins: ReadonlyMap<number, string>,
): readonly LanePlacement[] {
  return Array.from({ length: lanes }, (_, lane) => placeLane(lane, hosts, pins.get(lane)));
}

function placeLane(lane: number, hosts: readonly PlacedHost[], pinned: string | undefined): LanePlacement {
  const ranked = hosts
    .map((host) => ({ host, weight: weightOf(lane, host.id) }))
    .sort((a, b) => b.weight - a.weight || (a.host.id < b.host.id ? -1 : 1))
    .map(({ host }) => host);
  const classOf = (host: PlacedHost): number => {
    if (host.isLeaving) return 3;
    if (host.id === pinned) return 0;
    return host.isSettled ? 1 : 2;
  };
  const owner = firstBy(ranked, classOf);
  const others = ranked.filter((host) => host !== owner);
  const standby = firstBy(others, (host) => (host.isLeaving ? 1 : 0));
  return { owner: owner?.id ?? null, standby: standby?.id ?? null };
}

function firstBy(ranked: readonly PlacedHost[], classOf: (host: PlacedHost) => number): PlacedHost | null {
  return ranked.reduce<PlacedHost | null>(
    (best, host) => (best === null || classOf(host) < classOf(best) ? host : best),
    null,
  );
}

/** FNV-1a differs little for similar names; the finalizer of MurmurHash3 spreads it. */
function weightOf(lane: number, host: string): number {
  let mixed = fnv1a32(`${lane}/${host}`);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
