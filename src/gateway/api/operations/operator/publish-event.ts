import { platformEvent } from '../../../../contracts/feeds/feed-events.ts';
import { PublicError } from '../../../base/errors.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { metadataText } from '../../contribution/draft.ts';
import { defineOperation } from '../../operation/operation.ts';

/**
 * Brings another platform's event to the feeds of a player or a brand of the caller's operator, at most once.
 * docs/rules/feeds.md "Events of other platforms"
 */
export const publishEventOperation = defineOperation({
  id: 'events.publish',
  name: 'Events of other platforms',
  route: 'POST /v1/events',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: platformEvent },
  refusals: [403, 404],
  status: 202,
  limits: { perOperator: true },
  async handle({ principal, body }, { directory, platformEvents, clock }) {
    const { source, event_type, brand_id, player_id } = body;
    // As large as an event_metadata may be: it goes to every socket of the brand.
    const data = metadataText(body.data);
    if (data === null) throw new PublicError('invalid_request');
    const brand = scopedBrand(directory, principal, brand_id).path;
    platformEvents.publish({
      source,
      event_type,
      brand,
      player: player_id ?? null,
      timestamp: clock.nowMs(),
      data,
    });
    return { status: 202 };
  },
});
