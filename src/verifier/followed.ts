import { Players } from './players.ts';
import { Tickets } from './tickets.ts';

/**
 * What is known of an instance because every epoch from the first one on was followed: hand the same object to the
 * verification of each epoch, in order.
 */
export class Followed {
  players = new Players();
  tickets = new Tickets();

  copy(): Followed {
    const copy = new Followed();
    copy.players = this.players.copy();
    copy.tickets = this.tickets.copy();
    return copy;
  }

  become({ players, tickets }: Followed): void {
    this.players = players;
    this.tickets = tickets;
  }
}
