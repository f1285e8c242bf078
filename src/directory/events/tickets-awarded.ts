import { ticketView } from '../../contracts/jackpots/raffle-view.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** RaffleTicketEvent: the player's ticket record of the round. */
export const ticketsAwardedEvent: FeedEventMaker<'TicketsAwarded'> = ({ record }) => ({
  type: 'RaffleTicketEvent',
  instance: record.instance,
  counter: null,
  audience: { kind: 'player', brand: record.brand, player: record.player },
  content({ configuration }, { money }) {
    const accumulated = money.show(record.accumulatedAtoms, configuration.currency);
    const data = ticketView({ ...record, accumulatedAtoms: accumulated.atoms });
    return { owner: record.brand, player: record.player, data };
  },
});
