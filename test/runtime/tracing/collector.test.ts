import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Tracer, tracer } from '../../../src/lib/tracing.ts';
import { maxWaitingSpans } from '../../../src/runtime/tracing/bounded-spans.ts';
import { otlpTracing } from '../../../src/runtime/tracing/otlp.ts';
import { startTracing } from '../../../src/runtime/tracing/tracing.ts';
import { startCollector } from '../../support/collector.ts';

const common = {
  timeoutMs: 100,
  headers: {},
  serviceName: null,
  resource: { zone: 'a' },
  isParentBased: true,
  ratio: 1,
};

function makeSpans(of: Tracer, count: number): void {
  for (let made = 0; made < count; made += 1)
    of.begin('store command', { kind: 'producer', parent: null }).end();
}

async function silentServer(): Promise<Server> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

it('spans arrive with their parents, times and attributes', async () => {
  const collector = await startCollector();
  const {
    tracer: traced,
    counts,
    stop,
  } = otlpTracing('gateway', { ...common, timeoutMs: 5_000, url: collector.url });
  const parent = traced.begin('POST /x', { kind: 'server', parent: null });
  const child = traced.begin('store command', {
    kind: 'producer',
    parent,
    attributes: { 'potstream.lane': 3 },
    beganMs: performance.now() - 5,
  });
  child.end({ 'potstream.sequence': 7 });
  parent.end({ 'http.response.status_code': 503 }, true);
  await stop();
  const { traceId, spanId } = parent;
  expect(collector.spans).toMatchObject([
    {
      ...{ service: 'potstream-gateway', name: 'store command', traceId, parentSpanId: spanId },
      attributes: { 'potstream.lane': 3, 'potstream.sequence': 7 },
    },
    { name: 'POST /x', traceId, spanId, parentSpanId: '' },
  ]);
  expect(counts).toMatchObject({ exported: 2, failed: 0, dropped: 0 });
  await collector.stop();
});

it('a collector that does not answer costs a bounded queue, and every span is counted', async () => {
  const server = await silentServer();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { tracer: traced, counts, stop } = otlpTracing('gateway', { ...common, url });
  const made = 3 * maxWaitingSpans;
  makeSpans(traced, made);
  expect(counts.dropped).toBe(made - maxWaitingSpans);
  await stop();
  expect(counts.exported).toBe(0);
  expect(counts.dropped + counts.failed).toBeLessThanOrEqual(made);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('a collector that is not there fails, and shows in the metrics', async () => {
  const server = await silentServer();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  const { tracer: traced, counts, stop } = otlpTracing('gateway', { ...common, url });
  makeSpans(traced, 10);
  await stop();
  expect(counts).toMatchObject({ exported: 0, dropped: 0 });
});

it('without a target nothing is traced', async () => {
  const tracing = await startTracing('gateway', null, { debug() {}, isLevelEnabled: () => true });
  expect(tracer).toBeNull();
  expect(tracing.metrics()).toContain('potstream_trace_spans_total{result="exported"} 0');
  await tracing.stop();
});

it('nothing loads the SDK but the module that is loaded for a target', () => {
  const files = ['src', 'tools']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts'));
  const importing = (what: RegExp) => files.filter((file) => what.test(readFileSync(file, 'utf8')));
  expect(importing(/^import (?!type).*'@opentelemetry\//m)).toEqual(['src/runtime/tracing/otlp.ts']);
  expect(importing(/from '[^']*\/otlp\.ts'/)).toEqual([]);
  expect(importing(/await import\('\.\/otlp\.ts'\)/)).toEqual(['src/runtime/tracing/tracing.ts']);
});
