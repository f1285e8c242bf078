import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { nameUuid, uuidBytes } from '../../lib/uuid.ts';
import { decodeWith, frameStored, unframeStored } from '../../messages/codec/frame.ts';
import {
  flag,
  type Layout,
  list,
  nullable,
  number,
  record,
  since,
  text,
  union,
  variant,
  word,
} from '../../messages/codec/layout.ts';
import { contributed, refusalLayout } from '../../messages/codec/outcomes.ts';
import { flushRecord } from '../../messages/codec/settlements.ts';
import type { FlushSettled } from '../../messages/settlement-commands.ts';
import {
  type CallbackContent,
  type Delivery,
  type DeliveryContent,
  type Receiver,
  subscriptionOf,
} from '../delivery/delivery.ts';

/** `pending`: it is tried again. `dead`: there was the last try, and a person may replay it. */
type DeliveryState = 'pending' | 'dead';

/** How far a delivery has come. */
export interface DeliveryProgress {
  readonly state: DeliveryState;
  readonly tries: number;
  /** When the next try is due; of a dead one when it died. */
  readonly nextMs: number;
  /** Why the last try failed; empty: there was none. */
  readonly lastError: string;
  /** 0: there was no try. */
  readonly lastTryMs: number;
  /** Only of flushes: a try may have reached the receiver. It is written before the try. */
  readonly mayHaveArrived: boolean;
  /** Only of flushes: the result that the lane does not have yet; empty: it is not known. */
  readonly outcome: FlushSettled['result'] | '';
}

/** An entry of KV DELIVERIES: with everything that a try needs, so that it may outlive the log. */
export interface StoredDelivery extends DeliveryProgress {
  readonly delivery: Delivery;
}

const content: Layout<DeliveryContent> = union<DeliveryContent>({
  ContributionResult: [
    1,
    variant('ContributionResult', {
      gameround: text,
      currency: text,
      metadata: nullable(text),
      result: union<CallbackContent['result']>({
        Contributed: [1, contributed],
        Refused: [3, refusalLayout],
      }),
    }),
  ],
  DiversionFlush: [2, variant('DiversionFlush', { flush: flushRecord })],
  Event: [3, variant('Event', { subscription: text, type: text, instance: text, index: number, body: text })],
});

const deliveryLayout = record<StoredDelivery>({
  state: word('pending', 'dead'),
  tries: number,
  nextMs: number,
  lastError: text,
  lastTryMs: number,
  delivery: record<Delivery>({
    id: text,
    lane: number,
    sequence: number,
    owner: text,
    url: text,
    createdMs: number,
    content,
  }),
  mayHaveArrived: since(flag, true),
  outcome: since(word<StoredDelivery['outcome']>('', 'confirmed', 'failed'), ''),
});

const cursor = list(number);

/** The bytes of an entry (docs/rules/log.md "Message format"). */
export function encodeStoredDelivery(value: StoredDelivery): Uint8Array {
  return frameStored(deliveryLayout.pack(value));
}

/** Reads an entry. @throws LogError `corrupt` */
export function decodeStoredDelivery(frame: Uint8Array): StoredDelivery {
  return decodeWith('delivery', unframeStored(frame), deliveryLayout.unpack);
}

/** The bytes of a lane's cursor, and which run wrote it. */
export function encodeCursor(sequence: number, run: number): Uint8Array {
  return frameStored(cursor.pack([sequence, run]));
}

/** Reads a lane's cursor. @throws LogError `corrupt` */
export function decodeCursor(frame: Uint8Array): number {
  return decodeWith('cursor', unframeStored(frame), (raw) => cursor.unpack(raw)[0] ?? 0);
}

/** Which callbacks of the log a backlog has. */
export interface BacklogRange {
  /** The replay that it does a part of; empty: it follows the lane. */
  readonly replay: string;
  /** The last record that may belong to it. */
  readonly last: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Owners of the callbacks; empty: all. An operator stands for its brands. */
  readonly owners: readonly string[];
}

/**
 * All callbacks of one receiver from a record on, instead of an entry for each (docs/decisions/0320). They
 * are made again from the log when the receiver answers.
 */
export interface Backlog extends BacklogRange {
  readonly id: string;
  readonly operator: string;
  readonly origin: string;
  /** Empty: it has callbacks. Events of a subscription have a backlog of their own, whatever the origin. */
  readonly subscription: string;
  /** The first record that it began with. */
  readonly from: number;
  /** Everything before this record is delivered, or stored as an entry. */
  readonly next: number;
  /** When record `next` was made. */
  readonly oldestMs: number;
  /** About how many callbacks wait. */
  readonly waiting: number;
  readonly state: 'pending' | 'dead';
  /** Failed tries of the first callback. */
  readonly tries: number;
  /** When it is tried again; of a dead one when it died. */
  readonly nextMs: number;
  readonly lastError: string;
  /** 0: there was no try. */
  readonly lastTryMs: number;
  /** When the receiver accepted something, or the backlog began. */
  readonly acceptedMs: number;
}

