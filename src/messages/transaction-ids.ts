import { nameUuid, uuidBytes, uuidText } from '../lib/uuid.ts';

/** Namespace of all ids that wallets and receivers see. It must never change: ids are made again from it. */
const namespace = uuidBytes('6f2a1a52-9c0e-4d7b-8a55-3f3a0f6d1c2e');

/** The contribution's id as text; a linked instance has its own, and with it its own round and debit. */
export function contributionIdOf(contributionId: Uint8Array, instance: string, isLink: boolean): string {
  const main = uuidText(contributionId);
  return isLink ? nameUuid(namespace, `${main}/${instance}`) : main;
}

/** The transaction id of a contribution’s debit. */
export function debitId(contributionId: string): string {
  return nameUuid(namespace, contributionId);
}

/** `player` is a brand's: two brands may have the same player id. */
export function creditId(
  instance: string,
  pot: string,
  cycle: number,
  brand: string,
  player: string,
  kind: 'main' | 'community' | 'raffle',
): string {
  const name = `${instance}/${pot}/${cycle}/${brand}:${player}`;
  // The main winner may have a community share of the same win beside it.
  return nameUuid(namespace, kind === 'community' ? `community/${name}` : name);
}

/** The transaction id of a credit of zero that closes a round. */
export function closingId(contributionId: string): string {
  return nameUuid(namespace, `close/${contributionId}`);
}

/** The id of a batch of credits. */
export function batchIdOf(
  instance: string,
  pot: string,
  cycle: number,
  brand: string,
  currency: string,
): string {
  return nameUuid(namespace, `batch/${instance}/${pot}/${cycle}/${brand}/${currency}`);
}

/** The id of a batch of debits, by its first transaction. */
export function debitBatchId(transactionId: string): string {
  return nameUuid(namespace, `debits/${transactionId}`);
}

/** The id of a diversion flush. */
export function flushIdOf(instance: string, flush: number): string {
  return nameUuid(namespace, `flush/${instance}/${flush}`);
}
