import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import { durationMetric } from '../lib/durations.ts';
import { collectNodeMetrics } from '../lib/node-metrics.ts';
import { requestDurations } from './base/request-durations.ts';
import { answersByStatus } from './http/answer.ts';
import type { LaneGateway } from './lanes/lane-gateway.ts';
import type { GatewayServer } from './routes/serve.ts';
import { streamedLines } from './stream/streamed-lines.ts';

/** The gateway's metrics. Everything is counted where it happens, in plain numbers, and read here when somebody asks. */
export function createMetrics(
  lanes: LaneGateway,
  server: GatewayServer,
  trailFaults: () => number,
): Registry {
  const registry = new Registry();
  collectNodeMetrics(registry);
  const reported = new Map<number, number>();
  new Counter({
    name: 'potstream_gateway_answers_total',
    help: 'HTTP answers by status.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      for (const [status, count] of answersByStatus) {
        this.inc({ status: String(status) }, count - (reported.get(status) ?? 0));
        reported.set(status, count);
      }
    },
  });
  const requests = Object.entries(requestDurations).map(([kind, durations]) => ({
    labels: { kind },
    durations,
  }));
  const requestMetric = durationMetric(
    'potstream_gateway_request_seconds',
    'Time from the head of an HTTP request to its answer.',
    () => requests,
  );
  const appendMetric = durationMetric(
    'potstream_gateway_append_seconds',
    'Time until a batch of commands is acknowledged: replicated and synced to disk.',
    () => [{ labels: {}, durations: lanes.appends }],
  );
  const gapMetric = durationMetric(
    'potstream_gateway_lane_gap_seconds',
    'How long lanes went without an owner: silences between two heartbeats of 0.6 s and more.',
    () => [{ labels: {}, durations: lanes.gaps }],
  );
  for (const metric of [requestMetric, appendMetric, gapMetric])
    registry.registerMetric(metric as unknown as Metric);
  new Gauge({
    name: 'potstream_gateway_feed_sockets',
    help: 'Websocket connections passed to the fan-out.',
    registers: [registry],
    collect() {
      this.set(server.feedSockets());
    },
  });
  new Gauge({
    name: 'potstream_gateway_connections',
    help: 'Open connections for requests: no feeds and no contribution streams.',
    registers: [registry],
    collect() {
      this.set(server.movableConnections());
    },
  });
  new Gauge({
    name: 'potstream_gateway_contribution_streams',
    help: 'Contribution streams that are open.',
    registers: [registry],
    collect() {
      this.set(server.openStreams());
    },
  });
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
  new Gauge({
    name: 'potstream_gateway_audit_trail_faults',
    help: 'Messages of the audit trail that are missing, or faults of its chain, whichever are more.',
    registers: [registry],
    collect() {
      this.set(trailFaults());
    },
  });
  const outstanding = new Gauge({
    name: 'potstream_gateway_lane_outstanding_commands',
    help: 'Commands of a lane that are not answered yet.',
    labelNames: ['lane'],
    registers: [registry],
  });
  const silent = new Gauge({
    name: 'potstream_gateway_lane_silent_seconds',
    help: 'For how long the owner of a lane has not been heard.',
    labelNames: ['lane'],
    registers: [registry],
  });
  new Gauge({
    name: 'potstream_gateway_lane_lag_seconds',
    help: 'Age of the oldest stored batch of this gateway without an outcome record.',
    labelNames: ['lane'],
    registers: [registry],
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
