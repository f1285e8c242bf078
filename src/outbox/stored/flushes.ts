import { crash } from '../../lib/crash.ts';
import type { FlushRecord } from '../../messages/settlements.ts';
import type { Clock } from '../../ports.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { Stopped } from '../store/persistently.ts';
import type { LaneFlushes } from './lane-flushes.ts';
import type { StoredDeliveries } from './stored-deliveries.ts';

interface FlushesPorts {
  readonly clock: Clock;
  readonly lane: LaneFlushes;
  readonly stored: StoredDeliveries;
  readonly report: (message: string, error: unknown) => void;
}

/**
 * Begins the diversion flushes of a lane: those of its records at once, and now and then what the lane has open and nobody
 * delivers. All are stored before their first try, because they are money (docs/decisions/0281).
 */
export class Flushes {
  readonly #lane: number;
  readonly #ports: FlushesPorts;
  /** Flushes that are being stored. */
  readonly #beginning = new Set<string>();
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(lane: number, ports: FlushesPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /** Stores a flush of an outcome record, unless it is settled. */
  async begin(flush: FlushRecord, sequence: number): Promise<void> {
    if (this.#isKnown(flush)) return;
    const open = await this.#ports.lane.open(sequence);
    if (open.some(({ flushId }) => flushId === flush.flushId)) await this.#store(flush, sequence);
  }

  /** Looks for open flushes until `stop`. */
  watch(): void {
    this.#look()
      .then(() => {
        if (!this.#stopped)
          this.#cancel = this.#ports.clock.after(outboxLimits.flushesEveryMs, () => this.watch());
      })
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) crash(error);
      });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { lane, stored } = this.#ports;
    stored.forgetSettled();
    for (const flush of await lane.open()) if (!stored.wasSettled(flush.flushId)) await this.#store(flush, 0);
  }

  #isKnown({ flushId }: FlushRecord): boolean {
    return this.#ports.stored.has(flushId) || this.#beginning.has(flushId);
  }

  async #store(flush: FlushRecord, sequence: number): Promise<void> {
    const { lane, stored, report } = this.#ports;
    if (this.#isKnown(flush)) return;
    this.#beginning.add(flush.flushId);
    const owner = await lane.ownerOf(flush.instance);
    if (owner === null) report(`The owner of the flushed instance ${flush.instance} is not known.`, null);
    const delivery: Delivery = {
      id: flush.flushId,
      lane: this.#lane,
      sequence,
      owner: owner ?? '',
      url: flush.endpoint,
      createdMs: flush.openedMs,
      content: { kind: 'DiversionFlush', flush },
    };
    await stored.add(delivery, { kind: 'busy' });
    this.#beginning.delete(flush.flushId);
  }
}
