import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import { durationMetric } from '../lib/durations.ts';
import { collectNodeMetrics } from '../lib/node-metrics.ts';
import { requestDurations } from './base/request-durations.ts';
import { answersByStatus } from './http/answer.ts';
import type { LaneGateway } from './lanes/lane-gateway.ts';
import type { GatewayServer } from './routes/serve.ts';
import { streamedLines } from './stream/ndjson-writer.ts';

/** The gateway's metrics. They are counted where they happen, in plain numbers, and read here on request. */
export function createMetrics(
  lanes: LaneGateway,
  server: GatewayServer,
  trailFaults: () => number,
): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectNodeMetrics(registry);
  new Counter({
    name: 'potstream_gateway_answers_total',
    help: 'HTTP answers by status.',
    labelNames: ['status'],
    registers,
    collect() {
      this.reset();
      for (const [status, count] of answersByStatus) this.inc({ status: String(status) }, count);
    },
  });
  const requests = Object.entries(requestDurations).map(([kind, durations]) => ({
    labels: { kind },
    durations,
  }));
  const durations = [
    durationMetric(
      'potstream_gateway_request_seconds',
      'Time from the head of an HTTP request to its answer.',
      () => requests,
    ),
    durationMetric(
      'potstream_gateway_append_seconds',
      'Time until a batch of commands is acknowledged: replicated and synced to disk.',
      () => [{ labels: {}, durations: lanes.appends }],
    ),
    durationMetric(
      'potstream_gateway_lane_gap_seconds',
      'How long lanes went without an owner: silences between two heartbeats of 0.6 s and more.',
      () => [{ labels: {}, durations: lanes.gaps }],
    ),
  ];
  for (const metric of durations) registry.registerMetric(metric as unknown as Metric);
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('potstream_gateway_feed_sockets', 'Websocket connections passed to the fan-out.', server.feedSockets);
  gauge(
    'potstream_gateway_connections',
    'Open connections for requests: no feeds and no contribution streams.',
    server.movableConnections,
  );
  gauge('potstream_gateway_contribution_streams', 'Contribution streams that are open.', server.openStreams);
  new Counter({
    name: 'potstream_gateway_streamed_lines_total',
    help: 'Lines of contribution streams that were answered.',
    labelNames: ['answer'],
    registers,
    collect() {
      this.reset();
      this.inc({ answer: 'result' }, streamedLines.results);
      this.inc({ answer: 'error' }, streamedLines.errors);
    },
  });
  gauge(
    'potstream_gateway_audit_trail_faults',
    'Messages of the audit trail that are missing, or faults of its chain, whichever are more.',
    trailFaults,
  );
  const outstanding = new Gauge({
    name: 'potstream_gateway_lane_outstanding_commands',
    help: 'Commands of a lane that are not answered yet.',
    labelNames: ['lane'],
    registers,
  });
  const silent = new Gauge({
    name: 'potstream_gateway_lane_silent_seconds',
    help: 'For how long the owner of a lane has not been heard.',
    labelNames: ['lane'],
    registers,
  });
  new Gauge({
    name: 'potstream_gateway_lane_lag_seconds',
    help: 'Age of the oldest stored batch of this gateway without an outcome record.',
    labelNames: ['lane'],
    registers,
    collect() {
      for (const [lane, status] of lanes.status().entries()) {
        outstanding.set({ lane: String(lane) }, status.outstanding);
        silent.set({ lane: String(lane) }, status.silentMs / 1000);
        this.set({ lane: String(lane) }, status.lagMs / 1000);
      }
    },
  });
  return registry;
}
