import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The process that answered, by the beginning of the request's id. */
  readonly gateway: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
  readonly json: any;
}

export interface Question {
  readonly body?: unknown;
  readonly token?: string | undefined;
  /** Default: a connection of its own. */
  readonly agent?: Agent | undefined;
}

/** One request over Node's client. Rejects where the connection ends without an answer. */
export function ask(
  port: number,
  method: string,
  path: string,
  { body, token, agent }: Question = {},
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: agent ?? false,
        headers: {
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          received += chunk;
        });
        response.once('error', reject).once('end', () => {
          const id = String(response.headers['x-request-id'] ?? '');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            gateway: id.slice(0, id.lastIndexOf('-')),
            json: received === '' ? null : JSON.parse(received),
          });
        });
      },
    );
    asked.once('error', reject);
    asked.end(text);
  });
}

export interface LoadResult {
  readonly sent: number;
  /** Of these, requests without an answer or with a 5xx that were sent a second time. */
  readonly retried: number;
  /** Of these, the ones that failed again. */
  readonly failed: number;
  /** Of the last tries; a 204 after a retry says that the first try had counted. */
  readonly statuses: readonly number[];
  readonly gateways: ReadonlySet<string>;
}

/** A quiet load costs the machine little, and has a request under way on some connection nearly always. */
const pauseMs = 40;
/** What a client waits before its one retry. */
const retryAfterMs = 50;

/** Contributions over a pool of keep-alive connections, one under way on each, repeated once at most. */
export class KeepAliveLoad {
  readonly #plan: LoadPlan;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
  }

  start(name: string): { answered(count: number): Promise<void>; stop(): Promise<LoadResult> } {
    const { connections, bodyOf, port, path, token } = this.#plan;
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const gateways = new Set<string>();
    const statuses = new Set<number>();
    const counts = { sent: 0, retried: 0, failed: 0 };
    let running = true;
    const send = async (key: string): Promise<Answer | null> => {
      const answer = await ask(port, 'POST', path, { body: bodyOf(key), token, agent }).catch(() => null);
      return answer === null || answer.status >= 500 ? null : answer;
    };
    const callers = Array.from({ length: connections }, async (_, caller) => {
      for (let n = 0; running; n += 1) {
        const key = `${name}-${caller}-${n}`;
        let answer = await send(key);
        if (answer === null) {
          counts.retried += 1;
          await pause(retryAfterMs);
          answer = await send(key);
          if (answer !== null) statuses.add(answer.status === 204 ? 200 : answer.status);
        } else statuses.add(answer.status);
        counts.sent += 1;
        if (answer === null) counts.failed += 1;
        else gateways.add(answer.gateway);
        await pause(pauseMs);
      }
    });
    return {
      async answered(count) {
        while (counts.sent < count) await pause(pauseMs);
      },
      async stop() {
        running = false;
        await Promise.all(callers);
        agent.destroy();
        return { ...counts, gateways, statuses: [...statuses] };
      },
    };
  }
}

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly connections: number;
  readonly bodyOf: (key: string) => unknown;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
