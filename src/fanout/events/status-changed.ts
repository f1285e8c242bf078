import { brandOf, operatorOf } from '../../contracts/identifiers.ts';
import { encodeEvent } from '../envelope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** InstanceStatusEvent. */
export const statusChangedEvent: FeedEventMaker<'StatusChanged'> = (event, timestampMs) => ({
  type: 'InstanceStatusEvent',
  instance: event.instance,
  counter: event.counter,
  timestampMs,
  visibleTo: () => true,
  encode(known) {
    const { owner } = known.description;
    return encodeEvent({
      event_type: 'InstanceStatusEvent',
      operator_id: operatorOf(owner),
      brand_id: brandOf(owner) === null ? null : owner,
      player_id: null,
      instance_id: event.instance,
      seq: event.counter,
      timestamp: timestampMs,
      data: { instance_id: event.instance, status: event.status, reason: event.reason },
    });
  },
});
