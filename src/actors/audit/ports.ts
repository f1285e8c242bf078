import type { Hashing } from '../../jackpot/state/hashing/hashing.ts';
import type { Archive, ArchiveName, Log } from '../../ports.ts';
import type { Engines } from '../ports/actor-ports.ts';
import type { SnapshotStore } from '../ports/snapshot-store.ts';

export type ReadableSnapshots = Pick<SnapshotStore, 'list' | 'readParts'>;

/** What an audit and a replay read; they write nothing. */
export interface AuditPorts {
  readonly log: Pick<
    Log,
    | 'extents'
    | 'readCommand'
    | 'readCommands'
    | 'nextCommand'
    | 'readOutcome'
    | 'readOutcomes'
    | 'lastOutcome'
  > & { archive(name: ArchiveName): Promise<Pick<Archive, 'list' | 'get'>> };
  readonly stores: readonly { readonly place: string; readonly store: ReadableSnapshots }[];
  /** Older messages may leave the streams. */
  readonly maxAgeMs: number;
  readonly hashing: Hashing;
  readonly engines: Engines;
}
