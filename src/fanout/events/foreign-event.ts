import type { ForeignEvent } from '../../contracts/feeds/feed.ts';
import type { ForeignSourceName } from '../../contracts/feeds/feed-events.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { type Envelope, envelopeOf } from '../../directory/events/feed-event.ts';
import type { Scope } from '../scope/scope.ts';

/** An event that another platform brought, written once for all who hear it. */
export interface ForeignFeedEvent {
  readonly source: ForeignSourceName;
  readonly type: string;
  /** Brand path. */
  readonly brand: string;
  /** null: for the whole brand. */
  readonly player: string | null;
  readonly envelope: Envelope;
}

export function foreignFeedEvent(event: ForeignEvent): ForeignFeedEvent {
  return {
    source: event.source,
    type: event.event_type,
    brand: event.brand,
    player: event.player,
    envelope: envelopeOf({
      source: event.source,
      event_type: event.event_type,
      operator_id: operatorOf(event.brand),
      brand_id: event.brand,
      player_id: event.player,
      instance_id: null,
      timestamp: event.timestamp,
      data: event.data,
    }),
  };
}

/** The brand's players and its services; which of the players, the event says. */
export function mayReceive(scope: Scope, { brand, player }: ForeignFeedEvent): boolean {
  return scope.kind === 'players' ? scope.brand === brand : scope.showsPlayer(brand, player ?? '');
}
