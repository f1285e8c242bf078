import { type Bus, type BusMessage, LogError } from '../../lib/ports.ts';
import type { LogConnection } from './connection.ts';
import { Requester } from './requester.ts';

/** Core NATS: nothing is kept, and what is sent while the connection is down is lost. */
export class NatsBus implements Bus {
  readonly #connection: LogConnection;
  readonly #requester: Requester;

  constructor(connection: LogConnection) {
    this.#connection = connection;
    this.#requester = new Requester(connection);
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
        if (error !== null) return;
        handler({
          subject: message.subject,
          bytes: message.data,
          respond: (bytes) => {
            if (!message.reply || !this.connected() || this.#isTooLarge(message.subject, bytes)) return;
            message.respond(bytes);
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
      return (await this.#requester.send(subject, bytes, timeoutMs)).data;
    } catch (cause) {
      throw new LogError('unavailable', `Nobody answers on ${subject}.`, { cause });
    }
  }

  /**
   * Whoever publishes keeps its messages smaller. One that is not is lost like any that the bus loses, and told of: thrown, it
   * would take the whole role with it.
   */
  #isTooLarge(subject: string, bytes: Uint8Array): boolean {
    if (bytes.length <= this.#connection.mostBytes) return false;
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
}
