import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestReceiver {
  readonly origin: string;
  readonly received: readonly Received[];
  /** What it answers from now on. */
  answer: (request: Received, response: ServerResponse) => void;
  /** Connections that it has accepted. */
  readonly connections: number;
  /** Requests that are not answered yet, and the most of them at a time. */
  readonly mostAtOnce: number;
  until(count: number): Promise<void>;
  stop(): Promise<void>;
}

const patienceMs = 120_000;

/** A receiver of webhooks on loopback: 204 to everything, unless a test says otherwise. */
export async function startReceiver(): Promise<TestReceiver> {
  const received: Received[] = [];
  const counts = { connections: 0, open: 0, most: 0 };
  const server = createServer((request, response) => {
    counts.open += 1;
    counts.most = Math.max(counts.most, counts.open);
    response.once('close', () => {
      counts.open -= 1;
    });
    bodyOf(request).then(
      (body) => {
        const whole = { path: request.url ?? '', headers: request.headers, body };
        received.push(whole);
        receiver.answer(whole, response);
      },
      () => response.destroy(),
    );
  });
  server.on('connection', () => {
    counts.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: TestReceiver = {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer: (_, response) => void response.writeHead(204).end(),
    get connections() {
      return counts.connections;
    },
    get mostAtOnce() {
      return counts.most;
    },
    until: (count) => eventually(() => received.length >= count, `${count} requests`),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = patienceMs,
): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error(`${what}: did not happen`);
    await delay(10);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
