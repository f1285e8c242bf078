import type { Msg } from '@nats-io/nats-core';
import { type Bus, type BusMessage, isUnreadable, LogError } from '../../ports.ts';
import { isInboxFor } from '../base/names.ts';
import type { LogConnection } from './connection.ts';
import { NoResponders, Requester } from './requester.ts';

/** Core NATS: nothing is stored, and messages sent while the connection is down are lost. */
export class NatsBus implements Bus {
  readonly #connection: LogConnection;
  readonly #requesters = new Map<string, Requester>();
  /** Kinds of messages already reported as unreadable. */
  readonly #unreadable = new Set<string>();

  constructor(connection: LogConnection) {
    this.#connection = connection;
  }

  publish(subject: string, bytes: Uint8Array): void {
    // The client would buffer it until the server is back, when it is stale.
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
            // Answer only to the caller's inbox: elsewhere it would be a message in our name.
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

  async hasListener(subject: string, timeoutMs: number): Promise<boolean> {
    try {
      await this.#requesterFor(subject).send(subject, '', timeoutMs);
      return true;
    } catch (error) {
      return !(error instanceof NoResponders);
    }
  }

  async request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    try {
      return (await this.#requesterFor(subject).send(subject, bytes, timeoutMs)).data;
    } catch (cause) {
      throw new LogError('unavailable', `Nobody answers on ${subject}.`, { cause });
    }
  }

  /**
   * Publishers keep their messages smaller. Drops and reports one that is too large: an error would end the
   * whole role.
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

  interruptions(): number {
    return this.#connection.interruptions;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Skips an unreadable message and reports its kind once: nats-server may answer on any subject. */
  #hand(handler: (message: BusMessage) => void, message: BusMessage): void {
    try {
      handler(message);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
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
 * Whether nats-server sent it for a role that may not publish here: it answers on any subject that its caller
 * names (docs/decisions/0086). Our messages have no headers, and a consumer delivers under the stored
 * subject.
 */
function isRelayed(message: Msg, subscribed: string): boolean {
  return message.headers !== undefined || !matches(subscribed, message.subject);
}

function matches(pattern: string, subject: string): boolean {
  if (pattern === subject) return true;
  const [wanted, found] = [pattern.split('.'), subject.split('.')];
  return wanted.length === found.length && wanted.every((token, at) => token === '*' || token === found[at]);
}
