import type { Registry } from 'prom-client';
import { ProcessMetrics } from '../../lib/node-metrics.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { TryResult } from '../send/sender.ts';
import type { DeliveryAlarm } from './alarm-codes.ts';
import type { DeliveryLag, DeliveryTally } from './delivery-watch.ts';

interface OutboxMetrics {
  readonly registry: Registry;
  observe(kind: Delivery['content']['kind'], result: TryResult, tookMs: number): void;
  readonly triesDropped: (tries: number) => void;
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

/** The outbox role's metrics. */
export function createOutboxMetrics(state: OutboxState): OutboxMetrics {
  const metrics = new ProcessMetrics();
  const tries = metrics.counter('potstream_outbox_tries_total', 'Tries of deliveries by event and result.', [
    'event',
    'result',
  ]);
  const seconds = metrics.histogram(
    'potstream_outbox_try_seconds',
    'How long tries of deliveries took.',
    [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
  );
  const lost = metrics.counter(
    'potstream_outbox_lost_total',
    'Callbacks that cannot be delivered because the log has lost their commands.',
  );
  const alarms = metrics.counter(
    'potstream_outbox_alarms_total',
    'Conditions that a person must look at, by the codes of a closed list.',
    ['code'],
  );
  const dropped = metrics.counter(
    'potstream_outbox_tries_dropped_total',
    'Tries of deliveries that the books will not have.',
  );
  metrics.gauge('potstream_outbox_in_flight', 'Tries that are under way.', (gauge) =>
    gauge.set(state.inFlight()),
  );
  stateGauges(metrics, state);
  lagGauges(metrics, state);
  return {
    registry: metrics.registry,
    observe(event, result, tookMs) {
      tries.inc({ event, result: labelOf(result) });
      seconds.observe(tookMs / 1000);
    },
    triesDropped: (tries) => dropped.inc(tries),
    lost: (callbacks) => lost.inc(callbacks),
    alarm: (code) => alarms.inc({ code }),
  };
}

/** As of the last count. */
function stateGauges(metrics: ProcessMetrics, state: OutboxState): void {
  const states = ['pending', 'dead'] as const;
  metrics.gauge(
    'potstream_outbox_stored',
    'Undelivered events by state: pending ones are tried again, dead ones wait for a person. About right for backlogs.',
    (gauge) => {
      for (const each of states) gauge.set({ state: each }, state.tally().counts[each]);
    },
    ['state'],
  );
  metrics.gauge(
    'potstream_outbox_backlogs',
    'Receivers with so many undelivered events that these wait in the log.',
    (gauge) => gauge.set(state.tally().backlogs),
  );
  metrics.gauge(
    'potstream_outbox_oldest_seconds',
    'Age of the oldest undelivered event by state.',
    (gauge) => {
      const { oldestMs } = state.tally();
      for (const each of states) {
        const ageMs = oldestMs[each] === null ? 0 : state.nowMs() - oldestMs[each];
        gauge.set({ state: each }, Math.max(0, ageMs) / 1000);
      }
    },
    ['state'],
  );
}

function lagGauges(metrics: ProcessMetrics, state: OutboxState): void {
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
    metrics.gauge(
      `potstream_outbox_lane_${what}`,
      help,
      (gauge) => {
        gauge.reset();
        for (const lag of state.lags()) gauge.set({ lane: lag.lane }, value(lag));
      },
      ['lane'],
    );
  }
}

function labelOf(result: TryResult): string {
  if (result.kind !== 'failed') return result.kind;
  return result.status === null ? result.error : `status_${Math.floor(result.status / 100)}xx`;
}
