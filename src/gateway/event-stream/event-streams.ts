import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebSocket } from 'ws';
import { addressToReach } from '../../lib/loopback.ts';
import type { Clock } from '../../ports.ts';
import { isErrorCode, PublicError } from '../base/errors.ts';
import { leaveInSlices } from '../http/hand-over.ts';
import type { Places } from '../http/places.ts';
import { beginEvents } from './head.ts';
import { eventStreamLimits as limits } from './limits.ts';
import { StreamPosition } from './position.ts';

interface EventStreamsPorts {
  readonly fanoutHost: string;
  readonly fanoutPort: number;
  /** 0 to 1. */
  readonly chance: () => number;
}

/** What a stream shows. */
export interface EventStreamTarget {
  /** That of the public feed's websocket, with its query. */
  readonly path: string;
  /** null: all that the brand shows. */
  readonly instances: readonly string[] | null;
}

const eventTypes = ['JackpotUpdate', 'WinEvent', 'RaffleWinEvent', 'InstanceStatusEvent'];
/** The head of a frame; in a text its quotes would be escaped. */
const headPattern =
  /^\{"msg_type":"Event","source":"jackpot","event_type":"([A-Za-z]+)".*?"instance_id":"([A-Za-z0-9_-]+)","seq":(\d+),/;
const eventSequencePattern = /"event_seq":(\d+)/;

/**
 * The public feed as Server-Sent Events: each stream is a websocket of the fan-out, and has its limits,
 * recovery and back-pressure.
 */
export class EventStreams {
  readonly #ports: EventStreamsPorts;
  readonly #open = new Set<EventStream>();
  readonly #comments: NodeJS.Timeout;
  #isDraining = false;

  constructor(ports: EventStreamsPorts) {
    this.#ports = ports;
    this.#comments = setInterval(() => {
      for (const stream of this.#open) stream.comment();
    }, limits.commentMs);
    this.#comments.unref();
  }

  get open(): number {
    return this.#open.size;
  }

  /** Answers the request for as long as the stream lasts. Rejects where there is none. @throws PublicError */
  async begin(
    target: EventStreamTarget,
    { request, response, address }: Asked,
    places: Places,
  ): Promise<void> {
    if (this.#isDraining) throw new PublicError('shutting_down');
    const refusal = places.take(address);
    if (refusal !== null) throw refusal;
    let isReleased = false;
    const release = (): void => {
      if (!isReleased) places.release(address);
      isReleased = true;
    };
    response.once('close', release);
    try {
      const socket = await this.#connect(target.path, address);
      if (response.destroyed || this.#isDraining) {
        socket.terminate();
        throw new PublicError('shutting_down');
      }
      const position = StreamPosition.read(lastEventIdOf(request));
      const stream = new EventStream(request, response, socket, position);
      this.#open.add(stream);
      response.once('close', () => this.#open.delete(stream));
      stream.begin(target.instances, this.#ports.chance());
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Every stream gets a close that says to come back, where another gateway takes it. */
  async leave(clock: Clock): Promise<void> {
    this.#isDraining = true;
    await leaveInSlices(this.#open, (stream) => stream.end(1001, 'shutdown'), clock);
  }

  /** The same at once. */
  drain(): void {
    this.#isDraining = true;
    clearInterval(this.#comments);
    for (const stream of [...this.#open]) stream.end(1001, 'shutdown');
  }

  #connect(path: string, address: string): Promise<WebSocket> {
    const { fanoutHost, fanoutPort } = this.#ports;
    const socket = new WebSocket(`ws://${hostOf(fanoutHost)}:${fanoutPort}${path}`, {
      headers: { 'X-Forwarded-For': address },
      perMessageDeflate: false,
      maxPayload: limits.frameBytes,
      handshakeTimeout: limits.connectMs,
      followRedirects: false,
    });
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(socket));
      socket.on('unexpected-response', (_request, answer) => {
        refusalOf(answer).then(reject, reject);
        socket.on('error', () => {});
      });
      // Later ones are of a stream, which hears of its end.
      socket.on('error', () => reject(new PublicError('overloaded')));
    });
  }
}

export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly address: string;
}

/** One request that is being answered. */
class EventStream {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #socket: WebSocket;
  readonly #position: StreamPosition;
  #isBlocked = false;
  #isEnded = false;
  #idTimer: NodeJS.Timeout | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    socket: WebSocket,
    position: StreamPosition,
  ) {
    this.#request = request;
    this.#response = response;
    this.#socket = socket;
    this.#position = position;
  }

  begin(instances: readonly string[] | null, chance: number): void {
    const response = this.#response;
    const socket = this.#socket;
    const beginning = beginEvents(this.#request, response, chance);
    response.on('drain', () => {
      this.#isBlocked = false;
      socket.resume();
    });
    response.on('close', () => {
      this.#isEnded = true;
      if (this.#idTimer !== null) clearTimeout(this.#idTimer);
      socket.terminate();
    });
    socket.on('message', (bytes: Buffer) => this.#event(bytes.toString('utf8')));
    socket.on('close', (code, reason) => this.end(code, reason.toString('utf8')));
    this.#write(beginning);
    const since = this.#position.since();
    const narrowed = instances === null ? {} : { instance_ids: instances };
    const events = eventTypes.map((event_type) => ({ source: 'jackpot', event_type, ...narrowed }));
    // `since` counts for all of them.
    const [first, ...others] = events;
    socket.send(JSON.stringify({ SubscribeRequest: { events: [{ ...first, since }, ...others] } }));
  }

  comment(): void {
    if (!this.#isBlocked) this.#write(':\n\n');
  }

  end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#write(`event: close\ndata: ${JSON.stringify({ code, reason })}\n\n`);
    this.#isEnded = true;
    this.#response.end();
  }

  #event(frame: string): void {
    const [, type, instance = '', sequence] = headPattern.exec(frame) ?? [];
    if (type === undefined) return;
    if (type === 'JackpotUpdate') {
      const counter = eventSequencePattern.exec(frame)?.[1];
      if (counter !== undefined && this.#position.begins(instance, Number(counter))) this.#idLater();
      this.#write(`event: ${type}\ndata: ${frame}\n\n`);
      return;
    }
    this.#position.moved(instance, Number(sequence));
    this.#write(`id: ${this.#position.id()}\nevent: ${type}\ndata: ${frame}\n\n`);
  }

  /** An id without data is no event: the client only keeps it. */
  #idLater(): void {
    this.#idTimer ??= setTimeout(() => {
      this.#idTimer = null;
      this.#write(`id: ${this.#position.id()}\n\n`);
    }, limits.idMs);
  }

  /** While the client does not read, the fan-out's websocket is not read either: it sees a slow socket. */
  #write(text: string): void {
    if (this.#isEnded || this.#response.write(text)) return;
    this.#isBlocked = true;
    this.#socket.pause();
  }
}

function lastEventIdOf({ headers }: IncomingMessage): string | undefined {
  const value = headers['last-event-id'];
  return typeof value === 'string' ? value : undefined;
}

function hostOf(host: string): string {
  const reached = addressToReach(host);
  return reached.includes(':') ? `[${reached}]` : reached;
}

/** The fan-out's answer as ours. */
async function refusalOf(answer: IncomingMessage): Promise<PublicError> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limits.refusalBytes) break;
    chunks.push(chunk);
  }
  const code = codeOf(Buffer.concat(chunks).toString('utf8'));
  const retryAfterSeconds = Number(answer.headers['retry-after'] ?? Number.NaN);
  return new PublicError(code, '', Number.isInteger(retryAfterSeconds) ? { retryAfterSeconds } : {});
}

function codeOf(body: string) {
  try {
    const { code } = JSON.parse(body) as { readonly code?: unknown };
    return typeof code === 'string' && isErrorCode(code) ? code : 'overloaded';
  } catch {
    return 'overloaded';
  }
}
