import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Random } from '../../jackpot/mixed/random.ts';
import { type Moments, type Step, steps } from './steps.ts';

/** A call as it arrives at the wallet. */
export interface TappedCall {
  readonly path: string;
  readonly body: string;
}

/** What was asked under one transaction or batch id. */
export interface Tapped {
  /** `debits`: a batch of them. */
  readonly kind: 'Debit' | 'Credit' | 'batch' | 'debits';
  readonly body: string;
  readonly content: Readonly<Record<string, unknown>>;
  calls: number;
}

/**
 * The line between the wallet role and the reference wallet, byte for byte in both directions. It sees each call, tells the
 * moments around it, and resets connections behind calls that have arrived.
 */
export class WalletTap {
  readonly asked = new Map<string, Tapped>();
  readonly cancelled = new Map<string, number>();
  readonly cancelledBatches = new Map<string, number>();
  /** What a good service never does. */
  readonly complaints: string[] = [];
  /** One call of so many meets a reset; 0: none. */
  resetsOneOf = 0;
  resets = 0;
  readonly #moments: Moments;
  readonly #random: Random;
  readonly #upstream: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#tap(client));

  constructor(walletUrl: string, moments: Moments, random: Random) {
    const { hostname, port } = new URL(walletUrl);
    this.#upstream = { host: hostname, port: Number(port) };
    this.#moments = moments;
    this.#random = random;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #tap(client: Socket): void {
    const upstream = connect(this.#upstream);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    const calls = new CallReader();
    let answerOf: Step | null = null;
    client.on('data', (chunk: Buffer) => {
      const call = calls.take(chunk);
      const name = call === null ? null : this.#see(call);
      if (name !== null) {
        answerOf = stepOf(name, 'answered');
        this.#reached(stepOf(name, 'asked'));
      }
      upstream.write(chunk, () => {
        if (name === null || this.#resetsOf() !== true) return;
        this.resets += 1;
        client.resetAndDestroy();
      });
    });
    upstream.on('data', (chunk: Buffer) => {
      const step = answerOf;
      answerOf = null;
      this.#reached(step);
      client.write(chunk);
    });
  }

  #resetsOf(): boolean {
    return this.resetsOneOf > 0 && this.#random.once(this.resetsOneOf);
  }

  #reached(step: Step | null): void {
    if (step !== null) this.#moments.reached(step);
  }

  /** The name of a call in the steps; null: it moves no money. */
  #see({ path, body }: TappedCall): string | null {
    if (path.includes('/statements')) return null;
    if (path.endsWith('/authenticate')) return 'authenticate';
    const cancel = /\/transactions\/([^/]+)\/cancel$/.exec(path);
    if (cancel !== null) {
      const id = decodeURIComponent(cancel[1]!);
      this.cancelled.set(id, (this.cancelled.get(id) ?? 0) + 1);
      if (this.asked.get(id)?.kind === 'Credit') this.complaints.push(`credit ${id} is cancelled`);
      return 'cancel';
    }
    const content = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const cancelBatch = /\/batches\/([^/]+)\/cancel$/.exec(path);
    if (cancelBatch !== null) {
      const id = decodeURIComponent(cancelBatch[1]!);
      this.cancelledBatches.set(id, (this.cancelledBatches.get(id) ?? 0) + 1);
      if (this.asked.get(id)?.kind === 'batch') this.complaints.push(`batch ${id} of credits is cancelled`);
      return 'cancel';
    }
    if (path.endsWith('/batches')) {
      const id = String(content.batch_transaction_id);
      const isDebits = content.transaction_type === 'Debit';
      if (this.cancelledBatches.has(id)) this.complaints.push(`batch ${id} follows its cancellation`);
      this.#asked(id, isDebits ? 'debits' : 'batch', body, content);
      return isDebits ? 'debit' : 'batch';
    }
    const kind = content.transaction_type as 'Debit' | 'Credit';
    this.#asked(String(content.transaction_id), kind, body, content);
    return kind.toLowerCase();
  }

  #asked(id: string, kind: Tapped['kind'], body: string, content: Tapped['content']): void {
    const known = this.asked.get(id);
    if (known === undefined) this.asked.set(id, { kind, body, content, calls: 1 });
    else {
      known.calls += 1;
      if (known.body !== body) this.complaints.push(`${kind} ${id} comes with other bytes`);
    }
  }
}

function stepOf(name: string, moment: 'asked' | 'answered'): Step | null {
  return steps.find((step) => step === `${name} ${moment}`) ?? null;
}

/** Requests of one connection, one after the other: the client does not pipeline. */
class CallReader {
  #bytes = Buffer.alloc(0);

  /** The call that this chunk completes. */
  take(chunk: Buffer): TappedCall | null {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const head = this.#bytes.toString('latin1', 0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const from = end + 4;
    if (this.#bytes.length < from + length) return null;
    const body = this.#bytes.toString('utf8', from, from + length);
    this.#bytes = this.#bytes.subarray(from + length);
    return { path: head.split(' ', 2)[1]!, body };
  }
}
