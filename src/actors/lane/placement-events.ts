import type { PlacementOrder, PlacementView } from '../../messages/placement.ts';

/** A lane in this process, as far as its placement is concerned. */
export interface ClaimableLane {
  readonly lane: number;
  /** With `isWanted` the claim is given up when it says no, or when another one comes first. */
  claim(isWanted?: () => boolean): void;
}

/** What a lane's host reports to the code that placed the lane here, and asks of it. */
export interface PlacementEvents {
  /** The lane has reached the end of its log for the first time in this life. */
  caughtUp(host: ClaimableLane): void;
  /** A claim was applied: the lane is `by`'s from here on. */
  claimed(host: ClaimableLane, by: string, term: number): void;
  /** Whether losing the lane is ordinary and no alarm. */
  expectsLoss(lane: number): boolean;
  /** Another host answers the lane's queries and says how it is. */
  isServedElsewhere(lane: number): boolean;
  /** Another host follows the lane, caught up, and takes its snapshots. */
  hasStandby(lane: number): boolean;
  /** The engine version to which the lane's owner takes it now; null: to none. */
  nextEngineVersion(lane: number, isEmpty: boolean): number | null;
  /** Where all lanes are, as this host sees it; null: it is placed beside no others. */
  view(): PlacementView | null;
  /** Writes an order of an administrator. false: there are no other hosts to place lanes on. */
  order(order: PlacementOrder): Promise<boolean>;
}

/** For a host alone: it claims each lane as soon as it has caught up, and answers what it is asked. */
export const aloneOnLanes: PlacementEvents = {
  // An error ends the lane inside `claim`.
  caughtUp: (host) => host.claim(),
  claimed: () => {},
  expectsLoss: () => false,
  isServedElsewhere: () => false,
  hasStandby: () => false,
  nextEngineVersion: () => null,
  view: () => null,
  order: async () => false,
};
