import type { SeenTrail } from '../../audit/witnessed.ts';
import type { TableExtent } from '../../ports.ts';
import type { Acceptance, WitnessedHead } from './witness-lines.ts';

/** What a host remembers of the log outside of it (docs/decisions/0072). */
export interface Witness {
  /** Which system the log says to be. */
  readonly system: string;
  /** The heads of a lane that count, by sequence. */
  heads(lane: number): readonly WitnessedHead[];
  /** The last time that somebody took the log of a lane as it was. */
  acceptance(lane: number): Acceptance | null;
  /** Remembers a stored head: on the disk within a second. */
  seen(head: Omit<WitnessedHead, 'system'>): void;
  /** Calls `show` in a moment, once however often it is asked for, and writes at once what it has `seen`. */
  soon(show: () => void): void;
  /** The most of a table that counts; zeros: nothing. */
  table(table: string): TableExtent;
  seenTable(table: string, extent: TableExtent, atMs: number): void;
  /** The audit trail as it was seen and counts, by time. */
  trails(): readonly SeenTrail[];
  /** The last time that somebody took the audit trail as it was. */
  trailAcceptance(): Acceptance | null;
  seenTrail(seen: SeenTrail): void;
  /** Resolves when what was seen is written, or could not be. */
  written(): Promise<void>;
}
