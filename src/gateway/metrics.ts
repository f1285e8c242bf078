import { Counter, type Metric, type Registry } from 'prom-client';
import { durationMetric } from '../lib/durations.ts';
import { ProcessMetrics } from '../lib/node-metrics.ts';
import { requestDurations } from './base/request-durations.ts';
import { answersByStatus } from './http/answer.ts';
import type { LaneGateway } from './lanes/lane-gateway.ts';
import type { LaneTraffic } from './lanes/lane-health.ts';
import type { GatewayServer } from './routes/serve.ts';
import { streamedLines } from './stream/ndjson-writer.ts';

/** The gateway's metrics. They are counted where they happen, in plain numbers, and read here on request. */
export function createMetrics(
  lanes: LaneGateway,
  server: GatewayServer,
  trailFaults: () => number,
): Registry {
  const metrics = new ProcessMetrics();
  const { registry } = metrics;
  new Counter({
    name: 'potstream_gateway_answers_total',
    help: 'HTTP answers by status.',
    labelNames: ['status'],
    registers: [registry],
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
  const gauge = (name: string, help: string, read: () => number): void => {
    metrics.gauge(name, help, (each) => each.set(read()));
  };
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
    registers: [registry],
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
  const ofLanes = (name: string, help: string, read: (status: LaneTraffic) => number): void => {
    metrics.gauge(
      name,
      help,
      (each) => {
        for (const [lane, status] of lanes.status().entries()) each.set({ lane }, read(status));
      },
      ['lane'],
    );
  };
  ofLanes(
    'potstream_gateway_lane_outstanding_commands',
    'Commands of a lane that are not answered yet.',
    ({ outstanding }) => outstanding,
  );
  ofLanes(
    'potstream_gateway_lane_silent_seconds',
    'For how long the owner of a lane has not been heard.',
    ({ silentMs }) => silentMs / 1000,
  );
  ofLanes(
    'potstream_gateway_lane_lag_seconds',
    'Age of the oldest stored batch of this gateway without an outcome record.',
    ({ lagMs }) => lagMs / 1000,
  );
  return registry;
}
