import { encodeTries, type WalletTry } from '../../contracts/payments/tries.ts';
import { toHex } from '../../lib/bytes.ts';
import { walletTriesSubject } from '../../log/base/names.ts';
import { TryReports } from '../../outbound/try-reports.ts';
import type { Bus, Clock, Random } from '../../ports.ts';
import type { MoneyTry } from '../client/brand-client.ts';

interface MoneyTriesPorts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly dropped: (tries: number) => void;
}

/** Reports each try that moved money, or was to, to the books. */
export class MoneyTries {
  readonly #reports: TryReports<Omit<WalletTry, 'number' | 'time'>>;

  constructor({ bus, clock, random, dropped }: MoneyTriesPorts) {
    const process = toHex(random.bytes(8));
    this.#reports = new TryReports({
      ...{ clock, dropped },
      publish(tries) {
        if (bus.connected()) bus.publish(walletTriesSubject, encodeTries({ process, tries }));
        else dropped(tries.length);
      },
    });
  }

  add({ brand, call, answer, status, tookMs }: MoneyTry): void {
    const { name, of } = call;
    if (name === 'W1' || of === undefined) return;
    const code = answer.kind === 'refused' ? answer.code : answer.kind === 'unknown' ? answer.reason : null;
    this.#reports.add({
      ...{ call: name, brand, status, took_ms: Math.round(tookMs), result: answer.kind, code },
      ...{ transaction_id: of.transactionId, batch_id: of.batchId, records: of.records },
    });
  }

  /** Reports what waits. */
  stop(): void {
    this.#reports.flush();
  }
}
