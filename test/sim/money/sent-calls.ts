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
  /** Debits that a W5 named. */
  readonly #cancelled = new Set<string>();
  /** The batch of each debit; empty: it goes alone. */
  readonly #ways = new Map<string, string>();

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
    if (call.name === 'W5') for (const each of cancelledBy(text)) this.#cancelled.add(each);
    for (const each of call.name === 'W4' ? debitedBy(text) : [])
      if (this.#cancelled.has(each)) this.complaints.push(`W4 with ${each} was sent after its W5`);
    for (const each of debitedBy(text)) {
      const way = call.name === 'W4' ? id : '';
      if ((this.#ways.get(each) ?? way) !== way) this.complaints.push(`debit ${each} was sent in two ways`);
      this.#ways.set(each, way);
    }
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
  // Each list of a batch is a call of its own.
  if (name === 'W5') return `${path.split('/')[2]} ${cancelledBy(text).join()}`;
  const body = JSON.parse(text) as Readonly<Record<string, string>>;
  return (name === 'W4' ? body.batch_transaction_id : body.transaction_id) ?? '';
}

function cancelledBy(text: string): readonly string[] {
  return (JSON.parse(text) as { readonly transaction_id_list: readonly string[] }).transaction_id_list;
}

/** The debits that a W3 or W4 asks for. */
function debitedBy(text: string): readonly string[] {
  if (!text.includes('"transaction_type":"Debit"')) return [];
  const { transaction_id, transactions } = JSON.parse(text) as {
    readonly transaction_id?: string;
    readonly transactions?: readonly { readonly transaction_id: string }[];
  };
  return transactions?.map((each) => each.transaction_id) ?? [transaction_id!];
}
