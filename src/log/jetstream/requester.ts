import type { Msg, MsgHdrs } from '@nats-io/nats-core';
import { LogError } from '../../ports.ts';
import type { LogConnection } from './connection.ts';

/** More are refused: the client would keep any number in memory. */
const maxInFlight = 4_096;
const maxBytesInFlight = 64 * 1024 * 1024;

/** The subject of a request has no subscriber; for nats-server's own: its JetStream does not run. */
export class NoResponders extends LogError {
  constructor() {
    super('unavailable', 'JetStream is not answering.');
  }
}

interface Pending {
  /** Its place, and a number that is unique within it. */
  readonly token: string;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
  resolve(answer: Msg): void;
  reject(error: LogError): void;
}

/**
 * Requests with one inbox for all answers: bounded, and several times cheaper than the client's. They use an
 * array of reusable places: a Map with a thousand entries a second leaves tables that live until the next
 * full collection.
 */
export class Requester {
  readonly #connection: LogConnection;
  readonly #inbox: string;
  readonly #places: (Pending | null)[] = [];
  readonly #free: number[] = [];
  #bytesInFlight = 0;
  #counter = 0;

  /** `question`: the subject that it asks; without it, nats-server. */
  constructor(connection: LogConnection, question?: string) {
    this.#connection = connection;
    this.#inbox = connection.newInbox(question);
    connection.nats.subscribe(`${this.#inbox}.*`, {
      callback: (_error, message) => this.#answered(message),
    });
    connection.onDown(() => this.#rejectAll());
  }

  /**
   * Sends once and waits for the answer.
   * @throws LogError `unavailable`: certainly not received; `unknown`: perhaps received; `misconfigured`: too
   * large
   */
  send(subject: string, payload: Uint8Array | string, timeoutMs: number, headers?: MsgHdrs): Promise<Msg> {
    const bytes = payload.length;
    const maxBytes = this.#connection.maxBytes;
    // The client would throw after the place was taken.
    if (bytes > maxBytes) {
      const message = `A message of ${bytes} bytes for ${subject} is larger than the ${maxBytes} that the server takes.`;
      return Promise.reject(new LogError('misconfigured', message));
    }
    if (!this.#connection.up || this.#connection.nats.isClosed()) {
      return Promise.reject(new LogError('unavailable', 'The connection to the log is down.'));
    }
    if (
      this.#places.length - this.#free.length >= maxInFlight ||
      this.#bytesInFlight + bytes > maxBytesInFlight
    ) {
      return Promise.reject(new LogError('unavailable', 'Too many requests to the log are open.'));
    }
    this.#counter += 1;
    const place = this.#free.pop() ?? this.#places.length;
    const token = `${place}-${this.#counter.toString(36)}`;
    const answer = new Promise<Msg>((resolve, reject) => {
      const timer = setTimeout(() => {
        if (this.#take(token) !== undefined) reject(new LogError('unknown', `No answer on ${subject}.`));
      }, timeoutMs);
      this.#places[place] = { token, bytes, timer, resolve, reject };
    });
    this.#bytesInFlight += bytes;
    const reply = `${this.#inbox}.${token}`;
    this.#connection.nats.publish(subject, payload, headers === undefined ? { reply } : { reply, headers });
    return answer;
  }

  #answered(message: Msg): void {
    // A consumer's delivery has another subject: nats-server was made to answer in another's name.
    if (!message.subject.startsWith(this.#inbox)) return;
    const pending = this.#take(message.subject.slice(this.#inbox.length + 1));
    if (pending === undefined) return;
    if (message.data.length === 0 && message.headers?.code === 503) {
      pending.reject(new NoResponders());
    } else {
      pending.resolve(message);
    }
  }

  #take(token: string): Pending | undefined {
    const place = Number.parseInt(token, 10);
    const pending = this.#places[place];
    if (pending?.token !== token) return undefined;
    this.#places[place] = null;
    this.#free.push(place);
    this.#bytesInFlight -= pending.bytes;
    clearTimeout(pending.timer);
    return pending;
  }

  #rejectAll(): void {
    for (const pending of [...this.#places]) {
      if (pending === null) continue;
      this.#take(pending.token)?.reject(
        new LogError('unknown', 'The connection broke before the answer came.'),
      );
    }
  }
}
