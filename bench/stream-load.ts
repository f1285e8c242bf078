/**
 * The load generator of the row `stream`, a process of its own: long requests with lines of contributions,
 * written as fast as the server takes them, while its results are counted. A line is made once; only digits
 * in it are new.
 * Reads one JSON plan from standard input, writes one JSON report to standard output.
 */
import { connect, type Socket } from 'node:net';

export interface StreamPlan {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * With its line feed. `@@@@@@@@@@@@` in it is replaced by a number of the same length, new for each line,
   * `######` by one of a player.
   */
  readonly line: string;
  readonly players: number;
  readonly streams: number;
  readonly durationMs: number;
  readonly warmupMs: number;
}

export interface StreamReport {
  readonly results: number;
  readonly perSecond: number;
  readonly errors: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

const linesPerChunk = 128;
const readBytes = 256 * 1024;
const keyMark = '@@@@@@@@@@@@';
const playerMark = '######';
const zero = 0x30;
/** Prime to the number of players: each comes as often as the others. */
const playerStep = 7_919;

/** A chunk of lines whose digits are written in place. */
class LineChunk {
  readonly #bytes: Buffer;
  readonly #keys: number[] = [];
  readonly #players: number[] = [];
  readonly #head: string;

  constructor(line: string) {
    const body = Buffer.from(line.repeat(linesPerChunk));
    for (let at = body.indexOf(keyMark); at >= 0; at = body.indexOf(keyMark, at + 1)) this.#keys.push(at);
    for (let at = body.indexOf(playerMark); at >= 0; at = body.indexOf(playerMark, at + 1))
      this.#players.push(at);
    this.#head = `${body.length.toString(16)}\r\n`;
    this.#bytes = Buffer.concat([Buffer.from(this.#head), body, Buffer.from('\r\n')]);
  }

  /** The next lines, in bytes of their own: the socket keeps them for a while. */
  make(from: number, players: number): Buffer {
    const bytes = Buffer.from(this.#bytes);
    const keysPerLine = this.#keys.length / linesPerChunk;
    const start = this.#head.length;
    for (const [index, at] of this.#keys.entries())
      digits(bytes, start + at, keyMark.length, from + Math.floor(index / keysPerLine));
    for (const [index, at] of this.#players.entries())
      digits(bytes, start + at, playerMark.length, ((from + index) * playerStep) % players);
    return bytes;
  }
}

function digits(bytes: Buffer, at: number, length: number, value: number): void {
  let rest = value;
  for (let place = at + length - 1; place >= at; place -= 1) {
    bytes[place] = zero + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

const closingBrace = 0x7d;
const lineFeed = 0x0a;

/**
 * Counts the results in the bytes of an answer: a result ends in a brace and a line feed, the framing of HTTP
 * in a carriage return and one.
 */
class ResultCounter {
  results = 0;
  errors = 0;
  #previous = 0;

  count(bytes: Buffer): void {
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1))
      if ((at === 0 ? this.#previous : bytes[at - 1]) === closingBrace) this.results += 1;
    this.#previous = bytes[bytes.length - 1] as number;
    for (let at = bytes.indexOf('"error"'); at >= 0; at = bytes.indexOf('"error"', at + 1)) this.errors += 1;
  }
}

/** A stream that is refused would be measured as one without results. */
function checkAccepted(answer: string): void {
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`a stream was refused: ${answer}`);
}

async function run(plan: StreamPlan): Promise<StreamReport> {
  const chunk = new LineChunk(plan.line);
  const headers = Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head =
    `POST ${plan.path} HTTP/1.1\r\nHost: ${plan.host}:${plan.port}\r\nContent-Type: application/x-ndjson\r\n` +
    `Transfer-Encoding: chunked\r\n${headers.join('')}\r\n`;
  let key = Math.floor(performance.timeOrigin % 1e6) * 1e6;
  const counters: ResultCounter[] = [];
  let lost = 0;
  const sockets: Socket[] = [];
  for (let opened = 0; opened < plan.streams; opened += 1) {
    const bytes = Buffer.allocUnsafe(readBytes);
    const counter = new ResultCounter();
    counters.push(counter);
    let isAccepted = false;
    const socket = connect({
      port: plan.port,
      host: plan.host,
      noDelay: true,
      onread: {
        buffer: bytes,
        callback: (count) => {
          if (!isAccepted) checkAccepted(bytes.toString('latin1', 0, count));
          isAccepted = true;
          counter.count(bytes.subarray(0, count));
          return true;
        },
      },
    });
    socket.on('error', () => {
      lost += 1;
    });
    const send = (): void => {
      do {
        key += linesPerChunk;
      } while (socket.write(chunk.make(key, plan.players)));
    };
    socket.on('drain', send);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(head);
    sockets.push(socket);
    send();
  }
  await new Promise((resolve) => setTimeout(resolve, plan.warmupMs));
  const began = performance.now();
  const cpu = process.cpuUsage();
  const resultsOf = () => counters.reduce((sum, { results }) => sum + results, 0);
  const before = resultsOf();
  await new Promise((resolve) => setTimeout(resolve, plan.durationMs));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const counted = resultsOf() - before;
  const errors = counters.reduce((sum, each) => sum + each.errors, lost);
  for (const socket of sockets) socket.destroy();
  return {
    results: counted,
    perSecond: counted / seconds,
    errors,
    cpuSeconds: (user + system) / 1e6,
    wallSeconds: seconds,
  };
}

let input = '';
process.stdin.setEncoding('utf8');
for await (const part of process.stdin) input += part;
process.stdout.write(JSON.stringify(await run(JSON.parse(input) as StreamPlan)));
process.exit(0);
