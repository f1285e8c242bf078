/**
 * The load generator, a process of its own: keep-alive HTTP/1.1 connections over plain sockets, one request
 * in flight on each. Closed loop (rate 0) or open loop: requests are due at fixed times, and latency counts
 * from when one was due, so that a stall is not hidden by the requests that it held back.
 * Reads one JSON plan from standard input, writes one JSON report to standard output.
 */
import { connect, type Socket } from 'node:net';
import { serverAuthorization } from '../src/wallet/client/signature.ts';
import { type LatencyTimeline, type TimelinePlan, TimelineRecorder } from './lib/latency-timeline.ts';
import { percentile } from './lib/statistics.ts';

export interface LoadPlan {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** POSTs go to these in turn instead. */
  readonly paths?: readonly string[];
  /** Default POST. A GET has no body. */
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /**
   * `@@@@@@@@@@@@` in it is replaced by a number of the same length, new for each request, `######` by one of
   * a player.
   */
  readonly body: string;
  /** The numbers follow each other in no order, as identifiers that are hashes do. Default: they count up. */
  readonly isScattered?: boolean;
  /**
   * `@@@@` in the path of a GET is replaced by a number below this, in turn; of those in bodies each comes as
   * often as the others.
   */
  readonly players?: number;
  readonly connections: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  /** What connections carry before the load, each one of these in turn: whole requests. */
  readonly firsts?: readonly string[];
  /** Bodies are signed with it, as wallets expect. */
  readonly hmacSecret?: string;
  /** Requests a second in all; 0: as fast as answers come. */
  readonly rate: number;
  /** The report has a time line of the answers. */
  readonly timeline?: TimelinePlan;
}

export interface LoadReport {
  readonly requests: number;
  readonly perSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly timeline?: LatencyTimeline;
}

const readBytes = 65_536;
const mark = '@@@@@@@@@@@@';
const playerMark = '@@@@';
const bodyPlayerMark = '######';
/** Prime to the number of players. */
const playerStep = 7_919;
/** Latencies that a closed loop keeps; an open loop keeps all. */
const maxLatencies = 4_000_000;
const numbers = 1_000_000_000_000n;
/** Prime to `numbers`: no number comes twice. */
const scatterFactor = 618_033_988_749n;

class Connection {
  readonly socket: Socket;
  busy = false;
  isOver = false;
  /** The server ends it with the last answer. */
  isEnding = false;
  dueAt = 0;
  private pending = '';
  private carried: (() => void) | null = null;

  constructor(
    plan: LoadPlan,
    answered: (connection: Connection, status: number) => void,
    failed: () => void,
  ) {
    const bytes = Buffer.allocUnsafe(readBytes);
    this.socket = connect({
      port: plan.port,
      host: plan.host,
      noDelay: true,
      // One buffer for all that it reads, and no stream: what the generator needs of the processor the
      // servers lack.
      onread: {
        buffer: bytes,
        callback: (count) => {
          const chunk = bytes.toString('latin1', 0, count);
          this.pending = this.pending === '' ? chunk : this.pending + chunk;
          const length = answerLength(this.pending);
          if (length < 0 || this.pending.length < length) return true;
          const status = Number(this.pending.slice(9, 12));
          this.isEnding = this.pending.lastIndexOf('\r\nConnection: close', length) >= 0;
          this.pending = this.pending.slice(length);
          const { carried } = this;
          this.carried = null;
          // One that was never asked on is told 408 after a while.
          if (carried !== null) carried();
          else if (this.busy) answered(this, status);
          else this.isOver = true;
          return true;
        },
      },
    });
    this.socket.on('error', failed);
  }

  /** Something else than the load, whatever its answer: at once, not all log-ins are admitted. */
  carry(request: string): Promise<void> {
    this.socket.write(request, 'latin1');
    return new Promise((resolve) => {
      this.carried = resolve;
    });
  }
}

/** Length of a complete answer in `text`, −1 while its header is incomplete. */
function answerLength(text: string): number {
  const headerEnd = text.indexOf('\r\n\r\n');
  if (headerEnd < 0) return -1;
  let at = text.indexOf('Content-Length:');
  if (at < 0 || at > headerEnd) at = text.indexOf('content-length:');
  if (at < 0 || at > headerEnd) return headerEnd + 4;
  return headerEnd + 4 + Number.parseInt(text.slice(at + 15, headerEnd), 10);
}

