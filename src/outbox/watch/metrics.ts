import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { coarseLoopPrecisionMs, collectNodeMetrics } from '../../lib/node-metrics.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { TryResult } from '../send/sender.ts';
import type { DeliveryAlarm } from './alarm-codes.ts';
import type { DeliveryLag } from './delivery-watch.ts';
import type { DeliveryTally } from './tally.ts';

interface OutboxMetrics {
  readonly registry: Registry;
  observe(kind: Delivery['content']['kind'], result: TryResult, tookMs: number): void;
  lost(callbacks: number): void;
  alarm(code: DeliveryAlarm): void;
}

/** What the gauges show at the moment they are asked. */
interface OutboxState {
  tally(): DeliveryTally;
  lags(): readonly DeliveryLag[];
  inFlight(): number;
  nowMs(): number;
}

/** The outbox role's metrics; labels come from closed sets. */
export function createOutboxMetrics(state: OutboxState): OutboxMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectNodeMetrics(registry, { eventLoopMonitoringPrecision: coarseLoopPrecisionMs });
  const tries = new Counter({
    name: 'potstream_outbox_tries_total',
    help: 'Tries of deliveries by event and result.',
    labelNames: ['event', 'result'],
    registers,
  });
  const seconds = new Histogram({
    name: 'potstream_outbox_try_seconds',
    help: 'How long tries of deliveries took.',
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
    registers,
  });
  const lost = new Counter({
    name: 'potstream_outbox_lost_total',
    help: 'Callbacks that cannot be delivered because the log has lost their commands.',
    registers,
  });
  const alarms = new Counter({
    name: 'potstream_outbox_alarms_total',
    help: 'Conditions that a person must look at, by the codes of a closed list.',
    labelNames: ['code'],
    registers,
  });
  new Gauge({
    name: 'potstream_outbox_in_flight',
    help: 'Tries that are under way.',
    registers,
    collect() {
      this.set(state.inFlight());
    },
  });
  stateGauges(registers, state);
  lagGauges(registers, state);
  return {
    registry,
    observe(event, result, tookMs) {
      tries.inc({ event, result: labelOf(result) });
      seconds.observe(tookMs / 1000);
    },
    lost: (callbacks) => lost.inc(callbacks),
    alarm: (code) => alarms.inc({ code }),
  };
}

/** As of the last count. */
function stateGauges(registers: Registry[], state: OutboxState): void {
  const states = ['pending', 'dead'] as const;
  new Gauge({
    name: 'potstream_outbox_stored',
    help: 'Undelivered events by state: pending ones are tried again, dead ones wait for a person. About right for backlogs.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const each of states) this.set({ state: each }, state.tally().counts[each]);
    },
  });
  new Gauge({
    name: 'potstream_outbox_backlogs',
    help: 'Receivers with so many undelivered events that these wait in the log.',
    registers,
    collect() {
      this.set(state.tally().backlogs);
    },
  });
  new Gauge({
    name: 'potstream_outbox_oldest_seconds',
    help: 'Age of the oldest undelivered event by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { oldestMs } = state.tally();
      for (const each of states) {
        const ageMs = oldestMs[each] === null ? 0 : state.nowMs() - oldestMs[each];
        this.set({ state: each }, Math.max(0, ageMs) / 1000);
      }
    },
  });
}

function lagGauges(registers: Registry[], state: OutboxState): void {
  const rows: readonly [string, string, (lag: DeliveryLag) => number][] = [
    ['lag_records', "Records of the lane behind the outbox's cursor.", ({ records }) => records],
    ['lag_seconds', 'Age of the oldest record that is not done.', ({ ageMs }) => ageMs / 1000],
    [
      'unsupported',
      'Whether the lane waits at a record that only a newer release can read.',
      ({ isUnsupported }) => (isUnsupported ? 1 : 0),
    ],
  ];
  for (const [what, help, value] of rows) {
    new Gauge({
      name: `potstream_outbox_lane_${what}`,
      help,
      labelNames: ['lane'],
      registers,
      collect() {
        this.reset();
        for (const lag of state.lags()) this.set({ lane: lag.lane }, value(lag));
      },
    });
  }
}

function labelOf(result: TryResult): string {
  if (result.kind !== 'failed') return result.kind;
  return result.status === null ? result.error : `status_${Math.floor(result.status / 100)}xx`;
}
