import { randomUUID } from 'node:crypto';
import { writeJson } from '../../../src/lib/json.ts';
import { amountOf } from './answers.ts';
import type { Exchange, WalletClient } from './client.ts';
import type { Target, TestPlayer } from './target.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type TransactionType = 'Debit' | 'Credit';

/** A transaction as it was asked for. */
export interface Transaction {
  readonly id: string;
  readonly round: string;
  readonly player: TestPlayer;
  readonly fields: Fields;
}

/** What checks do to a wallet: requests as the service makes them, with changes where a check wants some. */
export class Kit {
  readonly target: Target;
  readonly client: WalletClient;

  constructor(target: Target, client: WalletClient) {
    this.target = target;
    this.client = client;
  }

  get main(): TestPlayer {
    return this.target.main;
  }

  get second(): TestPlayer {
    return this.target.second;
  }

  /** A currency that no player has. */
  get otherCurrency(): string {
    return this.main.currency === 'ISK' ? 'UGX' : 'ISK';
  }

  newId(): string {
    return randomUUID();
  }

  /** W1 of a player. */
  authenticate(player: TestPlayer = this.main, changes: Fields = {}): Promise<Exchange> {
    const { operator, brand } = this.target;
    const body = {
      operator_id: operator,
      brand_id: brand,
      player_token: player.token,
      source_id: 'potstream-verify',
      currency: player.currency,
      ...changes,
    };
    return this.client.send({ call: 'W1', path: '/authenticate', body: writeJson(body) });
  }

  /** What the player has now, as W1 says. */
  async balance(player: TestPlayer = this.main): Promise<bigint> {
    return amountOf(await this.authenticate(player), 'balance');
  }

  /** A new transaction of this number of minor units. */
  transaction(
    type: TransactionType,
    minorUnits: bigint,
    changes: Fields = {},
    player = this.main,
  ): Transaction {
    const id = this.newId();
    const round = this.newId();
    const isCredit = type === 'Credit';
    const amount = minorUnits * player.minorAtoms;
    const fields = {
      player_id: player.id,
      transaction_id: id,
      transaction_type: type,
      provider_id: this.target.provider,
      amount,
      jackpot_amount: isCredit ? amount : 0n,
      bonus_amount: 0n,
      source_id: 'potstream-verify',
      source_variant: isCredit ? 'grand' : null,
      gameround_id: round,
      gameround_complete: isCredit,
      category: null,
      bonus_id: null,
      currency: player.currency,
      metadata: { instance_id: 'potstream-verify' },
      ...changes,
    };
    return { id: String(fields.transaction_id), round: String(fields.gameround_id), player, fields };
  }

  /** W3. */
  execute({ fields }: Transaction, headers?: Readonly<Record<string, string | null>>): Promise<Exchange> {
    return this.#send('W3', '/transactions', fields, headers);
  }

  async debit(minorUnits: bigint, changes: Fields = {}, player = this.main): Promise<Executed> {
    const transaction = this.transaction('Debit', minorUnits, changes, player);
    const exchange = await this.execute(transaction);
    return { ...transaction, exchange, balance: amountOf(exchange, 'balance') };
  }

  async credit(minorUnits: bigint, changes: Fields = {}, player = this.main): Promise<Executed> {
    const transaction = this.transaction('Credit', minorUnits, changes, player);
    const exchange = await this.execute(transaction);
    return { ...transaction, exchange, balance: amountOf(exchange, 'balance') };
  }

  /** W2. */
  cancel({ id, round, player }: Transaction, changes: Fields = {}): Promise<Exchange> {
    const body = { gameround_id: round, player_id: player.id, ...changes };
    return this.#send('W2', `/transactions/${encodeURIComponent(id)}/cancel`, body);
  }

  /** W4. */
  executeBatch({ fields }: Batch): Promise<Exchange> {
    return this.#send('W4', '/batches', fields);
  }

  batch(type: TransactionType, records: readonly BatchRecord[], changes: Fields = {}): Batch {
    const id = this.newId();
    const isCredit = type === 'Credit';
    const total = records.reduce((sum, one) => sum + one.amount, 0n);
    const jackpotOf = (one: BatchRecord) => (isCredit ? (one.jackpotAmount ?? one.amount) : 0n);
    const fields = {
      batch_transaction_id: id,
      transaction_type: type,
      provider_id: this.target.provider,
      amount: total,
      jackpot_amount: records.reduce((sum, one) => sum + jackpotOf(one), 0n),
      source_id: 'potstream-verify',
      source_variant: isCredit ? 'grand' : null,
      gameround_id: null,
      gameround_complete: null,
      transactions: records.map((one) => ({
        transaction_id: one.id,
        player_id: one.player,
        currency: one.currency,
        amount: one.amount,
        jackpot_amount: jackpotOf(one),
      })),
      metadata: null,
      ...changes,
    };
    return { id, records, fields };
  }

  record(player: TestPlayer, minorUnits: bigint): BatchRecord {
    const { id, currency, minorAtoms } = player;
    return { id: this.newId(), player: id, currency, amount: minorUnits * minorAtoms };
  }

  /** W5. */
  cancelBatch(
    batch: Batch,
    ids: readonly string[] = batch.records.map(({ id }) => id),
    changes: Fields = {},
  ): Promise<Exchange> {
    const body = { gameround_id: batch.fields.gameround_id, transaction_id_list: ids, ...changes };
    return this.#send('W5', `/batches/${encodeURIComponent(batch.id)}/cancel`, body);
  }

  #send(
    call: 'W2' | 'W3' | 'W4' | 'W5',
    path: string,
    fields: Fields,
    headers: Readonly<Record<string, string | null>> = {},
  ): Promise<Exchange> {
    return this.client.send({ call, path, body: writeJson(fields), headers });
  }
}

export interface Executed extends Transaction {
  readonly exchange: Exchange;
  /** As W3 answered. */
  readonly balance: bigint;
}

export interface BatchRecord {
  readonly id: string;
  readonly player: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Absent: all of it. */
  readonly jackpotAmount?: bigint;
}

export interface Batch {
  readonly id: string;
  readonly records: readonly BatchRecord[];
  readonly fields: Fields;
}
