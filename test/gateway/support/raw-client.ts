import { connect, type Socket } from 'node:net';

const patienceMs = 120_000;

/** A connection that sends bytes as they are and collects what the server says. */
export class RawClient {
  readonly socket: Socket;
  text = '';
  /** The server has said its last byte. */
  ended = false;
  closed = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    this.socket.on('error', () => {});
    this.socket.on('end', () => {
      this.ended = true;
    });
    this.socket.on('close', () => {
      this.closed = true;
    });
  }

  send(bytes: string | Buffer): void {
    this.socket.write(bytes, 'latin1');
  }

  statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
  }

  /** The codes of errors and `ok` for the rest, in order. */
  outcomes(): string[] {
    return this.text
      .split(/HTTP\/1\.1 (?=\d{3})/)
      .slice(1)
      .map((answer) => /"code":"([a-z_]+)"/.exec(answer)?.[1] ?? answer.slice(0, 3));
  }

  async answers(count: number): Promise<number[]> {
    await this.until(() => this.statuses().length >= count || this.ended || this.closed);
    return this.statuses();
  }

  /** Resolves to the outcomes of all answers once the server has ended the connection. */
  async ending(): Promise<string[]> {
    await this.until(() => this.ended || this.closed);
    this.socket.destroy();
    return this.outcomes();
  }

  async until(condition: () => boolean): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!condition()) {
      if (performance.now() > deadline) throw new Error(`Only this came: ${this.text.slice(0, 2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

export const contributionPath = '/v1/jackpot/instances/gold/contributions';

export function contributionBody(key: string): string {
  return JSON.stringify({
    token: 'session',
    brand_id: 'main',
    player_id: `player-${key}`,
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: key,
  });
}

/** A contribution as bytes, as the fast path wants it unless `extra` headers say otherwise. */
export function contribution(
  token: string,
  key: string,
  { extra = [], version = '1.1' }: { readonly extra?: readonly string[]; readonly version?: string } = {},
): string {
  const body = contributionBody(key);
  return [
    `POST ${contributionPath} HTTP/${version}`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...extra,
    '',
    body,
  ].join('\r\n');
}

/** A contribution with a chunked body. `chunks` are written as they are. */
export function chunked(
  token: string,
  chunks: string,
  coding: readonly string[] = ['Transfer-Encoding: chunked'],
  version = '1.1',
): string {
  return [
    `POST ${contributionPath} HTTP/${version}`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...coding,
    '',
    chunks,
  ].join('\r\n');
}

export function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
