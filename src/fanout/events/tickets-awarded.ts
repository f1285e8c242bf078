import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { ticketView } from '../../contracts/jackpots/raffle-view.ts';
import { writeJson } from '../../lib/json.ts';
import { envelopeOf } from './envelope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** RaffleTicketEvent: the player's ticket record of the round, for the player and for services that may name the player. */
export const ticketsAwardedEvent: FeedEventMaker<'TicketsAwarded'> = ({ record }, timestampMs) => ({
  type: 'RaffleTicketEvent',
  instance: record.instance,
  counter: null,
  timestampMs,
  audience: { kind: 'player', brand: record.brand, player: record.player },
  encode({ configuration }, { money }) {
    const accumulated = money.show(record.accumulatedAtoms, configuration.currency);
    return envelopeOf({
      source: 'jackpot',
      event_type: 'RaffleTicketEvent',
      operator_id: operatorOf(record.brand),
      brand_id: record.brand,
      player_id: record.player,
      instance_id: record.instance,
      timestamp: timestampMs,
      data: writeJson(ticketView({ ...record, accumulatedAtoms: accumulated.atoms })),
    });
  },
});
