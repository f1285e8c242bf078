import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { nameUuid, uuidBytes } from '../../lib/uuid.ts';
import { decodeWith, frameStored, unframeStored } from '../../messages/codec/frame.ts';
import { list, number, record, text, word } from '../../messages/codec/layout.ts';
import type { Delivery, Receiver } from '../delivery/delivery.ts';

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

const namespace = uuidBytes('5b0c8f4e-3f5b-4c0e-9d1e-7a64c2f1b890');

/** The id of a lane's backlog of a receiver, the same after each start. */
export function backlogIdOf(lane: number, { operator, origin }: Receiver, replay: string): string {
  return nameUuid(namespace, `${lane}/${replay}/${operator} ${origin}`);
}

/** Whether a callback that a record brings is the backlog's. */
export function hasCallback(
  backlog: Backlog,
  { owner, createdMs, url }: Pick<Delivery, 'owner' | 'createdMs' | 'url'>,
): boolean {
  const { operator, origin, fromMs, toMs, owners } = backlog;
  if (operatorOf(owner) !== operator || createdMs < fromMs || createdMs > toMs) return false;
  if (owners.length > 0 && !owners.includes(owner) && !owners.includes(operator)) return false;
  return new URL(url).origin === origin;
}

/** The run that wrote it makes its bytes its own: another run that writes the same meets a lost race. */
type StoredBacklog = Backlog & { readonly run: number };

const layout = record<StoredBacklog>({
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
});

/** The bytes of a backlog in KV DELIVERIES. */
export function encodeBacklog(backlog: Backlog, run: number): Uint8Array {
  return frameStored(layout.pack({ ...backlog, run }));
}

/** Reads a backlog. @throws LogError `corrupt` */
export function decodeBacklog(frame: Uint8Array): Backlog {
  const { run: _, ...backlog } = decodeWith('backlog', unframeStored(frame), layout.unpack);
  return backlog;
}
