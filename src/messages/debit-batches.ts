import type { DebitBatch, DebitRecord } from './settlements.ts';
import { debitBatchId } from './transaction-ids.ts';

/** Records of a batch. Outcomes in the log follow from it: never change it. */
const maxRecords = 100;

interface OpenBatch {
  /** Counts its records until the message ends; the debits of the message share it. */
  readonly batch: { readonly id: string; records: number };
  readonly players: Set<string>;
}

type Member = Pick<
  DebitRecord,
  'transactionId' | 'brand' | 'player' | 'currency' | 'source' | 'provider' | 'vertical'
>;

/**
 * Gathers the debits that a message opens into batches: alike in all that a W4 says once, and each player
 * once. So a batch is a function of the log, and every process knows it.
 */
export class DebitBatches {
  readonly #open = new Map<string, OpenBatch[]>();

  join({ transactionId, brand, player, currency, source, provider, vertical }: Member): DebitBatch {
    const key = JSON.stringify([brand, currency, source, provider, vertical]);
    const alike = this.#open.get(key) ?? [];
    let open = alike.find(({ batch, players }) => batch.records < maxRecords && !players.has(player));
    if (open === undefined) {
      open = { batch: { id: debitBatchId(transactionId), records: 0 }, players: new Set() };
      this.#open.set(key, [...alike, open]);
    }
    open.batch.records += 1;
    open.players.add(player);
    return open.batch;
  }

  /** The message is over: its batches are whole. */
  end(): void {
    if (this.#open.size > 0) this.#open.clear();
  }
}
