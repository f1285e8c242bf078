import { brandOf, operatorOf } from '../contracts/identifiers.ts';
import { tickerView } from '../contracts/instance-view.ts';
import type { KnownInstance } from '../directory/lane-view.ts';
import type { Replica } from '../directory/replica.ts';
import { encodeEvent } from './envelope.ts';

/**
 * The JackpotUpdate of an instance: document 1 "Instance ticker" with `head` (lower-case hex) and `epoch`. `recovered` is
 * there only in the snapshot of a connection that asked with `since`.
 */
export function encodeUpdate(
  replica: Replica,
  known: KnownInstance,
  timestampMs: number,
  recovered?: boolean,
): Buffer {
  const { description, headline } = known;
  return encodeEvent({
    event_type: 'JackpotUpdate',
    operator_id: operatorOf(description.owner),
    brand_id: brandOf(description.owner) === null ? null : description.owner,
    player_id: null,
    instance_id: description.instance,
    seq: headline.sequence,
    timestamp: timestampMs,
    data: { ...tickerOf(replica, known), head: hex(headline.head), epoch: headline.epoch, recovered },
  });
}

function tickerOf(replica: Replica, known: KnownInstance) {
  return tickerView(known.description, known.headline, known.configuration.pots, {
    brands: replica.allowedBrands(known),
    sources: allowedSources(replica, known.description.instance),
  });
}

function allowedSources(replica: Replica, instance: string): string[] {
  return [...new Set(replica.lanes.sourcesOf(instance).map(([, source]) => source))].sort();
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
