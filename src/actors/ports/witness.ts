import type { SeenTrail } from '../../audit/witnessed.ts';
import type { TableExtent } from '../../ports.ts';

/** A lane as it stood outside of its log: OUT record `sequence` was stored, and made the lane head `head`. */
export interface WitnessedHead {
  readonly system: string;
  readonly lane: number;
  readonly sequence: number;
  /** Hexadecimal. */
  readonly head: string;
  readonly atMs: number;
}

/** Earlier lines about a lane or a table no longer count: a person decided so, for this reason. */
export interface Acceptance {
  /** The number of a lane, the name of a table, or `AUDIT`. */
  readonly accepted: string;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** What a host remembers of the log outside of it (docs/decisions/0072). */
export interface Witness {
  /** Which system the log says to be. */
  readonly system: string;
  heads(lane: number): readonly WitnessedHead[];
  /** The last time that a person accepted the log of a lane as it was. */
  acceptance(lane: number): Acceptance | null;
  /** Remembers a stored head: on the disk within a second. */
  seen(head: Omit<WitnessedHead, 'system'>): void;
  /** Calls `show` in a moment, once however often it is asked for, and writes at once what it has `seen`. */
  soon(show: () => void): void;
  /** The most of a table that counts; zeros: nothing. */
  table(table: string): TableExtent;
  seenTable(table: string, extent: TableExtent, atMs: number): void;
  trails(): readonly SeenTrail[];
  /** The last time that a person accepted the audit trail as it was. */
  trailAcceptance(): Acceptance | null;
  seenTrail(seen: SeenTrail): void;
  /** Resolves when what was seen is written, or could not be. */
  written(): Promise<void>;
}