async function run(plan: LoadPlan): Promise<LoadReport> {
  const headerLines = Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const getHead = `Host: ${plan.host}:${plan.port}\r\n${headerLines.join('')}\r\n`;
  const [pathBefore = '', pathAfter = ''] = plan.path.split(playerMark);
  const nextGet = (): string => {
    const player = String(counter % (plan.players ?? 1)).padStart(playerMark.length, '0');
    const path = plan.path.includes(playerMark) ? `${pathBefore}${player}${pathAfter}` : plan.path;
    return `GET ${path} HTTP/1.1\r\n${getHead}`;
  };
  const headOf = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: ${plan.host}:${plan.port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(plan.body)}\r\n${headerLines.join('')}\r\n`;
  const parts = plan.body.split(mark);
  let counter = Math.floor(performance.timeOrigin % 1e6) * 1e6;
  const { hmacSecret } = plan;
  const starts = (plan.paths ?? [plan.path]).map((path) =>
    hmacSecret === undefined ? headOf(path) : headOf(path).slice(0, -2),
  );
  const withPlayer = (body: string): string => {
    if (plan.players === undefined) return body;
    const player = (counter * playerStep) % plan.players;
    return body.replaceAll(bodyPlayerMark, String(player).padStart(bodyPlayerMark.length, '0'));
  };
  const nextRequest = (): string => {
    counter += 1;
    if (plan.method === 'GET') return nextGet();
    const number = plan.isScattered ? (BigInt(counter) * scatterFactor) % numbers : counter;
    const body = withPlayer(parts.join(String(number).padStart(mark.length, '0')));
    const start = starts[counter % starts.length] as string;
    if (hmacSecret === undefined) return start + body;
    return `${start}X-Server-Authorization: ${serverAuthorization(hmacSecret, Buffer.from(body))}\r\n\r\n${body}`;
  };

  const started = performance.now();
  const measureFrom = started + plan.warmupMs;
  const end = measureFrom + plan.durationMs;
  const answers = Math.max(maxLatencies, Math.ceil((plan.rate * (plan.durationMs + plan.warmupMs)) / 1000));
  const latencies = new Float64Array(answers);
  const timeline =
    plan.timeline === undefined
      ? null
      : new TimelineRecorder(plan.timeline, performance.timeOrigin, measureFrom, answers);
  const statuses: Record<string, number> = {};
  let measured = 0;
  let failures = 0;
  let cpuAtStart = process.cpuUsage();
  let cpuTaken = false;
  const connections: Connection[] = [];
  const idle: Connection[] = [];
  const due: number[] = [];
  let dueHead = 0;

  const send = (connection: Connection, dueAt: number): void => {
    connection.busy = true;
    connection.dueAt = dueAt;
    connection.socket.write(nextRequest(), 'latin1');
  };
  const answered = (connection: Connection, status: number): void => {
    const now = performance.now();
    if (now >= measureFrom && now < end) {
      if (!cpuTaken) {
        cpuAtStart = process.cpuUsage();
        cpuTaken = true;
      }
      if (measured < latencies.length) latencies[measured] = now - connection.dueAt;
      timeline?.add(connection.dueAt, now);
      measured += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    if (now >= end) return;
    if (!connection.isEnding) {
      goOn(connection, now);
      return;
    }
    connection.isOver = true;
    open().then(
      (fresh) => goOn(fresh, performance.now()),
      () => {},
    );
  };
  const goOn = (connection: Connection, now: number): void => {
    if (plan.rate === 0) send(connection, now);
    else if (dueHead < due.length) send(connection, due[dueHead++] as number);
    else {
      connection.busy = false;
      idle.push(connection);
    }
  };

  /**
   * A gateway with more connections than its siblings ends some with their answers: they are opened anew.
   */
  const open = (): Promise<Connection> => {
    const connection = new Connection(plan, answered, () => {
      failures += 1;
    });
    connections.push(connection);
    return new Promise((resolve, reject) => {
      connection.socket.once('connect', () => resolve(connection));
      connection.socket.once('error', reject);
    });
  };
  await Promise.all(Array.from({ length: plan.connections }, open));

  const { firsts = [] } = plan;
  if (firsts.length > 0)
    await Promise.all(
      connections.map((connection, index) => connection.carry(firsts[index % firsts.length] as string)),
    );
  if (plan.rate === 0) {
    for (const connection of connections) send(connection, performance.now());
    await new Promise((resolve) => setTimeout(resolve, end - performance.now()));
  } else {
    idle.push(...connections);
    const interval = 1000 / plan.rate;
    let nextDue = performance.now();
    while (performance.now() < end) {
      const now = performance.now();
      for (; nextDue <= now; nextDue += interval) {
        let connection = idle.pop();
        while (connection?.isOver) connection = idle.pop();
        if (connection) send(connection, nextDue);
        else due.push(nextDue);
      }
      if (dueHead > 100_000) {
        due.splice(0, dueHead);
        dueHead = 0;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const cpu = process.cpuUsage(cpuAtStart);
  for (const connection of connections) connection.socket.destroy();
  const sorted = latencies.subarray(0, Math.min(measured, latencies.length)).sort();
  return {
    requests: measured,
    perSecond: measured / (plan.durationMs / 1000),
    statuses,
    failures,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    p999Ms: percentile(sorted, 0.999),
    maxMs: sorted[sorted.length - 1] ?? 0,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    wallSeconds: plan.durationMs / 1000,
    ...(timeline === null ? {} : { timeline: timeline.report() }),
  };
}

let input = '';
process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) input += chunk;
process.stdout.write(JSON.stringify(await run(JSON.parse(input) as LoadPlan)));
process.exit(0);
