import { feedBelowBytes } from '../base/limits.ts';
import type { FanoutMetrics } from '../base/metrics.ts';
import { type CloseReason, type Connection, closeCodes } from './connection.ts';

/** Ends connections with a reason that the client gets to read. */
export class Closer {
  readonly #metrics: FanoutMetrics;
  readonly #elapsedMs: () => number;

  constructor(metrics: FanoutMetrics, elapsedMs: () => number) {
    this.#metrics = metrics;
    this.#elapsedMs = elapsedMs;
  }

  /** `retryMs`: what a client is told to wait before it comes back. */
  close(connection: Connection, reason: CloseReason, retryMs = 0): void {
    const { socket } = connection;
    if (socket === null || connection.closing !== null) return;
    this.#metrics.closes.inc({ reason });
    // A connection that is being closed gets nothing more.
    for (const topic of socket.getTopics()) socket.unsubscribe(topic);
    connection.interest = null;
    connection.catchUp = null;
    connection.statusParts = [];
    connection.closing = { reason, sinceMs: this.#elapsedMs(), retryMs };
    this.pump(connection);
  }

  /** The engine would drop the close frame of a slow socket, too: it goes out when the socket drains. */
  pump(connection: Connection): void {
    const { socket, closing } = connection;
    if (socket === null || closing === null || socket.getBufferedAmount() >= feedBelowBytes) return;
    const { reason, retryMs } = closing;
    socket.end(closeCodes[reason], retryMs === 0 ? reason : `${reason} retry=${retryMs}`);
  }
}
