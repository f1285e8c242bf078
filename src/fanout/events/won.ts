import { operatorOf } from '../../contracts/identifiers.ts';
import type { WinShare } from '../../contracts/log/outcomes.ts';
import { encodeEvent, maskPlayer } from '../envelope.ts';
import type { Scope } from '../scope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** WinEvent: amounts in the jackpot's currency, as win_amount is everywhere. */
export const wonEvent: FeedEventMaker<'Won'> = (event, timestampMs) => ({
  type: 'WinEvent',
  instance: event.instance,
  counter: event.counter,
  timestampMs,
  visibleTo: () => true,
  encode(_known, scope) {
    const player = playerOf(event.winner, scope);
    return encodeEvent({
      event_type: 'WinEvent',
      operator_id: operatorOf(event.winner.brand),
      brand_id: event.winner.brand,
      player_id: player,
      instance_id: event.instance,
      seq: event.counter,
      timestamp: timestampMs,
      data: {
        win_pot_id: event.pot,
        win_amount: event.winner.amountAtoms,
        currency: event.currency,
        player_id: player,
        community_winners: event.community.map((share) => ({
          player_id: playerOf(share, scope),
          win_amount: share.amountAtoms,
          currency: event.currency,
        })),
        instance_count: event.instanceCount,
        seed: event.seedAtoms,
        seed_deficit: event.seedDeficitAtoms,
        rate_version: event.rateVersion,
        win_withheld: event.withheld,
        external: event.external,
        event_metadata: event.eventMetadata === null ? null : JSON.parse(event.eventMetadata),
      },
    });
  },
});

function playerOf(share: WinShare, scope: Scope): string {
  return scope.showsPlayersOf(share.brand) ? share.player : maskPlayer(share.player);
}
