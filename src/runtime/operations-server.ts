import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LaneReport } from '../contracts/lanes/lane-report.ts';
import { isLoopbackAddress, isLoopbackAuthority } from '../lib/loopback.ts';

const requestTimeoutMs = 5000;
/** Longer than scrapers keep idle connections: a request that meets a closing connection is lost. */
const keepAliveTimeoutMs = 65_000;
const prometheusTextType = 'text/plain; version=0.0.4; charset=utf-8';

/** null if all is well, otherwise one word why not. */
type Probe = () => string | null | Promise<string | null>;

export type OperationsProbes = {
  /** Whether the event loop turns. Most roles omit it: an answer proves it. */
  readonly livez?: Probe;
  /** Whether traffic may come: NATS is up, lanes have caught up. */
  readonly readyz: Probe;
  /** The condition of each lane. One that does not serve shows in /readyz as `degraded`. */
  readonly lanes?: () => readonly LaneReport[] | Promise<readonly LaneReport[]>;
  /** Things that a person should look at although the role is ready; a line each. */
  readonly details?: () => readonly string[];
  /** The metrics of this process in Prometheus' text format. */
  readonly metrics: () => string | Promise<string>;
};

export type OperationsServer = { readonly port: number; stop(): Promise<void> };

/**
 * Serves GET /livez, /readyz and /metrics (docs/rules/operating.md "Probes"). Port 0 takes any free port.
 * On loopback a page of another site, whose name resolves there, gets 421.
 * @throws Error if the port is taken
 */
export async function startOperationsServer(
  probes: OperationsProbes,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<OperationsServer> {
  const isOwn = isLoopbackAddress(host);
  const server = createServer((request, response) => {
    const { host: asked } = request.headers;
    if (isOwn && asked !== undefined && !isLoopbackAuthority(asked))
      return send(response, 421, '{"status":"misdirected_request"}');
    answer(probes, request.method ?? '', request.url ?? '', response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, JSON.stringify({ status: 'error', reason: String(error) }));
    });
  });
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveTimeoutMs;
  await listen(server, host, port);
  return { port: (server.address() as AddressInfo).port, stop: () => close(server) };
}

async function answer(
  probes: OperationsProbes,
  method: string,
  url: string,
  response: ServerResponse,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return send(response, 405, '{"status":"method_not_allowed"}');
  const path = url.split('?', 1)[0];
  if (path === '/livez') return sendProbe(response, await (probes.livez ?? (() => null))());
  if (path === '/readyz') return sendReadiness(response, probes);
  if (path === '/metrics') return send(response, 200, await probes.metrics(), prometheusTextType);
  send(response, 404, '{"status":"not_found"}');
}

/** 200 `ok`; 200 `degraded` with the lanes that do not serve; or 503 with the reason. */
async function sendReadiness(response: ServerResponse, probes: OperationsProbes): Promise<void> {
  const reason = await probes.readyz();
  const lanes = (await (probes.lanes ?? (() => []))()).filter(({ condition }) => condition !== 'serving');
  const details = probes.details?.() ?? [];
  sendProbe(response, reason, {
    ...(lanes.length === 0 ? {} : { lanes }),
    ...(details.length === 0 ? {} : { details }),
  });
}

function sendProbe(
  response: ServerResponse,
  reason: string | null,
  more: { readonly lanes?: readonly LaneReport[]; readonly details?: readonly string[] } = {},
): void {
  const status = more.lanes === undefined ? 'ok' : 'degraded';
  if (reason === null) send(response, 200, JSON.stringify({ status, ...more }));
  else send(response, 503, JSON.stringify({ status: 'unavailable', reason, ...more }));
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  contentType = 'application/json',
): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
