import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call as it arrived. */
export interface Call {
  readonly name: 'W2' | 'W3' | 'W4';
  /** Transaction or batch. */
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly atMs: number;
}

/**
 * What happens to a call: `answer` as a good wallet does; `drop`: done, and the connection is cut; `lose`: cut, and nothing is
 * done; `hang`: nothing is done and nothing is answered; `refuse`: 422 of the shape, but for W2; `fail`: 500 after it was done; `garbage`;
 * `other`: 200 with other JSON than the operation's, and nothing is done.
 */
export type Fault = 'answer' | 'drop' | 'lose' | 'hang' | 'refuse' | 'fail' | 'garbage' | 'other';

interface Transaction {
  readonly player: string;
  readonly atoms: bigint;
  readonly text: string;
}

/** A wallet of an operator: deduplicates by id, remembers what was cancelled, and does what a test tells it to. */
export class MoneyWallet {
  readonly calls: Call[] = [];
  readonly transactions = new Map<string, Transaction>();
  readonly cancelled = new Set<string>();
  /** Of each call; by default all are answered. */
  fault: (call: Call, count: number) => Fault = () => 'answer';
  /** Errors of W4 by player. */
  readonly batchErrors = new Map<string, { readonly code: string; readonly msg: string }>();
  /** A good wallet refuses what it has cancelled; a careless one does not. */
  hasTombstones = true;
  url = '';
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): Promise<void> {
    return new Promise((done) => {
      this.#server.close(() => done());
      this.#server.closeAllConnections();
    });
  }

  /** Calls of one kind; with an id, about it. */
  of(name: Call['name'], id?: string): readonly Call[] {
    return this.calls.filter((call) => call.name === name && (id === undefined || call.id === id));
  }

  /** What the player's transactions come to. */
  balanceOf(player: string): bigint {
    let sum = 0n;
    for (const [id, each] of this.transactions) {
      if (each.player === player && !this.cancelled.has(id)) sum += each.atoms;
    }
    return sum;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text) as Record<string, string>;
    const cancel = /^\/transactions\/([^/]+)\/cancel$/.exec(request.url ?? '');
    const name = cancel !== null ? 'W2' : request.url === '/batches' ? 'W4' : 'W3';
    const id = cancel?.[1] ?? body.transaction_id ?? body.batch_transaction_id ?? '';
    const call: Call = { name, id, body, text, atMs: Date.now() };
    this.calls.push(call);
    const fault = this.fault(call, this.of(name, id).length);
    if (fault === 'hang') return;
    if (fault === 'lose') return void request.socket.destroy();
    // Nobody refuses to cancel.
    if (fault === 'refuse' && name !== 'W2') return send(response, 422, refusal(422, 'insufficient_funds'));
    if (fault === 'garbage') return void response.end('<html>');
    if (fault === 'other') return send(response, 200, { status: 'maintenance' });
    const [status, answer] = this.#execute(call);
    if (fault === 'drop') return void request.socket.destroy();
    if (fault === 'fail') return send(response, 500, {});
    send(response, status, answer);
  }

  #execute(call: Call): [number, unknown] {
    if (call.name === 'W2') return this.#cancel(call.id);
    if (call.name === 'W4') return this.#batch(call);
    if (this.cancelled.has(call.id) && this.hasTombstones)
      return [409, refusal(409, 'transaction_cancelled')];
    const known = this.transactions.get(call.id);
    if (known !== undefined && known.text !== call.text) return [422, refusal(422, 'transaction_conflict')];
    const { player_id, transaction_type, amount } = call.body as Record<string, string | number>;
    const atoms = atomsOf(amount!) * (transaction_type === 'Debit' ? -1n : 1n);
    this.cancelled.delete(call.id);
    this.transactions.set(call.id, { player: String(player_id), atoms, text: call.text });
    return [200, { balance: 100, metadata: null }];
  }

  #cancel(id: string): [number, unknown] {
    const isKnown = this.transactions.has(id);
    this.cancelled.add(id);
    return isKnown ? [200, { balance: '100' }] : [404, refusal(404, 'transaction_not_found')];
  }

  #batch({ id, body, text }: Call): [number, unknown] {
    const known = this.transactions.get(id);
    if (known !== undefined && known.text !== text) return [422, refusal(422, 'transaction_conflict')];
    this.transactions.set(id, { player: '', atoms: 0n, text });
    const records = body.transactions as readonly {
      transaction_id: string;
      player_id: string;
      amount: number;
    }[];
    const errors: { player_id: string; code: string; msg: string }[] = [];
    let total = 0n;
    for (const record of records) {
      const error = this.batchErrors.get(record.player_id);
      if (error !== undefined) {
        errors.push({ player_id: record.player_id, ...error });
        continue;
      }
      const atoms = atomsOf(record.amount);
      total += atoms;
      this.transactions.set(record.transaction_id, { player: record.player_id, atoms, text: '' });
    }
    const amount = Number(total) / 1e8;
    return [200, { total_amount: amount, total_jackpot_amount: amount, errors, metadata: null }];
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function refusal(status: number, code: string) {
  return { status_code: status, code, message: 'No.' };
}

function atomsOf(amount: string | number): bigint {
  return BigInt(Math.round(Number(amount) * 1e8));
}
