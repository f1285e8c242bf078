import { type CallbackTry, encodeTries } from '../../contracts/payments/tries.ts';
import { toHex } from '../../lib/bytes.ts';
import { callbackTriesSubject } from '../../log/base/names.ts';
import { TryReports } from '../../outbound/try-reports.ts';
import type { Bus, Clock, Random } from '../../ports.ts';
import { type Delivery, receiverOf } from '../delivery/delivery.ts';
import type { TryResult } from '../send/sender.ts';

interface DeliveryTriesPorts {
  readonly bus: Pick<Bus, 'connected' | 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly dropped: (tries: number) => void;
}

/** Reports each try of a delivery to the books: of its address the origin, the rest may be a secret. */
export class DeliveryTries {
  readonly #reports: TryReports<Omit<CallbackTry, 'number' | 'time'>>;

  constructor({ bus, clock, random, dropped }: DeliveryTriesPorts) {
    const process = toHex(random.bytes(8));
    this.#reports = new TryReports({
      ...{ clock, dropped },
      publish(tries) {
        if (bus.connected()) bus.publish(callbackTriesSubject, encodeTries({ process, tries }));
        else dropped(tries.length);
      },
    });
  }

  add(delivery: Delivery, result: TryResult, tookMs: number): void {
    if (result.kind !== 'delivered' && result.kind !== 'failed') return;
    const { id, owner, lane, sequence, content } = delivery;
    this.#reports.add({
      ...{ event_id: id, owner, lane, sequence, kind: content.kind, origin: receiverOf(delivery).origin },
      ...{ result: result.kind, status: result.status, took_ms: Math.round(tookMs) },
      ...{ error: result.kind === 'failed' ? result.error : null },
      is_final: result.kind === 'delivered' || result.final,
    });
  }

  /** Reports what waits. */
  stop(): void {
    this.#reports.flush();
  }
}
