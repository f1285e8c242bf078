import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Delivery } from './delivery.ts';
import type { KnownDelivery } from './lane/stored-deliveries.ts';
import type { TryResult } from './send/sender.ts';

export interface OutboxMetrics {
  readonly registry: Registry;
  observe(kind: Delivery['content']['kind'], result: TryResult, tookMs: number): void;
  lost(callbacks: number): void;
}

/** What the gauges show at the moment they are asked. */
export interface OutboxState {
  known(): Iterable<KnownDelivery>;
  inFlight(): number;
  nowMs(): number;
}

/** The outbox role's metrics; labels come from closed sets. */
export function createMetrics(state: OutboxState): OutboxMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'potstream_' });
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
  new Gauge({
    name: 'potstream_outbox_in_flight',
    help: 'Tries that are under way.',
    registers,
    collect() {
      this.set(state.inFlight());
    },
  });
  const oldest = new Gauge({
    name: 'potstream_outbox_oldest_seconds',
    help: 'Age of the oldest stored delivery that is still tried.',
    registers,
  });
  new Gauge({
    name: 'potstream_outbox_stored',
    help: 'Stored deliveries by state: pending ones are tried again, dead ones wait for a replay.',
    labelNames: ['state'],
    registers,
    collect() {
      const counts = { pending: 0, dead: 0 };
      let oldestMs = state.nowMs();
      for (const { state: of, createdMs, deliveries = 1 } of state.known()) {
        counts[of] += deliveries;
        if (of === 'pending') oldestMs = Math.min(oldestMs, createdMs);
      }
      this.set({ state: 'pending' }, counts.pending);
      this.set({ state: 'dead' }, counts.dead);
      oldest.set((state.nowMs() - oldestMs) / 1000);
    },
  });
  return {
    registry,
    observe(event, result, tookMs) {
      tries.inc({ event, result: labelOf(result) });
      seconds.observe(tookMs / 1000);
    },
    lost: (callbacks) => lost.inc(callbacks),
  };
}

function labelOf(result: TryResult): string {
  if (result.kind !== 'failed') return result.kind;
  return result.status === null ? result.error : `status_${Math.floor(result.status / 100)}xx`;
}
