import type { WalletCall } from '../../../src/wallet/client/brand-client.ts';

interface Sent {
  readonly name: WalletCall['name'];
  readonly text: string;
  readonly isDebit: boolean;
  firstMs: number;
  lastMs: number;
  count: number;
}

/** Every call that any process has sent, with what must hold of all of them together. */
export class SentCalls {
  readonly complaints: string[] = [];
  readonly #sent = new Map<string, Sent>();

  add(call: WalletCall, nowMs: number): void {
    const text = Buffer.from(call.body).toString('utf8');
    const id = idOf(call, text);
    const key = `${call.name} ${id}`;
    const known = this.#sent.get(key);
    if (known === undefined) {
      const isDebit = text.includes('"transaction_type":"Debit"');
      this.#sent.set(key, { name: call.name, text, isDebit, firstMs: nowMs, lastMs: nowMs, count: 1 });
    } else {
      if (known.text !== text) this.complaints.push(`${key} was sent with two bodies`);
      known.lastMs = nowMs;
      known.count += 1;
    }
    if (call.name === 'W3' && this.#sent.has(`W2 ${id}`))
      this.complaints.push(`W3 of ${id} was sent after its W2`);
  }

  /** When a transaction was first sent alone; null: never. */
  firstMs(id: string): number | null {
    return this.#sent.get(`W3 ${id}`)?.firstMs ?? null;
  }

  /** Calls of one kind, and how many of them were repeats. */
  counts(name: WalletCall['name']): { readonly calls: number; readonly repeats: number } {
    const all = [...this.#sent.values()].filter((each) => each.name === name);
    const calls = all.reduce((sum, { count }) => sum + count, 0);
    return { calls, repeats: calls - all.length };
  }
}

function idOf({ name, path }: WalletCall, text: string): string {
  if (name === 'W2') return decodeURIComponent(path.split('/')[2]!);
  const body = JSON.parse(text) as Readonly<Record<string, string>>;
  return (name === 'W4' ? body.batch_transaction_id : body.transaction_id) ?? '';
}
