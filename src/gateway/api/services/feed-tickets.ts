import type { FeedTickets } from '../../../access/keys/feed-tickets.ts';
import { decodeTicketQuestion, encodeTicketAnswer } from '../../../contracts/feeds/tickets.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { Bus, Clock } from '../../../ports.ts';
import { TokenBuckets } from '../../base/token-buckets.ts';

/** How many tickets of feeds are issued (docs/rules/feeds.md "Tickets"). */
export interface TicketLimit {
  /** For a service of the operator. @throws PublicError rate_limited */
  takeService(operator: string): void;
  /** For a player of the brand (path). @throws PublicError rate_limited */
  takePlayer(brand: string, player: string): void;
}

const playersPerSecond = 1;
const playersBurstSeconds = 10;
const countedOperators = 10_000;
const countedPlayers = 100_000;
/** One of them answers. */
const gateways = 'gateways';

export function createTicketLimit(clock: Clock, perSecond: number): TicketLimit {
  const ofOperators = { perSecond, burstSeconds: 1, maxCallers: countedOperators };
  const services = new TokenBuckets(clock, { ...ofOperators, callers: 'tickets of' });
  const operators = new TokenBuckets(clock, { ...ofOperators, callers: 'tickets of players of' });
  const players = new TokenBuckets(clock, {
    callers: 'tickets of player',
    perSecond: playersPerSecond,
    burstSeconds: playersBurstSeconds,
    maxCallers: countedPlayers,
  });
  return {
    takeService: (operator) => services.take(operator),
    takePlayer(brand, player) {
      players.take(`${brand} ${player}`);
      operators.take(operatorOf(brand));
    },
  };
}

/** Redeems tickets for the fan-out, which has neither their key nor a table to note their use in. */
export function answerTickets(
  bus: Pick<Bus, 'subscribe'>,
  subject: string,
  tickets: FeedTickets | null,
  report: (error: unknown) => void,
): { stop(): void } {
  if (tickets === null) return { stop() {} };
  return bus.subscribe(
    subject,
    (message) => {
      const question = decodeTicketQuestion(message.bytes);
      if (question === null) return;
      tickets
        .redeem(question)
        .then((answer) => message.respond(encodeTicketAnswer(answer)))
        .catch(report);
    },
    { queue: gateways },
  );
}
