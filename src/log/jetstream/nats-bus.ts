import type { Msg } from '@nats-io/nats-core';
import { type Bus, type BusMessage, LogError } from '../../ports.ts';
import { isInboxFor } from '../names.ts';
import type { LogConnection } from './connection.ts';
import { Requester } from './requester.ts';

/** Core NATS: nothing is kept, and what is sent while the connection is down is lost. */
export class NatsBus implements Bus {
  readonly #connection: LogConnection;
  /** By the first token of what is asked: as many as there are kinds of questions. */
  readonly #requesters = new Map<string, Requester>();
  /** Kinds of messages of which it was told that one does not read. */
  readonly #unreadable = new Set<string>();

  constructor(connection: LogConnection) {
    this.#connection = connection;
  }

  publish(subject: string, bytes: Uint8Array): void {
    // The client would keep it in memory until the server is back, and by then nobody wants it.
    if (!this.connected() || this.#isTooLarge(subject, bytes)) return;
    this.#connection.nats.publish(subject, bytes);
  }

  subscribe(
    subject: string,
    handler: (message: BusMessage) => void,
    options: { readonly queue?: string } = {},
  ): { stop(): void } {
    const subscription = this.#connection.nats.subscribe(subject, {
      ...options,
      callback: (error, message) => {
        if (error !== null || isRelayed(message, subject)) return;
        this.#hand(handler, {
          subject: message.subject,
          bytes: message.data,
          respond: (bytes) => {
            const { reply } = message;
            // An answer goes to its asker's inbox: to another subject it would be a message of ours that somebody else wants there.
            if (!reply || !this.connected() || !isInboxFor(subject, reply)) return;
            if (!this.#isTooLarge(message.subject, bytes)) message.respond(bytes);
          },
        });
      },
    });
    return {
      stop: () => {
        if (!subscription.isClosed()) subscription.unsubscribe();
      },
    };
  }

  async request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    try {
      return (await this.#requesterFor(subject).send(subject, bytes, timeoutMs)).data;
    } catch (cause) {
      throw new LogError('unavailable', `Nobody answers on ${subject}.`, { cause });
    }
  }

  /**
   * Whoever publishes keeps its messages smaller. One that is not is lost like any that the bus loses, and told of: thrown, it
   * would take the whole role with it.
   */
  #isTooLarge(subject: string, bytes: Uint8Array): boolean {
    if (bytes.length <= this.#connection.maxBytes) return false;
    process.emitWarning(`A message of ${bytes.length} bytes on ${subject} is too large for the bus.`, {
      code: 'POTSTREAM_BUS_MESSAGE_TOO_LARGE',
    });
    return true;
  }

  connected(): boolean {
    return this.#connection.up && !this.#connection.nats.isClosed();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** A message that does not read costs nothing but itself: nats-server's own answers can be led to any subject, too. */
  #hand(handler: (message: BusMessage) => void, message: BusMessage): void {
    try {
      handler(message);
    } catch (error) {
      if (!(error instanceof LogError && error.code === 'corrupt')) throw error;
      const kind = message.subject.split('.', 1)[0] as string;
      if (this.#unreadable.has(kind)) return;
      this.#unreadable.add(kind);
      process.emitWarning(`A message on ${message.subject} does not read: ${error.message}`, {
        code: 'POTSTREAM_BUS_MESSAGE_UNREADABLE',
      });
    }
  }

  #requesterFor(subject: string): Requester {
    const kind = subject.split('.', 1)[0] as string;
    const known = this.#requesters.get(kind);
    if (known !== undefined) return known;
    const requester = new Requester(this.#connection, kind);
    this.#requesters.set(kind, requester);
    return requester;
  }
}

/**
 * Whether nats-server sent it for who may not publish here: it answers and delivers to whatever subject its asker names
 * (docs/decisions/0087). Nobody of ours sends headers, and what a consumer delivers keeps the subject that it was stored under.
 */
function isRelayed(message: Msg, subscribed: string): boolean {
  return message.headers !== undefined || !matches(subscribed, message.subject);
}

function matches(pattern: string, subject: string): boolean {
  if (pattern === subject) return true;
  const [wanted, found] = [pattern.split('.'), subject.split('.')];
  return wanted.length === found.length && wanted.every((token, at) => token === '*' || token === found[at]);
}
