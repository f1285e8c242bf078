import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { EngineSocket, SocketRoute } from '../engine.ts';
import type { Topics } from './topics.ts';

const sent = 1;
const queued = 0;
const dropped = 2;
/** How the end of a connection without a close frame is reported. */
const cutCode = 1006;
const asText = { binary: false };

/** A socket of `ws` that behaves like one of uWebSockets.js. */
export class WsSocket<Data> implements EngineSocket {
  readonly topics = new Set<string>();
  readonly #websocket: WebSocket;
  readonly #connection: Socket;
  readonly #route: SocketRoute<Data>;
  readonly #data: Data;
  readonly #allTopics: Topics<Data>;
  readonly #maxBackpressureBytes: number;
  readonly #ended: (socket: WsSocket<Data>) => void;
  #hasBacklog = false;
  #isClosed = false;
  #bytesRead = 0;
  #heardMs = performance.now();
  #wasPinged = false;

  constructor(
    connection: { readonly websocket: WebSocket; readonly socket: Socket; readonly data: Data },
    route: SocketRoute<Data>,
    server: {
      readonly topics: Topics<Data>;
      readonly maxBackpressureBytes: number;
      /** Called once: the connection is the feeds' no more. */
      readonly ended: (socket: WsSocket<Data>) => void;
    },
  ) {
    this.#websocket = connection.websocket;
    this.#connection = connection.socket;
    this.#data = connection.data;
    this.#route = route;
    this.#allTopics = server.topics;
    this.#maxBackpressureBytes = server.maxBackpressureBytes;
    this.#ended = server.ended;
  }

  /** Begins to listen to the client. */
  open(): void {
    const websocket = this.#websocket;
    websocket.on('message', (bytes: Buffer, isBinary) => {
      if (!this.#isClosed) this.#route.message(this.#data, bytes, isBinary);
    });
    // A frame that breaks the protocol, or a message that is too large: what follows cannot be read.
    websocket.on('error', () => websocket.terminate());
    websocket.on('close', (code) => this.#close(code));
    this.#route.opened(this, this.#data);
  }

  send(frame: Buffer): number {
    if (this.#websocket.readyState !== this.#websocket.OPEN) return sent;
    if (this.#websocket.bufferedAmount > this.#maxBackpressureBytes) {
      this.#hasBacklog = true;
      this.#route.dropped(this.#data);
      return dropped;
    }
    this.#websocket.send(frame, asText, this.#written);
    if (this.#websocket.bufferedAmount === 0) return sent;
    this.#hasBacklog = true;
    return queued;
  }

  getBufferedAmount(): number {
    return this.#websocket.bufferedAmount;
  }

  cork(write: () => void): void {
    this.#connection.cork();
    try {
      write();
    } finally {
      this.#connection.uncork();
    }
  }

  subscribe(topic: string): boolean {
    return this.#allTopics.join(this, topic);
  }

  unsubscribe(topic: string): boolean {
    return this.#allTopics.leave(this, topic);
  }

  getTopics(): string[] {
    return [...this.topics];
  }

  end(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#websocket.close(code, reason);
    // Nothing follows the close frame; the client's answer is still read.
    this.#connection.end();
    this.#close(code);
  }

  close(): void {
    this.#websocket.terminate();
    this.#close(cutCode);
  }

  /** Pings a client that has been silent for a while, and cuts one that stays silent. */
  checkSilence(nowMs: number, pingAfterMs: number, cutAfterMs: number): void {
    const { bytesRead } = this.#connection;
    if (bytesRead !== this.#bytesRead) {
      this.#bytesRead = bytesRead;
      this.#heardMs = nowMs;
      this.#wasPinged = false;
      return;
    }
    const silentMs = nowMs - this.#heardMs;
    if (silentMs >= cutAfterMs) this.close();
    else if (silentMs >= pingAfterMs && !this.#wasPinged) {
      this.#wasPinged = true;
      if (this.#websocket.readyState === this.#websocket.OPEN) this.#websocket.ping();
    }
  }

  /** One function for all frames: no closure for each. */
  readonly #written = (): void => {
    if (!this.#hasBacklog || this.#isClosed) return;
    this.#hasBacklog = this.#websocket.bufferedAmount > 0;
    this.#route.drained(this.#data);
  };

  #close(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#allTopics.leaveAll(this);
    this.#ended(this);
    this.#route.closed(this.#data, code);
  }
}
