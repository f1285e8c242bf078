import type { Ending } from './neighbours.ts';
import { Players } from './players.ts';
import { Tickets } from './tickets.ts';

/**
 * Knowledge about an instance from following every epoch since the first: pass the same object to the verification of
 * each epoch, in order.
 */
export class Followed {
  players = new Players();
  tickets = new Tickets();
  /** Of the epoch that was verified last. */
  ending: Ending | null = null;
  /** Of the last record. */
  timestampMs = 0;

  copy(): Followed {
    const copy = new Followed();
    copy.players = this.players.copy();
    copy.tickets = this.tickets.copy();
    copy.ending = this.ending;
    copy.timestampMs = this.timestampMs;
    return copy;
  }

  become({ ending, players, tickets, timestampMs }: Followed): void {
    this.players = players;
    this.tickets = tickets;
    this.ending = ending;
    this.timestampMs = timestampMs;
  }
}
