import { createInbox, type Msg, type MsgHdrs } from '@nats-io/nats-core';
import { LogError } from '../../lib/ports.ts';
import type { LogConnection } from './connection.ts';

/** More than these are refused: the client itself would take any number into memory. */
const MAXIMUM_IN_FLIGHT = 4_096;
const MAXIMUM_BYTES_IN_FLIGHT = 64 * 1024 * 1024;

interface Pending {
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
  resolve(answer: Msg): void;
  reject(error: LogError): void;
}

/** Requests with one inbox for all answers: several times cheaper than the client's own, and bounded. */
export class Requester {
  readonly #connection: LogConnection;
  readonly #inbox = createInbox();
  readonly #pending = new Map<string, Pending>();
  #bytesInFlight = 0;
  #counter = 0;

  constructor(connection: LogConnection) {
    this.#connection = connection;
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
    if (!this.#connection.up || this.#connection.nats.isClosed()) {
      return Promise.reject(new LogError('unavailable', 'The connection to the log is down.'));
    }
    if (this.#pending.size >= MAXIMUM_IN_FLIGHT || this.#bytesInFlight + bytes > MAXIMUM_BYTES_IN_FLIGHT) {
      return Promise.reject(new LogError('unavailable', 'Too much is on its way to the log.'));
    }
    this.#counter += 1;
    const token = this.#counter.toString(36);
    const answer = new Promise<Msg>((resolve, reject) => {
      const timer = setTimeout(() => {
        if (this.#take(token) !== undefined) reject(new LogError('unknown', `No answer on ${subject}.`));
      }, timeoutMs);
      this.#pending.set(token, { bytes, timer, resolve, reject });
    });
    this.#bytesInFlight += bytes;
    const reply = `${this.#inbox}.${token}`;
    this.#connection.nats.publish(subject, payload, headers === undefined ? { reply } : { reply, headers });
    return answer;
  }

  #answered(message: Msg): void {
    const pending = this.#take(message.subject.slice(this.#inbox.length + 1));
    if (pending === undefined) return;
    if (message.data.length === 0 && message.headers?.code === 503) {
      pending.reject(new LogError('unavailable', 'JetStream does not answer at the moment.'));
    } else {
      pending.resolve(message);
    }
  }

  #take(token: string): Pending | undefined {
    const pending = this.#pending.get(token);
    if (pending === undefined) return undefined;
    this.#pending.delete(token);
    this.#bytesInFlight -= pending.bytes;
    clearTimeout(pending.timer);
    return pending;
  }

  #rejectAll(): void {
    for (const token of [...this.#pending.keys()]) {
      this.#take(token)?.reject(new LogError('unknown', 'The connection broke before the answer came.'));
    }
  }
}
