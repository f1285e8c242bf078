import type { ServerResponse } from 'node:http';
import { callbackEventId } from '../../../src/contracts/payments/event-id.ts';
import type { Random } from '../../jackpot/mixed/random.ts';
import { startReceiver, type TestReceiver } from '../../outbox/support/receiver.ts';
import type { Moments } from './steps.ts';

interface ContributionEvent {
  readonly event_id: string;
  readonly results?: readonly { readonly win_amount: number }[];
  readonly error?: { readonly code: string };
}

interface Delivered {
  readonly body: string;
  times: number;
}

/** The operator's receiver of results, over HTTP. It refuses, drops and forgets to answer some of them. */
export class Callbacks {
  readonly complaints: string[] = [];
  /** One delivery of so many fails; 0: none. */
  failsOneOf = 0;
  failures = 0;
  readonly #accepted = new Map<string, Delivered>();
  readonly #bodies = new Map<string, string>();
  readonly #random: Random;
  #receiver: TestReceiver | null = null;

  constructor(random: Random) {
    this.#random = random;
  }

  async start(moments: Moments): Promise<string> {
    this.#receiver = await startReceiver();
    this.#receiver.answer = ({ headers, body }, response) => {
      moments.reached('callback received');
      this.#take(headers['webhook-id'] as string, body, response);
      moments.reached('callback answered');
    };
    return this.#receiver.origin;
  }

  async stop(): Promise<void> {
    await this.#receiver?.stop();
  }

  get delivered(): number {
    return this.#accepted.size;
  }

  /** Deliveries that came once more. */
  get repeats(): number {
    return [...this.#accepted.values()].reduce((sum, { times }) => sum + times - 1, 0);
  }

  /** The event of a contribution; null: it has not come. */
  eventOf(contributionId: string): ContributionEvent | null {
    const delivered = this.#accepted.get(callbackEventId(contributionId));
    return delivered === undefined ? null : (JSON.parse(delivered.body) as ContributionEvent);
  }

  #take(id: string, body: string, response: ServerResponse): void {
    const first = this.#bodies.get(id);
    if (first === undefined) this.#bodies.set(id, body);
    else if (first !== body) this.complaints.push(`event ${id} comes with other bytes`);
    if (this.failsOneOf > 0 && this.#random.once(this.failsOneOf)) {
      this.failures += 1;
      if (this.#random.once(2)) response.destroy();
      else response.writeHead(500).end();
      return;
    }
    const known = this.#accepted.get(id);
    if (known === undefined) this.#accepted.set(id, { body, times: 1 });
    else known.times += 1;
    response.writeHead(204).end();
  }
}
