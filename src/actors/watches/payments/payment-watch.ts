import type { LaneEngine } from '../../../jackpot/lane/lane.ts';
import { formatAmount } from '../../../lib/money.ts';
import { RepeatingAlarms } from '../../../lib/repeating-alarms.ts';
import { nextTurn } from '../../../lib/turns.ts';
import type { ActorPorts } from '../../ports/actor-ports.ts';
import { Watch } from '../../ports/watch.ts';
import { type OpenPayments, PaymentTally } from './tally.ts';

/** Thresholds of alarms (docs/rules/operating.md "Alarms about payments"). */
interface PaymentLimits {
  /** For payments that the service itself brings to an end. */
  readonly automaticAgeMs: number;
  /** For payments that wait for a person. */
  readonly manualAgeMs: number;
  /** Sums of all open payments, by currency; currencies without one have no limit. */
  readonly sumsAtoms: ReadonlyMap<string, bigint>;
}

interface OwnedLane {
  readonly lane: number;
  readonly engine: Pick<LaneEngine, 'openCredits' | 'openDebits'>;
}

export interface OpenPaymentsOfLane {
  readonly lane: number;
  readonly countedMs: number;
  readonly rows: readonly OpenPayments[];
}

/** Records of one slice: well below a millisecond of the lane. */
export const sliceRecords = 1_024;
const countEveryMs = 10_000;
const alarmEveryMs = 3_600_000;

const byPeople: ReadonlySet<string> = new Set(['withheld', 'dead', 'paid']);

/**
 * Counts the open payments of the owned lanes in slices between the lanes' messages, and raises alarms about
 * old ones and about large sums, each once an hour. Metrics show the last count.
 */
export class PaymentWatch extends Watch {
  readonly #lanes: () => readonly OwnedLane[];
  readonly #ports: Pick<ActorPorts, 'clock' | 'monitor'>;
  readonly #limits: PaymentLimits;
  readonly #alarms = new RepeatingAlarms(alarmEveryMs);
  #counted: readonly OpenPaymentsOfLane[] = [];

  constructor(
    lanes: () => readonly OwnedLane[],
    ports: Pick<ActorPorts, 'clock' | 'monitor'>,
    limits: PaymentLimits,
  ) {
    super(ports.clock, countEveryMs);
    this.#lanes = lanes;
    this.#ports = ports;
    this.#limits = limits;
  }

  payments(): readonly OpenPaymentsOfLane[] {
    return this.#counted;
  }

  async look(): Promise<void> {
    const counted: OpenPaymentsOfLane[] = [];
    for (const { lane, engine } of this.#lanes()) {
      if (this.isStopped) return;
      counted.push({
        lane,
        countedMs: this.#ports.clock.nowMs(),
        rows: await this.#countLane(engine),
      });
    }
    this.#counted = counted;
    this.#judge();
  }

  async #countLane(engine: OwnedLane['engine']): Promise<readonly OpenPayments[]> {
    const tally = new PaymentTally();
    const nowMs = this.#ports.clock.nowMs();
    await inSlices(
      (after) => engine.openDebits(after, sliceRecords),
      (debits) => tally.addDebits(debits, nowMs),
    );
    await inSlices(
      (after) => engine.openCredits(after, sliceRecords, [], ''),
      (credits) => tally.addCredits(credits),
    );
    return tally.rows();
  }

  #judge(): void {
    this.#alarms.begin();
    for (const { lane, rows } of this.#counted) this.#judgeAges(lane, rows);
    this.#judgeSums();
  }

  #judgeAges(lane: number, rows: readonly OpenPayments[]): void {
    const nowMs = this.#ports.clock.nowMs();
    for (const isManual of [false, true]) {
      const limitMs = isManual ? this.#limits.manualAgeMs : this.#limits.automaticAgeMs;
      const old = rows.filter(
        ({ state, oldestMs }) => byPeople.has(state) === isManual && nowMs - oldestMs > limitMs,
      );
      if (old.length === 0) continue;
      const oldest = Math.floor((nowMs - Math.min(...old.map(({ oldestMs }) => oldestMs))) / 1000);
      const which = [...new Set(old.map(({ kind, state }) => `${kind} ${state}`))].join(', ');
      const code = isManual ? 'payments_wait' : 'payments_old';
      this.#raise(lane, code, `Payments are open for up to ${oldest} s: ${which}.`);
    }
  }

  /** Over all lanes of this host, at the lane with the most. */
  #judgeSums(): void {
    for (const [currency, limitAtoms] of this.#limits.sumsAtoms) {
      const sums = this.#counted.map(({ lane, rows }) => ({ lane, atoms: sumOf(rows, currency) }));
      const atoms = sums.reduce((total, each) => total + each.atoms, 0n);
      if (atoms <= limitAtoms) continue;
      const { lane } = sums.reduce((largest, each) => (each.atoms > largest.atoms ? each : largest));
      const message = `Open payments of this host add up to ${formatAmount(atoms)} ${currency}.`;
      this.#raise(lane, 'payments_sum_high', message, currency);
    }
  }

  #raise(
    lane: number,
    code: 'payments_old' | 'payments_wait' | 'payments_sum_high',
    message: string,
    subject: string = String(lane),
  ): void {
    const isDue = this.#alarms.isDue(`${code} ${subject}`, this.#ports.clock.elapsedMs());
    if (isDue) this.#ports.monitor.alarm(lane, code, message);
  }
}

/** What is opened or settled between two slices may be missing or counted: the next count has it. */
async function inSlices<T extends { readonly number: number }>(
  slice: (after: number) => readonly T[],
  take: (items: readonly T[]) => void,
): Promise<void> {
  for (let after = 0; ; ) {
    const items = slice(after);
    take(items);
    if (items.length < sliceRecords) return;
    after = items.at(-1)!.number;
    await nextTurn();
  }
}

/** A young debit is no risk: it ends within seconds. */
function sumOf(rows: readonly OpenPayments[], currency: string): bigint {
  return rows
    .filter((row) => row.currency === currency && !(row.kind === 'debit' && row.state === 'pending'))
    .reduce((sum, { atoms }) => sum + atoms, 0n);
}
