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
import type { CallbackContent, Delivery, DeliveryContent } from '../delivery/delivery.ts';

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
});

const layout = record<StoredDelivery>({
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
  return frameStored(layout.pack(value));
}

/** Reads an entry. @throws LogError `corrupt` */
export function decodeStoredDelivery(frame: Uint8Array): StoredDelivery {
  return decodeWith('delivery', unframeStored(frame), layout.unpack);
}

/** The bytes of a lane's cursor, and which run wrote it. */
export function encodeCursor(sequence: number, run: number): Uint8Array {
  return frameStored(cursor.pack([sequence, run]));
}

/** Reads a lane's cursor. @throws LogError `corrupt` */
export function decodeCursor(frame: Uint8Array): number {
  return decodeWith('cursor', unframeStored(frame), (raw) => cursor.unpack(raw)[0] ?? 0);
}
