import { operatorOf } from '../../contracts/identifiers.ts';
import { optInStatusView } from '../../contracts/opt-in.ts';
import { encodeEvent } from '../envelope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** OptInEvent: the player's opt-in status, for the player and for services that may name the player. */
export const optInChangedEvent: FeedEventMaker<'OptInChanged'> = ({ status }, timestampMs) => ({
  type: 'OptInEvent',
  instance: status.instance,
  counter: null,
  timestampMs,
  visibleTo: (scope) => scope.showsPlayersOf(status.brand),
  encode: (_known, _scope, privateSequence) =>
    encodeEvent({
      event_type: 'OptInEvent',
      operator_id: operatorOf(status.brand),
      brand_id: status.brand,
      player_id: status.player,
      instance_id: status.instance,
      seq: privateSequence,
      timestamp: timestampMs,
      data: optInStatusView(status),
    }),
});
