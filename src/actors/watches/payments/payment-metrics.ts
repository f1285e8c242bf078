import { Gauge, type Registry } from 'prom-client';
import { atomsPerUnit } from '../../../lib/money.ts';
import type { OpenPaymentsOfLane } from './payment-watch.ts';
import type { OpenPayments } from './tally.ts';

/** The open payments of the last count. Labels come from closed sets and a bounded set of currencies. */
export function addPaymentGauges(registers: Registry[], payments: () => readonly OpenPaymentsOfLane[]): void {
  new Gauge({
    name: 'potstream_actors_open_payments',
    help: 'Debits and credits that are not settled.',
    labelNames: ['lane', 'kind', 'state'],
    registers,
    collect() {
      this.reset();
      for (const [{ lane }, { kind, state, count }] of rowsOf(payments()))
        this.inc({ lane, kind, state }, count);
    },
  });
  new Gauge({
    name: 'potstream_actors_open_payments_units',
    help: 'Sum of the debits and credits that are not settled, in units of their currency.',
    labelNames: ['lane', 'kind', 'state', 'currency'],
    registers,
    collect() {
      this.reset();
      for (const [{ lane }, { kind, state, currency, atoms }] of rowsOf(payments()))
        this.set({ lane, kind, state, currency }, Number(atoms) / Number(atomsPerUnit));
    },
  });
  new Gauge({
    name: 'potstream_actors_open_payments_oldest_seconds',
    help: 'Age of the oldest debit or credit that is not settled.',
    labelNames: ['lane', 'kind', 'state'],
    registers,
    collect() {
      this.reset();
      const oldest = new Map<string, [OpenPaymentsOfLane, OpenPayments]>();
      for (const [counted, row] of rowsOf(payments())) {
        const key = `${counted.lane} ${row.kind} ${row.state}`;
        if ((oldest.get(key)?.[1].oldestMs ?? Infinity) > row.oldestMs) oldest.set(key, [counted, row]);
      }
      for (const [{ lane, countedMs }, { kind, state, oldestMs }] of oldest.values())
        this.set({ lane, kind, state }, Math.max(0, countedMs - oldestMs) / 1000);
    },
  });
}

function* rowsOf(
  payments: readonly OpenPaymentsOfLane[],
): Generator<readonly [OpenPaymentsOfLane, OpenPayments]> {
  for (const counted of payments) for (const row of counted.rows) yield [counted, row];
}
