import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `deliver`: as it is. `lose request`: the connection ends before Potstream sees it. `lose answer`: it ends after
 * Potstream has answered. `bad gateway`: the same, with an answer of the proxy. `busy`: 503 in Potstream's shape.
 */
export type Fate = 'deliver' | 'lose request' | 'lose answer' | 'bad gateway' | 'busy';

export interface LossyProxy {
  readonly baseUrl: string;
  /** Fates of contributions so far. */
  readonly fates: Fate[];
  stop(): Promise<void>;
}

/** A proxy before Potstream; `fateOf` decides about each contribution, all else is delivered. */
export async function startLossyProxy(upstream: string, fateOf: () => Fate): Promise<LossyProxy> {
  const fates: Fate[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '' } = request;
    const fate = url.endsWith('/contributions') ? fateOf() : 'deliver';
    if (url.endsWith('/contributions')) fates.push(fate);
    if (fate === 'lose request') return response.socket?.resetAndDestroy();
    if (fate === 'busy') return busy(response);
    const headers = { ...(request.headers as Record<string, string>) };
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])
      delete headers[name];
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const answer = await fetch(upstream + url, { method, headers, ...body });
    const text = await answer.text();
    if (fate === 'lose answer') return response.socket?.resetAndDestroy();
    if (fate === 'bad gateway')
      return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502</h1>');
    const kept = [...answer.headers].filter(
      ([name]) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name),
    );
    response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fates,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function busy(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' });
  response.end('{"status_code":503,"code":"overloaded","message":"The service is overloaded."}');
}
