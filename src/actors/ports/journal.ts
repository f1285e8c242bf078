import type { JournalledRecord } from '../../log/lanes/outcome-journal.ts';

/** What a lane's owner needs of the pipelined writer of OUT records. */
export interface Journal {
  readonly storedSequence: number;
  readonly pendingCount: number;
  readonly pendingBytes: number;
  /** The records after `storedSequence` that it was given, in order. */
  readonly pending: readonly JournalledRecord[];
  /** Takes over the record of the sequence after the last one it was given. */
  append(record: JournalledRecord): void;
  /** Resolves when the journal has room again; null while it has. */
  room(): Promise<void> | null;
  /** Resolves when everything that it was given is stored. Rejects with what ended it. */
  drained(): Promise<void>;
  /** Sends what waits for later records. */
  flush(): void;
  stop(): Promise<void>;
}

/**
 * Opens a journal after OUT record `storedSequence`. `onFailure` is called once, when it cannot go on;
 * `onFull` when OUT takes nothing more, and when it does again; `onStored` whenever more is stored.
 */
export type OpenJournal = (
  lane: number,
  storedSequence: number,
  onFailure: (error: Error) => void,
  onFull: (full: boolean) => void,
  onStored?: () => void,
) => Journal;
