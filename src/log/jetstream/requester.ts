import type { Msg, MsgHdrs } from '@nats-io/nats-core';
import { LogError } from '../../ports.ts';
import type { LogConnection } from './connection.ts';

/** More than these are refused: the client itself would take any number into memory. */
const maxInFlight = 4_096;
const maxBytesInFlight = 64 * 1024 * 1024;

interface Pending {
  /** Its place, and a number that no other request of that place had. */
  readonly token: string;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
  resolve(answer: Msg): void;
  reject(error: LogError): void;
}

/**
 * Requests with one inbox for all answers: several times cheaper than the client's own, and bounded. They stand in places that are used
 * again: a Map that a thousand entries a second pass through leaves tables behind that keep one another, and their entries, alive until
 * the next full collection.
 */
export class Requester {
  readonly #connection: LogConnection;
  readonly #inbox: string;
  readonly #places: (Pending | null)[] = [];
  readonly #free: number[] = [];
  #bytesInFlight = 0;
  #counter = 0;

  /** `question`: of whom it asks; without one it is nats-server. */
  constructor(connection: LogConnection, question?: string) {
    this.#connection = connection;
    this.#inbox = connection.newInbox(question);
    connection.nats.subscribe(`${this.#inbox}.*`, {
      callback: (_error, message) => this.#answered(message),
    });
    connection.onDown(() => this.#rejectAll());
  }

  /**
   * Sends once and waits for the one answer.
   * @throws LogError `unavailable`: certainly nobody got it; `unknown`: somebody may have.
   */
  send(subject: string, payload: Uint8Array | string, timeoutMs: number, headers?: MsgHdrs): Promise<Msg> {
    const bytes = payload.length;
    const maxBytes = this.#connection.maxBytes;
    // The client would throw, with a place taken that nobody gives back.
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
    // What a consumer delivers here has another subject: somebody lets nats-server write in the name of who was asked.
    if (!message.subject.startsWith(this.#inbox)) return;
    const pending = this.#take(message.subject.slice(this.#inbox.length + 1));
    if (pending === undefined) return;
    if (message.data.length === 0 && message.headers?.code === 503) {
      pending.reject(new LogError('unavailable', 'JetStream is not answering.'));
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
