import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { ndjsonMediaType } from '../../../src/contracts/bodies/body-formats.ts';

export const streamPath = '/v2/jackpot/contributions/stream';
const patienceMs = 120_000;

// biome-ignore lint/suspicious/noExplicitAny: whatever a line says.
export type ResultLine = any;

export interface StreamOptions {
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A caller of the contribution stream: writes lines, and collects results as they come. */
export class StreamClient {
  readonly request: ClientRequest;
  readonly lines: ResultLine[] = [];
  response: IncomingMessage | null = null;
  text = '';
  /** The whole answer has come. */
  ended = false;
  /** The connection is over. */
  closed = false;

  constructor(port: number, { token, headers = {} }: StreamOptions) {
    this.request = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: streamPath,
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': ndjsonMediaType, ...headers },
    });
    this.request.on('error', () => {});
    this.request.on('close', () => {
      this.closed = true;
    });
    this.request.on('response', (response) => {
      this.response = response;
      response.setEncoding('utf8');
      let rest = '';
      response.on('data', (part: string) => {
        this.text += part;
        const texts = (rest + part).split('\n');
        rest = texts.pop()!;
        for (const text of texts) this.lines.push(JSON.parse(text));
      });
      response.on('end', () => {
        this.ended = true;
      });
      response.on('error', () => {});
    });
    this.request.flushHeaders();
  }

  send(text: string | Buffer): void {
    this.request.write(text);
  }

  sendLines(lines: readonly Line[]): void {
    this.send(textOf(lines));
  }

  end(text?: string | Buffer): void {
    this.request.end(text);
  }

  /** Its results, once the answer is whole. */
  async results(): Promise<ResultLine[]> {
    await this.until(() => this.ended || this.closed);
    if (!this.ended) throw new Error(`The stream was cut: ${this.text.slice(0, 2000)}`);
    return this.lines;
  }

  async answered(count: number): Promise<ResultLine[]> {
    await this.until(() => this.lines.length >= count || this.ended || this.closed);
    return this.lines;
  }

  async status(): Promise<number> {
    await this.until(() => this.response !== null || this.closed);
    return this.response?.statusCode ?? 0;
  }

  async until(condition: () => boolean): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!condition()) {
      if (performance.now() > deadline) throw new Error(`Only this came: ${this.text.slice(0, 2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** All of it at once. */
export async function stream(port: number, token: string, text: string | Buffer): Promise<ResultLine[]> {
  const client = new StreamClient(port, { token });
  client.end(text);
  return client.results();
}

export type Line = Readonly<Record<string, unknown>>;

/** A line for the instance gold of the test gateway. */
export function line(ref: unknown, changes: Line = {}): Line {
  return {
    ref,
    target: { type: 'instance', id: 'gold' },
    source: { type: 'gameround', id: `round-${ref}` },
    operator_id: 'acme',
    player: { id: `player-${ref}`, token: 'session', country: 'DE', brand_id: 'main' },
    base_wager: { currency: 'EUR', value: 1 },
    ...changes,
  };
}

export function textOf(lines: readonly unknown[]): string {
  return lines.map((each) => `${JSON.stringify(each)}\n`).join('');
}
