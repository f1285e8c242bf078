import type { Backlog } from '../store/entries.ts';
import type { KnownDelivery } from '../stored/stored-deliveries.ts';

/** A backlog in memory. */
export interface BacklogEntry {
  readonly key: string;
  backlog: Backlog;
  revision: number;
  /** The last record that was left to it. */
  coveredTo: number;
  readonly settled: Set<string>;
  isWalking: boolean;
  writing: Promise<void>;
  /** By `elapsedMs`. */
  writtenMs: number;
}

export function openEntry(
  key: string,
  backlog: Backlog,
  { revision, elapsedMs }: { readonly revision: number; readonly elapsedMs: number },
): BacklogEntry {
  return {
    key,
    backlog,
    revision,
    coveredTo: backlog.next - 1,
    settled: new Set(),
    isWalking: false,
    writing: Promise.resolve(),
    writtenMs: elapsedMs,
  };
}

export function backlogKey(operator: string, origin: string, replay: string): string {
  return `${replay} ${operator} ${origin}`;
}

/** A replay leaves everything up to its last record to it, the lane what it has come across. */
export function targetOf({ backlog, coveredTo }: BacklogEntry): number {
  return backlog.replay === '' ? coveredTo : backlog.last;
}

export function rowOf(backlog: Backlog): KnownDelivery {
  const { id, operator, origin, state, tries, nextMs, lastError, lastTryMs, oldestMs, waiting } = backlog;
  return {
    id,
    kind: 'ReceiverBacklog',
    owner: operator,
    instance: '',
    receiver: { operator, origin },
    createdMs: oldestMs,
    flush: null,
    state,
    tries,
    nextMs,
    lastError,
    lastTryMs,
    mayHaveArrived: false,
    outcome: '',
    deliveries: waiting,
  };
}