/** Everything that the lane's records bring. */
export const wholeLane: BacklogRange = {
  replay: '',
  last: Number.MAX_SAFE_INTEGER,
  fromMs: 0,
  toMs: Number.MAX_SAFE_INTEGER,
  owners: [],
};

const backlogNamespace = uuidBytes('5b0c8f4e-3f5b-4c0e-9d1e-7a64c2f1b890');

/** The id of a lane's backlog of a receiver or a subscription, the same after each start. */
export function backlogIdOf(
  lane: number,
  { operator, origin }: Receiver,
  replay: string,
  subscription = '',
): string {
  return nameUuid(backlogNamespace, `${lane}/${replay}/${operator} ${subscription || origin}`);
}

/** Whether a delivery that a record brings is the backlog's. */
export function hasDelivery(
  backlog: Backlog,
  delivery: Pick<Delivery, 'owner' | 'createdMs' | 'url' | 'content'>,
): boolean {
  const { operator, origin, subscription, fromMs, toMs, owners } = backlog;
  const { owner, createdMs, url } = delivery;
  if (operatorOf(owner) !== operator || createdMs < fromMs || createdMs > toMs) return false;
  if (owners.length > 0 && !owners.includes(owner) && !owners.includes(operator)) return false;
  if (subscriptionOf(delivery) !== subscription) return false;
  return subscription !== '' || new URL(url).origin === origin;
}

/** The run that wrote it makes its bytes its own: another run that writes the same meets a lost race. */
type StoredBacklog = Backlog & { readonly run: number };

const backlogFields = {
  id: text,
  operator: text,
  origin: text,
  from: number,
  next: number,
  oldestMs: number,
  waiting: number,
  state: word('pending', 'dead'),
  tries: number,
  nextMs: number,
  lastError: text,
  lastTryMs: number,
  acceptedMs: number,
  replay: text,
  last: number,
  fromMs: number,
  toMs: number,
  owners: list(text),
  run: number,
};

/** As releases before subscriptions read it. */
const callbackBacklog = record<Omit<StoredBacklog, 'subscription'>>(backlogFields);
const eventBacklog = record<StoredBacklog>({ ...backlogFields, subscription: text });

/** The bytes of a backlog in KV DELIVERIES. */
export function encodeBacklog(backlog: Backlog, run: number): Uint8Array {
  const { subscription, ...rest } = { ...backlog, run };
  return frameStored(
    subscription === '' ? callbackBacklog.pack(rest) : eventBacklog.pack({ ...rest, subscription }),
  );
}

/** Reads a backlog of callbacks, or of events. @throws LogError `corrupt` */
export function decodeBacklog(frame: Uint8Array, of: 'callbacks' | 'events'): Backlog {
  const read = (raw: unknown): StoredBacklog =>
    of === 'events' ? eventBacklog.unpack(raw) : { ...callbackBacklog.unpack(raw), subscription: '' };
  const { run: _, ...backlog } = decodeWith('backlog', unframeStored(frame), read);
  return backlog;
}

/** One lane's part of a replay: the callbacks of a time range are made again from the log and sent. */
export interface ReplayJob {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Owners of the callbacks; empty: all. An operator stands for its brands. */
  readonly owners: readonly string[];
  readonly createdMs: number;
  /** The next record; 0: it has not begun. */
  readonly next: number;
  /** The last record that there was when it was asked for. */
  readonly last: number;
  readonly deliveries: number;
  /** Callbacks whose commands the log has lost. */
  readonly lost: number;
  readonly isDone: boolean;
}

/** The replay of what was accepted before the outbox was first started. */
export const backlogId = '00000000-0000-0000-0000-000000000000';

/** A replay that has not begun, of all owners and of no time yet. */
export function newReplay(id: string, createdMs: number): ReplayJob {
  return {
    id,
    fromMs: 0,
    toMs: 0,
    owners: [],
    createdMs,
    next: 0,
    last: 0,
    deliveries: 0,
    lost: 0,
    isDone: false,
  };
}

const replayLayout = record<ReplayJob>({
  id: text,
  fromMs: number,
  toMs: number,
  owners: list(text),
  createdMs: number,
  next: number,
  last: number,
  deliveries: number,
  lost: number,
  isDone: flag,
});

/** The bytes of a job in KV DELIVERIES. */
export function encodeReplayJob(job: ReplayJob): Uint8Array {
  return frameStored(replayLayout.pack(job));
}

/** Reads a job. @throws LogError `corrupt` */
export function decodeReplayJob(frame: Uint8Array): ReplayJob {
  return decodeWith('replay', unframeStored(frame), replayLayout.unpack);
}
