import { crash } from '../../lib/crash.ts';
import { formatAmount } from '../../lib/money.ts';
import { RepeatingAlarms } from '../../lib/repeating-alarms.ts';
import { type Clock, type Log, LogError } from '../../ports.ts';
import type { LaneOutbox } from '../lane/lane-outbox.ts';
import type { KnownDelivery } from '../stored/stored-deliveries.ts';
import type { DeliveryAlarm } from './alarm-codes.ts';

/** Thresholds of alarms (docs/rules/operating.md "Alarms about deliveries"). */
export interface DeliveryLimits {
  /** For deliveries that are tried again. */
  readonly pendingAgeMs: number;
  /** For deliveries that wait for a person. */
  readonly deadAgeMs: number;
  /** Undelivered events of one operator. */
  readonly perOperator: number;
  /** Sums of flushes without an end, by currency; currencies without one have no limit. */
  readonly sumsAtoms: ReadonlyMap<string, bigint>;
}

/** How far a lane's outbox is. */
export interface DeliveryLag {
  readonly lane: number;
  /** Records after the cursor. In a lane with few callbacks most of them have none. */
  readonly records: number;
  /** Age of the oldest record that is not done. */
  readonly ageMs: number;
  /** The lane waits for a newer release. */
  readonly isUnsupported: boolean;
}

interface DeliveryWatchPorts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'lastOutcome'>;
  readonly lanes: () => Iterable<
    readonly [number, Pick<LaneOutbox, 'known' | 'cursor' | 'oldestMs' | 'unsupported'>]
  >;
  readonly alarm: (code: DeliveryAlarm, message: string) => void;
}

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

const countEveryMs = 10_000;
const alarmEveryMs = 3_600_000;

/** Counts what is not delivered, for metrics, and raises alarms, each once an hour while its reason holds. */
export class DeliveryWatch {
  readonly #ports: DeliveryWatchPorts;
  readonly #limits: DeliveryLimits;
  readonly #alarms = new RepeatingAlarms(alarmEveryMs);
  #cancel: () => void = () => {};
  #stopped = false;
  /** The last count. */
  tally = new DeliveryTally();
  lags: readonly DeliveryLag[] = [];

  constructor(ports: DeliveryWatchPorts, limits: DeliveryLimits) {
    this.#ports = ports;
    this.#limits = limits;
  }

  start(): void {
    this.count()
      .then(() => {
        if (!this.#stopped) this.#cancel = this.#ports.clock.after(countEveryMs, () => this.start());
      })
      .catch(crash);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async count(): Promise<void> {
    const tally = new DeliveryTally();
    for (const [, outbox] of this.#ports.lanes()) for (const each of outbox.known()) tally.add(each);
    this.tally = tally;
    this.#judge();
    this.lags = await Promise.all(
      [...this.#ports.lanes()].map(async ([lane, outbox]) => ({
        lane,
        records: await this.#recordsBehind(lane, outbox.cursor),
        ageMs: outbox.oldestMs === null ? 0 : Math.max(0, this.#ports.clock.nowMs() - outbox.oldestMs),
        isUnsupported: outbox.unsupported !== null,
      })),
    );
  }

  async #recordsBehind(lane: number, cursor: number | null): Promise<number> {
    if (cursor === null) return 0;
    try {
      return Math.max(0, (await this.#ports.log.lastOutcome(lane)) + 1 - cursor);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      // The last number stays until the log answers again.
      return this.lags.find((each) => each.lane === lane)?.records ?? 0;
    }
  }

  #judge(): void {
    this.#alarms.begin();
    this.#judgeAge('pending', this.#limits.pendingAgeMs);
    this.#judgeAge('dead', this.#limits.deadAgeMs);
    for (const [lane, { unsupported }] of this.#ports.lanes()) {
      if (unsupported === null) continue;
      const message = `Deliveries of lane ${lane} wait at record ${unsupported}, which only a newer release can read. Runbook: docs/operate.md#potstreamdeliveriesunsupported`;
      this.#raise('deliveries_unsupported', message, String(lane));
    }
    for (const [operator, count] of this.tally.byOperator) {
      if (count <= this.#limits.perOperator) continue;
      const message = `About ${count} events of ${operator} are not delivered.`;
      this.#raise('deliveries_many', message, operator);
    }
    for (const [currency, limitAtoms] of this.#limits.sumsAtoms) {
      const atoms = this.tally.flushes.get(currency) ?? 0n;
      if (atoms <= limitAtoms) continue;
      const message = `Flushes without an end add up to ${formatAmount(atoms)} ${currency}.`;
      this.#raise('flushes_sum_high', message, currency);
    }
  }

  #judgeAge(state: 'pending' | 'dead', limitMs: number): void {
    const oldestMs = this.tally.oldestMs[state];
    const ageMs = oldestMs === null ? 0 : this.#ports.clock.nowMs() - oldestMs;
    if (ageMs <= limitMs) return;
    const what = state === 'pending' ? 'are tried for' : 'wait for a person, the oldest for';
    const message = `${this.tally.counts[state]} deliveries ${what} up to ${Math.floor(ageMs / 1000)} s.`;
    this.#raise(state === 'pending' ? 'deliveries_old' : 'deliveries_wait', message, '');
  }

  #raise(code: DeliveryAlarm, message: string, subject: string): void {
    const isDue = this.#alarms.isDue(`${code} ${subject}`, this.#ports.clock.elapsedMs());
    if (isDue) this.#ports.alarm(code, message);
  }
}
