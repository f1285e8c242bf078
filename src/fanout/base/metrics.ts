import { Counter, Gauge, Registry } from 'prom-client';
import { coarseLoopPrecisionMs, collectNodeMetrics } from '../../lib/node-metrics.ts';

/** The fan-out's metrics; labels come from closed sets. */
export function createFanoutMetrics(sockets: () => number, engine: string) {
  const registry = new Registry();
  const registers = [registry];
  collectNodeMetrics(registry, { eventLoopMonitoringPrecision: coarseLoopPrecisionMs });
  new Gauge({
    name: 'potstream_fanout_sockets',
    help: 'Open sockets of feeds.',
    registers,
    collect() {
      this.set(sockets());
    },
  });
  new Gauge({
    name: 'potstream_fanout_engine_info',
    help: 'The websocket engine in use, as a label; the value is 1.',
    labelNames: ['engine'] as const,
    registers,
  }).set({ engine }, 1);
  return {
    registry,
    updatesPublished: new Counter({
      name: 'potstream_fanout_updates_published_total',
      help: 'JackpotUpdates handed to the websocket engine, one an instance and scope.',
      registers,
    }),
    updatesSkipped: new Counter({
      name: 'potstream_fanout_updates_skipped_total',
      help: 'Times an update was skipped for a slow socket; it gets the newest one when it drains.',
      registers,
    }),
    eventsDelivered: new Counter({
      name: 'potstream_fanout_events_delivered_total',
      help: 'Events other than JackpotUpdate handed to sockets.',
      registers,
    }),
    foreignEventsDropped: new Counter({
      name: 'potstream_fanout_foreign_events_dropped_total',
      help: "Other platforms' events that were dropped because too many of their operator, or of all, waited.",
      registers,
    }),
    closes: new Counter({
      name: 'potstream_fanout_closes_total',
      help: 'Sockets closed by this service, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    refusedUpgrades: new Counter({
      name: 'potstream_fanout_refused_upgrades_total',
      help: 'Upgrades answered with an error, by its code.',
      labelNames: ['code'] as const,
      registers,
    }),
  };
}

export type FanoutMetrics = ReturnType<typeof createFanoutMetrics>;
