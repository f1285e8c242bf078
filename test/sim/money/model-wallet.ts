import type { WalletCall } from '../../../src/wallet/client/brand-client.ts';

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Transaction {
  readonly type: 'Debit' | 'Credit';
  readonly player: string;
  readonly currency: string;
  readonly atoms: bigint;
  readonly gameround: string;
  /** The whole content: a repeat must be equal. */
  readonly text: string;
}

interface Batch {
  readonly text: string;
  readonly reply: Reply;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * What an operator's wallet is on paper: it deduplicates by transaction id, remembers what it cancelled or refused, and
 * keeps balances. It has no faults; the network in front of it has them.
 */
export class ModelWallet {
  /** A wallet without tombstones forgets the cancellation of what it never saw. */
  hasTombstones = true;
  /** A repeat of a refused debit is refused again, although the player has the money by then. */
  remembersRefusals = true;
  /** Players whose credits it refuses. */
  readonly closed = new Set<string>();
  /** Credits that it never executes from now on, because a person has paid them in another way. */
  readonly #barred = new Set<string>();
  /** Credits that a person has decided about: a batch that arrives late may meet one that was paid alone since. */
  readonly decided = new Set<string>();
  /** What a good service never does, whatever the network does. */
  readonly complaints: string[] = [];
  readonly #transactions = new Map<string, Transaction>();
  /** What closed each round. */
  readonly #closings = new Map<string, string>();
  readonly #cancelled = new Set<string>();
  readonly #refusedDebits = new Map<string, Reply>();
  readonly #refusedCredits = new Map<string, Reply>();
  readonly #batches = new Map<string, Batch>();

  /** `hasFunds`: whether a debit that it has not seen before is covered now. */
  execute({ name, path, body }: WalletCall, hasFunds = true): Reply {
    const text = Buffer.from(body).toString('utf8');
    const content = JSON.parse(text) as Body;
    switch (name) {
      case 'W2':
        return this.#cancel(decodeURIComponent(path.split('/')[2]!));
      case 'W3':
        return this.#transact(content, text, hasFunds);
      case 'W4':
        return this.#batch(content, text, hasFunds);
      case 'W5':
        return this.#cancelBatch(decodeURIComponent(path.split('/')[2]!), content);
      default:
        throw new Error(`${name} moves no money`);
    }
  }

  /** Transactions that count. */
  *present(): Generator<readonly [string, Transaction]> {
    for (const each of this.#transactions) if (!this.#cancelled.has(each[0])) yield each;
  }

  has(id: string): boolean {
    return this.#transactions.has(id) && !this.#cancelled.has(id);
  }

  /** A person asks its operator about a credit. False: it has not paid it, and never will. */
  hasPaidOrBars(id: string): boolean {
    if (this.#transactions.has(id)) return true;
    this.#barred.add(id);
    return false;
  }

  /** Whether a person has paid it in another way. */
  isBarred(id: string): boolean {
    return this.#barred.has(id);
  }

  /** Accounts are open again, and what was refused for them may be tried again. */
  reopen(): void {
    this.closed.clear();
    this.#refusedCredits.clear();
  }

  #cancel(id: string): Reply {
    const known = this.#transactions.get(id);
    if (known?.type === 'Credit') this.complaints.push(`credit ${id} was cancelled`);
    if (known !== undefined || this.hasTombstones) this.#cancelled.add(id);
    return known === undefined ? refusal(404, 'transaction_not_found') : ok({ balance: '1' });
  }

  #transact(body: Body, text: string, hasFunds: boolean): Reply {
    const id = String(body.transaction_id);
    const known = this.#transactions.get(id);
    if (known !== undefined && !isSame(known, body, text)) {
      this.complaints.push(`transaction ${id} came with other content`);
      return refusal(422, 'transaction_conflict');
    }
    if (this.#cancelled.has(id)) return refusal(409, 'transaction_cancelled');
    if (known !== undefined) return ok({ balance: 1, metadata: null });
    const type = body.transaction_type as Transaction['type'];
    const player = String(body.player_id);
    const refused =
      type === 'Credit' ? this.#refusalOfCredit(id, player) : this.#refusalOfDebit(id, hasFunds);
    if (refused !== null) return refused;
    this.#join(id, body);
    this.#transactions.set(id, {
      ...{ type, player, text },
      currency: String(body.currency),
      atoms: atomsOf(body.amount),
      gameround: String(body.gameround_id),
    });
    return ok({ balance: 1, metadata: null });
  }

