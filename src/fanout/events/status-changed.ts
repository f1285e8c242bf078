import { brandOf, operatorOf } from '../../contracts/fields/identifiers.ts';
import { writeJson } from '../../lib/json.ts';
import { envelopeOf } from './envelope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** InstanceStatusEvent. */
export const statusChangedEvent: FeedEventMaker<'StatusChanged'> = (event, timestampMs) => ({
  type: 'InstanceStatusEvent',
  instance: event.instance,
  counter: event.counter,
  timestampMs,
  audience: { kind: 'everyone', named: [] },
  encode(known) {
    const { owner } = known.description;
    return envelopeOf({
      source: 'jackpot',
      event_type: 'InstanceStatusEvent',
      operator_id: operatorOf(owner),
      brand_id: brandOf(owner) === null ? null : owner,
      player_id: null,
      instance_id: event.instance,
      timestamp: timestampMs,
      data: writeJson({ instance_id: event.instance, status: event.status, reason: event.reason }),
    });
  },
});
