import type { LaneCondition } from './bus-messages.ts';

/** A lane as an actor host sees it: what its owner and the other hosts say, and where placement wants it. */
export interface PlacedLane {
  readonly lane: number;
  /** The host that sent heartbeats as its owner within a second; null: there is none. */
  readonly owner: string | null;
  /** The highest term that was observed. */
  readonly term: number | null;
  readonly condition: LaneCondition | 'silent';
  /** As in a heartbeat; '' while it serves, or is silent. */
  readonly code: string;
  readonly appliedSequence: number | null;
  /** In hex, at `appliedSequence`; null: its owner does not say. */
  readonly head: string | null;
  readonly standby: string | null;
  readonly isStandbyWarm: boolean;
  readonly standbySequence: number | null;
  readonly engineVersion: number | null;
  readonly placedOwner: string | null;
  readonly placedStandby: string | null;
  /** The owner that an administrator chose. */
  readonly pinnedTo: string | null;
}

/** A live actor host. */
export interface PlacedHostView {
  readonly id: string;
  readonly isSettled: boolean;
  readonly isLeaving: boolean;
  readonly isDrained: boolean;
  /** In a row: docs/decisions/0300. */
  readonly failures: number;
  readonly engine: { readonly oldest: number; readonly newest: number };
  readonly ownedLanes: readonly number[];
  readonly followedLanes: readonly number[];
  readonly haltedLanes: readonly number[];
}

/** A lane went from one host to another. */
export interface OwnerChange {
  readonly lane: number;
  readonly term: number;
  readonly from: string;
  readonly to: string;
  /** The first heartbeat of the new owner, by the clock of the host that observed it. */
  readonly timestampMs: number;
  /** From the last heartbeat of the former owner to it. */
  readonly silentMs: number;
}

/** What an administrator of the whole system wants of placement; it holds until it is taken back. */
export type PlacementOrder =
  /** `host` null: the lane is placed as all others. */
  | { readonly kind: 'move'; readonly lane: number; readonly host: string | null }
  | { readonly kind: 'drain'; readonly host: string; readonly isDrained: boolean };

/** What one actor host knows about all lanes and hosts. */
export interface PlacementView {
  readonly lanes: readonly PlacedLane[];
  readonly hosts: readonly PlacedHostView[];
  /** Those since this host began to listen, the newest last; older ones are forgotten. */
  readonly changes: readonly OwnerChange[];
}
