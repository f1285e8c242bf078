import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { until } from '../fanout/feed-world.ts';

/** Of each line that is sent. */
export const lineBytes = 60_000;

/** A contribution stream through a balancer: lines are sent, and their results come while it is open. */
export class ContributionStream {
  readonly #request: ClientRequest;
  readonly #name: string;
  #sent = 0;
  #results: string[] = [];
  #rest = '';
  #status = 0;
  /** Why it ended before its time. */
  #fault: string | null = null;
  #ended = false;

  constructor(port: number, token: string, name: string) {
    this.#name = name;
    this.#request = httpRequest({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/v2/jackpot/contributions/stream',
      agent: false,
      headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${token}` },
    });
    const fail = (error: Error): void => {
      this.#fault ??= error.message;
    };
    this.#request.on('response', (response) => this.#read(response, fail)).on('error', fail);
    this.#request.flushHeaders();
  }

  #read(response: IncomingMessage, fail: (error: Error) => void): void {
    this.#status = response.statusCode ?? 0;
    response
      .setEncoding('utf8')
      .on('error', fail)
      .on('end', () => {
        this.#ended = true;
      });
    response.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#results.push(...lines);
    });
  }

  /** Sends contributions of so many bytes together, and waits for all their results. @throws Error if the stream has ended */
  async exchange(bytes: number): Promise<void> {
    const before = this.#sent;
    for (let left = bytes; left > 0; left -= lineBytes) this.#send();
    const isOver = () => this.#fault !== null || this.#ended;
    await until(() => isOver() || this.#results.length >= this.#sent).catch(() => {
      this.#fault = `${this.#results.length} results of ${this.#sent} lines`;
    });
    if (isOver())
      throw new Error(
        `${this.#name}: ${this.#fault ?? 'ended'} after line ${before}, status ${this.#status}`,
      );
  }

  #send(): void {
    this.#sent += 1;
    const line = {
      ref: this.#sent,
      target: { type: 'source', id: 'slot-1' },
      source: { type: 'gameround', id: 'round-1' },
      operator_id: 'demo',
      player: { id: 'ada', token: 'session', country: 'DE', brand_id: 'direct' },
      base_wager: { value: '1.00', currency: 'EUR' },
      options: { idempotency_key: `${this.#name}-${this.#sent}` },
    };
    this.#request.write(`${JSON.stringify(line).padEnd(lineBytes - 1)}\n`);
  }

  /** Ends the request, and gives the lines of the answer: one for each that was sent. */
  async end(): Promise<
    readonly { readonly ref: number; readonly results?: object; readonly error?: object }[]
  > {
    this.#request.end();
    await until(() => this.#fault !== null || this.#ended);
    if (this.#fault !== null) throw new Error(`${this.#name}: ${this.#fault}`);
    return this.#results.map((line) => JSON.parse(line));
  }

  destroy(): void {
    this.#request.destroy();
  }
}

interface Pauses {
  readonly count: number;
  readonly ms: number;
  /** What is sent before each and behind the last: so many bytes together, and all their results, so many times. */
  readonly burst: { readonly bytes: number; readonly times: number };
}

/** Bursts of lines with pauses between them. Gives the number of results. @throws Error if one is an error */
export async function streamWithPauses(
  stream: ContributionStream,
  { count, ms, burst }: Pauses,
): Promise<number> {
  try {
    for (let pauses = 0; ; pauses += 1) {
      for (let time = 0; time < burst.times; time += 1) await stream.exchange(burst.bytes);
      if (pauses === count) break;
      await new Promise((next) => setTimeout(next, ms));
    }
    const results = await stream.end();
    const refused = results.find(({ error }) => error !== undefined);
    if (refused !== undefined) throw new Error(JSON.stringify(refused));
    return results.length;
  } finally {
    stream.destroy();
  }
}
