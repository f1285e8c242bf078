import { freeBytesOf } from '../files/free-space.ts';
import { refusedConnections } from '../lib/refused-connections.ts';

/** Gauges of every role, in Prometheus' text format. */
export function processMetrics(dataDirectory: string): string {
  const freeBytes = freeBytesOf(dataDirectory);
  return [
    '# HELP potstream_nats_refused_connections Connections that nats-server refuses because of their credentials.',
    '# TYPE potstream_nats_refused_connections gauge',
    `potstream_nats_refused_connections ${refusedConnections()}`,
    '# HELP potstream_data_free_bytes Room on the disk of the data directory.',
    '# TYPE potstream_data_free_bytes gauge',
    ...(freeBytes === null ? [] : [`potstream_data_free_bytes ${freeBytes}`]),
    '',
  ].join('\n');
}
