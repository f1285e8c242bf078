import type { KnownDelivery } from '../stored/stored-deliveries.ts';

/** What is not delivered, counted in one pass. */
export class DeliveryTally {
  readonly counts = { pending: 0, dead: 0 };
  /** When the oldest of each state was made; null: there is none. */
  readonly oldestMs: { pending: number | null; dead: number | null } = { pending: null, dead: null };
  backlogs = 0;
  readonly byOperator = new Map<string, number>();
  /** Flushes that have no end yet, in atoms, by currency. */
  readonly flushes = new Map<string, bigint>();

  add({ state, createdMs, kind, deliveries = 1, receiver, flush }: KnownDelivery): void {
    this.counts[state] += deliveries;
    this.oldestMs[state] = Math.min(this.oldestMs[state] ?? createdMs, createdMs);
    if (kind === 'ReceiverBacklog') this.backlogs += 1;
    const { operator } = receiver;
    this.byOperator.set(operator, (this.byOperator.get(operator) ?? 0) + deliveries);
    if (flush === null) return;
    const sum = this.flushes.get(flush.currency) ?? 0n;
    this.flushes.set(flush.currency, sum + flush.amountAtoms);
  }
}
