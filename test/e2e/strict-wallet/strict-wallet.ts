import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong with one call: `applied` says whether the wallet has executed it by then. */
export interface Trouble {
  readonly operation: 'W2' | 'W3';
  readonly applied: boolean;
  readonly answer: (response: ServerResponse) => void;
}

export type Books = 'never asked' | 'debited' | 'refused' | 'cancelled' | 'cancelled unseen';

interface Transaction {
  readonly text: string;
  books: Books;
}

const secret = 'secret-of-the-strict-wallet';
const bearer = 'key-of-the-strict-wallet';
export const strictKeys = { bearer_key: bearer, hmac_secret: secret };

/**
 * An operator's wallet written from the interface alone, for debits of one contribution a player. It complains of every call
 * that a good service does not make. Each player has calls that go wrong, in order for each
 * operation; those behind them go well.
 */
export class StrictWallet {
  readonly complaints: string[] = [];
  readonly #troubles = new Map<string, Trouble[]>();
  /** By player. */
  readonly #ids = new Map<string, string>();
  readonly #transactions = new Map<string, Transaction>();
  readonly #cancelled = new Set<string>();
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => this.#take(request, Buffer.concat(parts), response));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  goesWrong(player: string, troubles: readonly Trouble[]): void {
    this.#troubles.set(player, [...troubles]);
  }

  booksOf(player: string): Books {
    const id = this.#ids.get(player);
    return (id === undefined ? undefined : this.#transactions.get(id)?.books) ?? 'never asked';
  }

  #take({ url, headers }: IncomingMessage, raw: Buffer, response: ServerResponse): void {
    const signature = createHmac('sha256', secret).update(raw).digest('hex');
    if (headers.authorization !== `Bearer ${bearer}` || headers['x-server-authorization'] !== signature)
      this.complaints.push(`${url} is not signed`);
    const body = JSON.parse(raw.toString()) as Record<string, string>;
    const cancelled = /^\/transactions\/([^/]+)\/cancel$/.exec(url ?? '')?.[1];
    if (url === '/authenticate') {
      const id = body.player_token!.slice('token-'.length);
      const { operator_id, brand_id, currency } = body;
      send(response, 200, { id, operator_id, brand_id, currency, balance: 1 });
    } else if (url === '/transactions') {
      this.#answer('W3', body.player_id!, response, () => this.#debit(body, raw.toString()));
    } else if (cancelled !== undefined) {
      this.#answer('W2', body.player_id!, response, () => this.#cancel(cancelled, body.player_id!));
    } else this.complaints.push(`${url} is no address of a wallet`);
  }

  #answer(
    operation: Trouble['operation'],
    player: string,
    response: ServerResponse,
    execute: () => readonly [number, unknown],
  ): void {
    const troubles = this.#troubles.get(player) ?? [];
    const at = troubles.findIndex((each) => each.operation === operation);
    const [trouble] = at < 0 ? [] : troubles.splice(at, 1);
    if (trouble === undefined) {
      send(response, ...execute());
      return;
    }
    if (trouble.applied) execute();
    trouble.answer(response);
  }

  #debit(body: Readonly<Record<string, string>>, text: string): readonly [number, unknown] {
    const id = body.transaction_id!;
    if (body.transaction_type !== 'Debit' || Number(body.amount) !== 1)
      this.complaints.push(`not ours: ${text}`);
    if (this.#cancelled.has(id)) this.complaints.push(`W3 of ${id} behind its W2`);
    const known = this.#transactions.get(id);
    if (known !== undefined && known.text !== text) this.complaints.push(`${id} comes with other bytes`);
    if (known !== undefined) return known.books === 'debited' ? balance : refusal(409);
    this.#ids.set(body.player_id!, id);
    this.#transactions.set(id, { text, books: 'debited' });
    return balance;
  }

  #cancel(id: string, player: string): readonly [number, unknown] {
    this.#cancelled.add(id);
    const known = this.#transactions.get(id);
    if (known === undefined) {
      this.#ids.set(player, id);
      this.#transactions.set(id, { text: '', books: 'cancelled unseen' });
      return refusal(404);
    }
    if (known.books === 'debited') known.books = 'cancelled';
    return known.books === 'cancelled' ? [200, { balance: '1' }] : refusal(404);
  }
}

const balance = [200, { balance: 1, metadata: null }] as const;

function refusal(status: number): readonly [number, unknown] {
  return [status, { status_code: status, code: 'no', message: 'No.' }];
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
