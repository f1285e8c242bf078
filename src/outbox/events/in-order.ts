import { Counts } from '../../lib/counts.ts';
import { KeyTurns } from '../../lib/key-turns.ts';
import type { Backlogs } from '../backlog/backlogs.ts';
import { type Delivery, lineOf, receiverOf } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { DeliverySender } from '../send/sender.ts';
import { type BacklogRange, wholeLane } from '../store/entries.ts';
import { Stopped } from '../store/persistently.ts';
import type { StoredDeliveries } from '../stored/stored-deliveries.ts';

interface InOrderPorts {
  readonly sender: DeliverySender;
  readonly stored: Pick<StoredDeliveries, 'has' | 'hasRoom' | 'holds' | 'add'>;
  readonly backlogs: () => Pick<Backlogs, 'covers' | 'isMoving' | 'holds' | 'add' | 'keep'>;
  /** The lane is no longer this process's. */
  readonly stopped: () => boolean;
}

const busy = { kind: 'busy' } as const;

/**
 * Sends the events of a lane so that of a line, the events of an instance for a subscription, each waits
 * until the one before is delivered, dead, or stored: then it is stored behind it (docs/decisions/0485).
 */
export class InOrder {
  readonly #ports: InOrderPorts;
  readonly #turns = new KeyTurns(
    { waiting: Number.POSITIVE_INFINITY, waitMs: Number.POSITIVE_INFINITY },
    () => 0,
    () => new Stopped('No turn.'),
  );
  /** Events that wait in memory, by operator. */
  readonly #waiting = new Counts();

  constructor(ports: InOrderPorts) {
    this.#ports = ports;
  }

  /** The first try of an event that a record brings. Ends when it is delivered, stored or in a backlog. */
  async first(delivery: Delivery, range: BacklogRange = wholeLane): Promise<void> {
    const { stored } = this.#ports;
    const backlogs = this.#ports.backlogs();
    if (stored.has(delivery.id) || backlogs.covers(delivery, range.replay)) return;
    const { operator } = receiverOf(delivery);
    const isFull = this.#waiting.of(operator) >= outboxLimits.eventsWaitingPerOperator;
    if ((isFull || backlogs.isMoving(delivery, range.replay)) && (await backlogs.add(delivery, range)))
      return;
    this.#waiting.add(operator);
    try {
      await this.inTurn(delivery, () => this.#try(delivery, range));
    } finally {
      this.#waiting.remove(operator);
    }
  }

  /**
   * An event that no record brings: a backlog could not make it again. False where it can neither be sent
   * nor stored now.
   */
  async besideRecords(delivery: Delivery): Promise<boolean> {
    const { stored, sender, stopped } = this.#ports;
    if (stored.has(delivery.id)) return true;
    const { operator } = receiverOf(delivery);
    const isFull = this.#waiting.of(operator) >= outboxLimits.eventsWaitingPerOperator;
    if (isFull || this.#ports.backlogs().holds(delivery) || !stored.hasRoom(delivery)) return false;
    this.#waiting.add(operator);
    try {
      await this.inTurn(delivery, async () => {
        const result = stored.holds(delivery) ? busy : await sender.first(delivery);
        if (!stopped() && (result.kind === 'failed' || result.kind === 'busy'))
          await stored.add(delivery, result);
      });
      return !stopped();
    } finally {
      this.#waiting.remove(operator);
    }
  }

  /** Does the work when the events of its line that came before have left. */
  inTurn(delivery: Delivery, work: () => Promise<void>): Promise<void> {
    return this.#turns.run(lineOf(delivery) ?? delivery.id, work);
  }

  /** A try of a backlog's event, in its turn. What waits for a stored one is stored, where there is room. */
  async ofBacklog(delivery: Delivery) {
    const { stored, sender } = this.#ports;
    if (!stored.holds(delivery)) return sender.repeat(receiverOf(delivery), async () => delivery);
    if (!stored.hasRoom(delivery)) return { kind: 'held' } as const;
    await stored.add(delivery, busy);
    return { kind: 'stored' } as const;
  }

  async #try(delivery: Delivery, range: BacklogRange): Promise<void> {
    const { sender, stored, stopped } = this.#ports;
    const backlogs = this.#ports.backlogs();
    if (stopped()) throw new Stopped('The lane was given up.');
    if (backlogs.covers(delivery, range.replay)) return;
    const result = stored.holds(delivery) ? busy : await sender.first(delivery);
    if (stopped()) throw new Stopped('The lane was given up.');
    await backlogs.keep(delivery, result, range);
  }
}
