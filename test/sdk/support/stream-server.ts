import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A contribution as it comes: number on its connection, and body. */
export interface ReceivedLine {
  readonly number: number;
  readonly text: string;
  readonly ref: number;
  readonly key: string;
}

/** What a server that keeps the rules does with the contributions of all its streams. */
export class Ledger {
  /** Answers by key. */
  readonly #answers = new Map<string, string>();
  /** Texts behind the ref, by key. */
  readonly #texts = new Map<string, string>();
  /** Keys that came with another content. */
  readonly changed: string[] = [];

  get applied(): number {
    return this.#answers.size;
  }

  keys(): string[] {
    return [...this.#answers.keys()];
  }

  /** The result line, without its line feed. */
  apply({ ref, key, text }: ReceivedLine): string {
    const content = text.slice(text.indexOf(','));
    if ((this.#texts.get(key) ?? content) !== content) this.changed.push(key);
    this.#texts.set(key, content);
    const known = this.#answers.get(key);
    const answer = known ?? resultText(this.#answers.size + 1);
    this.#answers.set(key, answer);
    return `{"ref":${ref},"results":[${answer}]${known === undefined ? '' : ',"replayed":true'}}`;
  }
}

/** As the service writes it, with a member of the metadata that is called like an amount now and then. */
export function resultText(number: number): string {
  const metadata = number % 7 === 0 ? '{"win_amount":1.5}' : '{"note":"\\"win_amount\\":1"}';
  return (
    `{"instance_id":"gold","timestamp":${number},"gameround_id":null,"win_amount":0,"win_pot_id":null,"tickets_awarded":0,` +
    `"win_withheld":false,"contribution_currency":"EUR","contribution_amount":12345678901.1234567${number % 10},` +
    `"bonus_amount_used":0,"metadata":${metadata}}`
  );
}

/** One stream as the server sees it. */
export interface ServedStream {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly ledger: Ledger;
  /** Answers 200, and gives the lines as they come. Empty lines are counted and left out. */
  lines(): AsyncGenerator<ReceivedLine>;
  /** Sends the results of all lines to come, as the service does. */
  serve(): Promise<void>;
  write(...lines: readonly string[]): void;
  /** The last line of a stream that ends early, and its end. */
  end(line: number, status_code: number, code: string, retry_after?: number): void;
  reset(): void;
}

export type Conduct = (stream: ServedStream) => Promise<void> | void;

export interface StreamServer {
  readonly baseUrl: string;
  readonly ledger: Ledger;
  /** All lines so far, of all streams. */
  readonly received: ReceivedLine[];
  readonly opened: number;
  readonly logins: number;
  stop(): Promise<void>;
}

/** A server of contribution streams; each stream meets the next conduct, the last one also those that follow. */
export async function startStreamServer(...conducts: readonly Conduct[]): Promise<StreamServer> {
  const ledger = new Ledger();
  const received: ReceivedLine[] = [];
  let opened = 0;
  let logins = 0;
  const server = createServer((request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    if (request.url !== '/v2/jackpot/contributions/stream') {
      logins += 1;
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ token: tokenOf(logins) }));
      return;
    }
    opened += 1;
    const conduct = conducts[Math.min(opened, conducts.length) - 1] ?? serve;
    const stream = servedStream(request, response, ledger, received);
    Promise.resolve(conduct(stream)).catch(() => stream.reset());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    received,
    get opened() {
      return opened;
    },
    get logins() {
      return logins;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const serve: Conduct = (stream) => stream.serve();

/** Answers with a refusal in place of a stream. */
export function refuse(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Conduct {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
    response.end(JSON.stringify({ status_code: status, code, message: 'No.' }));
  };
}

function servedStream(
  request: IncomingMessage,
  response: ServerResponse,
  ledger: Ledger,
  received: ReceivedLine[],
): ServedStream {
  const stream: ServedStream = {
    request,
    response,
    ledger,
    async *lines() {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.flushHeaders();
      let number = 0;
      let begun = '';
      for await (const part of request.setEncoding('utf8')) {
        const pieces = (begun + part).split('\n');
        begun = pieces.pop() as string;
        for (const text of pieces) {
          number += 1;
          if (text === '') continue;
          const { ref, options } = JSON.parse(text);
          const line = { number, text, ref, key: options.idempotency_key };
          received.push(line);
          yield line;
        }
      }
    },
    async serve() {
      for await (const line of stream.lines()) stream.write(ledger.apply(line));
      response.end();
    },
    write(...lines) {
      response.write(lines.map((line) => `${line}\n`).join(''));
    },
    end(line, status_code, code, retry_after) {
      const error = { status_code, code, message: 'The end.' };
      response.end(`${JSON.stringify({ ref: null, line, error, retry_after, end: true })}\n`);
    },
    reset() {
      response.socket?.resetAndDestroy();
    },
  };
  return stream;
}

function tokenOf(number: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'EdDSA' })}.${part({ iat: 1_700_000_000, exp: 1_700_000_900 })}.${number}`;
}
