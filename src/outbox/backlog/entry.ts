import { type Delivery, receiverOf, subscriptionOf } from '../delivery/delivery.ts';
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

type BacklogOf = Pick<Backlog, 'operator' | 'origin' | 'subscription' | 'replay'>;

/** A subscription's address may change: its events stay in one backlog. */
export function backlogKey({ operator, origin, subscription, replay }: BacklogOf): string {
  return `${replay} ${operator} ${subscription === '' ? origin : subscription}`;
}

/** The key of the backlog that may have a delivery. */
export function backlogKeyOf(delivery: Delivery, replay: string): string {
  return backlogKey({ ...receiverOf(delivery), subscription: subscriptionOf(delivery), replay });
}

/** A replay leaves everything up to its last record to it, the lane what it has come across. */
export function targetOf({ backlog, coveredTo }: BacklogEntry): number {
  return backlog.replay === '' ? coveredTo : backlog.last;
}

export function rowOf(backlog: Backlog): KnownDelivery {
  const { id, operator, origin, subscription, state, tries, nextMs, lastError, lastTryMs } = backlog;
  const { oldestMs, waiting } = backlog;
  return {
    id,
    kind: 'ReceiverBacklog',
    owner: operator,
    instance: '',
    ...(subscription === '' ? {} : { subscription }),
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
