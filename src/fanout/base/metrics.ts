import { ProcessMetrics } from '../../lib/node-metrics.ts';

export type FanoutMetrics = ReturnType<typeof createFanoutMetrics>;

/** The fan-out's metrics. */
export function createFanoutMetrics(sockets: { all(): number; public(): number }, engine: string) {
  const metrics = new ProcessMetrics();
  metrics.gauge('potstream_fanout_sockets', 'Open sockets of feeds.', (gauge) => gauge.set(sockets.all()));
  metrics.gauge('potstream_fanout_public_sockets', 'Those among them of public feeds.', (gauge) =>
    gauge.set(sockets.public()),
  );
  metrics.gauge(
    'potstream_fanout_engine_info',
    'The websocket engine in use, as a label; the value is 1.',
    (gauge) => gauge.set({ engine }, 1),
    ['engine'],
  );
  return {
    registry: metrics.registry,
    updatesPublished: metrics.counter(
      'potstream_fanout_updates_published_total',
      'JackpotUpdates handed to the websocket engine, one an instance and scope.',
    ),
    updatesSkipped: metrics.counter(
      'potstream_fanout_updates_skipped_total',
      'Times an update was skipped for a slow socket; it gets the newest one when it drains.',
    ),
    eventsDelivered: metrics.counter(
      'potstream_fanout_events_delivered_total',
      'Events other than JackpotUpdate handed to sockets.',
    ),
    foreignEventsDropped: metrics.counter(
      'potstream_fanout_foreign_events_dropped_total',
      "Other platforms' events that were dropped because too many of their operator, or of all, waited.",
    ),
    closes: metrics.counter('potstream_fanout_closes_total', 'Sockets closed by this service, by reason.', [
      'reason',
    ]),
    refusedUpgrades: metrics.counter(
      'potstream_fanout_refused_upgrades_total',
      'Upgrades answered with an error, by its code.',
      ['code'],
    ),
  };
}
