/**
 * Load by the HTTP clients that operators use, a process of its own: undici's Pool, or autocannon. Closed
 * loop, a request in flight on each connection. Takes the plan of `load.ts` and makes its report; keys are
 * UUIDs.
 * Reads one JSON plan from standard input, writes one JSON report to standard output.
 */
import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { percentile } from './lib/statistics.ts';
import type { LoadPlan, LoadReport } from './load.ts';

export interface FirstRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Empty: it has none. */
  readonly body: string;
}

export interface ClientPlan
  extends Pick<LoadPlan, 'host' | 'port' | 'path' | 'headers' | 'body' | 'connections'> {
  readonly client: 'undici' | 'autocannon';
  /** `%uuid%` in the body is a new UUID in each request, `%player%` one of this many players. */
  readonly players: number;
  /** What connections carry before their contributions, each one of these in turn, whatever the answer. */
  readonly firsts: readonly FirstRequest[];
  readonly durationMs: number;
  readonly warmupMs: number;
}

const playerDigits = 6;
/** Prime to the number of players: each comes as often as the others. */
const playerStep = 7_919;

function bodiesOf({ body, players }: ClientPlan): () => string {
  const parts = body.split(/%uuid%|%player%/);
  const marks = body.match(/%uuid%|%player%/g) ?? [];
  let counter = 0;
  return () => {
    counter += 1;
    const player = String((counter * playerStep) % players).padStart(playerDigits, '0');
    return parts.reduce(
      (text, part, index) => `${text}${marks[index - 1] === '%uuid%' ? randomUUID() : player}${part}`,
    );
  };
}

function firstOf({ firsts }: ClientPlan, index: number): FirstRequest {
  return firsts[index % firsts.length] as FirstRequest;
}

/** Answers within the time that is measured. */
class Measured {
  readonly #plan: ClientPlan;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly #latencies: number[] = [];
  readonly #statuses: Record<string, number> = {};
  failures = 0;
  #cpu: NodeJS.CpuUsage | null = null;

  constructor(plan: ClientPlan) {
    this.#plan = plan;
    this.fromMs = performance.now() + plan.warmupMs;
    this.untilMs = this.fromMs + plan.durationMs;
  }

  answered(status: number, latencyMs: number): void {
    const nowMs = performance.now();
    if (nowMs < this.fromMs || nowMs >= this.untilMs) return;
    this.#cpu ??= process.cpuUsage();
    this.#latencies.push(latencyMs);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
  }

  report(): LoadReport {
    const cpu = process.cpuUsage(this.#cpu ?? undefined);
    const sorted = Float64Array.from(this.#latencies).sort();
    return {
      requests: sorted.length,
      perSecond: sorted.length / (this.#plan.durationMs / 1_000),
      statuses: this.#statuses,
      failures: this.failures,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      p999Ms: percentile(sorted, 0.999),
      maxMs: sorted[sorted.length - 1] ?? 0,
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      wallSeconds: this.#plan.durationMs / 1_000,
    };
  }
}

async function runUndici(plan: ClientPlan): Promise<LoadReport> {
  const { host, port, path, connections } = plan;
  const pool = new Pool(`http://${host}:${port}`, { connections, pipelining: 1 });
  const headers = { ...plan.headers, 'content-type': 'application/json' };
  const nextBody = bodiesOf(plan);
  const ask = async (request: { path: string; method: 'GET' | 'POST'; body?: string }): Promise<number> => {
    const { statusCode, body } = await pool.request({ ...request, headers });
    await body.text();
    return statusCode;
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      const { method, path, body } = firstOf(plan, index);
      return ask({ method, path, ...(body === '' ? {} : { body }) });
    }),
  );
  const measured = new Measured(plan);
  const caller = async (): Promise<void> => {
    for (let beganMs = performance.now(); beganMs < measured.untilMs; beganMs = performance.now()) {
      try {
        const status = await ask({ path, method: 'POST', body: nextBody() });
        measured.answered(status, performance.now() - beganMs);
      } catch {
        measured.failures += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return measured.report();
}

async function runAutocannon(plan: ClientPlan): Promise<LoadReport> {
  const { host, port, path, connections } = plan;
  const headers = { ...plan.headers, 'content-type': 'application/json' };
  const nextBody = bodiesOf(plan);
  const measured = new Measured(plan);
  const contribution = {
    method: 'POST' as const,
    path,
    headers,
    setupRequest: (request: object) => ({ ...request, body: nextBody() }),
  };
  let clients = 0;
  let opened = 0;
  const instance = autocannon({
    url: `http://${host}:${port}`,
    connections,
    duration: (plan.warmupMs + plan.durationMs) / 1_000,
    requests: [{ ...firstOf(plan, 0), headers }],
    setupClient: (client) => {
      client.setRequests([{ ...firstOf(plan, clients), headers }]);
      clients += 1;
      client.once('response', () => {
        opened += 1;
        client.setRequests([contribution]);
      });
    },
  });
  instance.on('response', (_client, status, _bytes, latencyMs) => measured.answered(status, latencyMs));
  const { errors } = await instance;
  measured.failures += errors + (connections - opened);
  return measured.report();
}

let input = '';
process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) input += chunk;
const plan = JSON.parse(input) as ClientPlan;
process.stdout.write(JSON.stringify(await (plan.client === 'undici' ? runUndici : runAutocannon)(plan)));
process.exit(0);
