import { createAttempts } from '../../access/sessions/attempts.ts';
import {
  decodeTicketAnswer,
  encodeTicketQuestion,
  maxTicketLength,
  type TicketAnswer,
} from '../../contracts/feeds/tickets.ts';
import { type Bus, type Clock, LogError, type Random } from '../../ports.ts';
import { ticketLimits as limits } from '../base/limits.ts';

interface TicketsPorts {
  readonly bus: Pick<Bus, 'request'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Where gateways answer. */
  readonly subject: string;
}

type Redeemed = TicketAnswer | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

/** Has tickets redeemed by gateways, which alone can open them and note their use. */
export class Tickets {
  readonly #ports: TicketsPorts;
  readonly #refusals: ReturnType<typeof createAttempts>;

  constructor(ports: TicketsPorts) {
    this.#ports = ports;
    this.#refusals = createAttempts(ports.clock, limits.refusalsOfAddress);
  }

  async redeem(ticket: string, address: string): Promise<Redeemed> {
    const retryAfterSeconds = this.#refusals.blockedSeconds(address);
    if (retryAfterSeconds > 0) return { kind: 'limited', retryAfterSeconds };
    const answer = isTicket(ticket) ? await this.#ask(ticket) : ({ kind: 'refused' } as const);
    if (answer.kind === 'refused') this.#refusals.count(address);
    return answer;
  }

  /** Asked again in the same words, a gateway does not take the first question for another's use. */
  async #ask(ticket: string): Promise<TicketAnswer> {
    const attempt = Buffer.from(this.#ports.random.bytes(limits.attemptBytes)).toString('base64url');
    const question = encodeTicketQuestion({ ticket, attempt });
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#try(question);
      if (answer.kind !== 'unknown' || tries === limits.tries) return answer;
    }
  }

  async #try(question: Uint8Array): Promise<TicketAnswer> {
    const { bus, subject } = this.#ports;
    try {
      return decodeTicketAnswer(await bus.request(subject, question, limits.answerMs));
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return { kind: 'unknown' };
    }
  }
}

function isTicket(text: string): boolean {
  return text.length <= maxTicketLength && /^[A-Za-z0-9_-]+$/.test(text);
}