  /** Nothing comes into a round that another transaction has closed. */
  #join(id: string, { gameround_id, gameround_complete }: Body): void {
    if (gameround_id === null) return;
    const round = String(gameround_id);
    const closing = this.#closings.get(round);
    if (closing !== undefined)
      this.complaints.push(`${id} came into round ${round}, which ${closing} closed`);
    if (gameround_complete === true) this.#closings.set(round, id);
  }

  #refusalOfDebit(id: string, hasFunds: boolean): Reply | null {
    const known = this.#refusedDebits.get(id);
    if (known !== undefined || hasFunds) return known ?? null;
    const reply = refusal(422, 'insufficient_funds');
    if (this.remembersRefusals) this.#refusedDebits.set(id, reply);
    return reply;
  }

  #refusalOfCredit(id: string, player: string): Reply | null {
    if (this.#barred.has(id)) return refusal(422, 'transaction_barred');
    const known = this.#refusedCredits.get(id);
    if (known !== undefined || !this.closed.has(player)) return known ?? null;
    const reply = refusal(422, 'account_closed');
    this.#refusedCredits.set(id, reply);
    return reply;
  }

  #batch(body: Body, text: string, hasFunds: boolean): Reply {
    const id = String(body.batch_transaction_id);
    const known = this.#batches.get(id);
    if (known !== undefined) {
      if (known.text === text) return known.reply;
      this.complaints.push(`batch ${id} came with other content`);
      return refusal(422, 'transaction_conflict');
    }
    this.#join(id, body);
    const errors: { player_id: string; code: string; msg: string }[] = [];
    let total = 0n;
    const records = body.transactions as readonly Body[];
    for (const [index, record] of records.entries()) {
      const player = String(record.player_id);
      // Where there are no funds, every second player has some.
      const isRefused =
        body.transaction_type === 'Debit'
          ? this.#refusesDebit(String(record.transaction_id), hasFunds || index % 2 === 0)
          : this.closed.has(player) || this.#barred.has(String(record.transaction_id));
      if (isRefused) {
        errors.push({ player_id: player, code: 'account_closed', msg: 'No.' });
        continue;
      }
      this.#recordOfBatch(record, player, body);
      total += atomsOf(record.amount);
    }
    const amount = Number(total) / 1e8;
    const jackpot = body.transaction_type === 'Debit' ? 0 : amount;
    const reply = ok({ total_amount: amount, total_jackpot_amount: jackpot, errors, metadata: null });
    this.#batches.set(id, { text, reply });
    return reply;
  }

  #refusesDebit(id: string, hasFunds: boolean): boolean {
    return this.#cancelled.has(id) || this.#refusalOfDebit(id, hasFunds) !== null;
  }

  #recordOfBatch(record: Body, player: string, batch: Body): void {
    const id = String(record.transaction_id);
    if (this.#transactions.has(id)) {
      if (!this.decided.has(id)) this.complaints.push(`record ${id} of a batch was paid before`);
      return;
    }
    this.#transactions.set(id, {
      ...{ type: batch.transaction_type as Transaction['type'], player, text: '' },
      currency: String(record.currency),
      atoms: atomsOf(record.amount),
      gameround: String(batch.gameround_id),
    });
  }

  #cancelBatch(id: string, { transaction_id_list }: Body): Reply {
    for (const each of transaction_id_list as readonly string[]) this.#cancel(each);
    return this.#batches.has(id) ? ok({ success: true }) : refusal(404, 'batch_not_found');
  }
}

function ok(body: unknown): Reply {
  return { status: 200, text: JSON.stringify(body) };
}

export function refusal(status: number, code: string): Reply {
  return { status, text: JSON.stringify({ status_code: status, code, message: 'No.' }) };
}

/** A record of a batch has no text to compare. */
function isSame(known: Transaction, body: Body, text: string): boolean {
  if (known.text !== '') return known.text === text;
  const { type, player, currency, atoms } = known;
  return (
    body.transaction_type === type &&
    body.player_id === player &&
    body.currency === currency &&
    atomsOf(body.amount) === atoms
  );
}

function atomsOf(amount: unknown): bigint {
  return BigInt(Math.round(Number(amount) * 1e8));
}
