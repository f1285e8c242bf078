import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { type EngineSocket, type SocketRoute, sendStatus } from '../engine.ts';

const { sent, queued, dropped } = sendStatus;
/** How the end of a connection without a close frame is reported. */
const cutCode = 1006;
const asText = { binary: false };

interface WsSocketServer<Data> {
  readonly topics: Topics<Data>;
  readonly maxBackpressureBytes: number;
  /** Called once: the connection is the feeds' no more. */
  readonly ended: (socket: WsSocket<Data>) => void;
}

/** A socket of `ws` that behaves like one of uWebSockets.js. */
export class WsSocket<Data> implements EngineSocket {
  readonly topics = new Set<string>();
  readonly #websocket: WebSocket;
  readonly #connection: Socket;
  readonly #data: Data;
  readonly #route: SocketRoute<Data>;
  readonly #server: WsSocketServer<Data>;
  #hasBacklog = false;
  #isClosed = false;
  #bytesRead = 0;
  #heardMs = performance.now();
  #wasPinged = false;

  constructor(
    connection: { readonly websocket: WebSocket; readonly socket: Socket; readonly data: Data },
    route: SocketRoute<Data>,
    server: WsSocketServer<Data>,
  ) {
    this.#websocket = connection.websocket;
    this.#connection = connection.socket;
    this.#data = connection.data;
    this.#route = route;
    this.#server = server;
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
    if (this.#websocket.bufferedAmount > this.#server.maxBackpressureBytes) {
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
    return this.#server.topics.join(this, topic);
  }

  unsubscribe(topic: string): boolean {
    return this.#server.topics.leave(this, topic);
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
    this.#server.topics.leaveAll(this);
    this.#server.ended(this);
    this.#route.closed(this.#data, code);
  }
}

/** Who is subscribed to which topic. */
export class Topics<Data> {
  readonly #sockets = new Map<string, Set<WsSocket<Data>>>();

  /** False if the socket was subscribed already. */
  join(socket: WsSocket<Data>, topic: string): boolean {
    if (socket.topics.has(topic)) return false;
    socket.topics.add(topic);
    const subscribed = this.#sockets.get(topic);
    if (subscribed === undefined) this.#sockets.set(topic, new Set([socket]));
    else subscribed.add(socket);
    return true;
  }

  /** False if the socket was not subscribed. */
  leave(socket: WsSocket<Data>, topic: string): boolean {
    if (!socket.topics.delete(topic)) return false;
    const subscribed = this.#sockets.get(topic);
    subscribed?.delete(socket);
    if (subscribed?.size === 0) this.#sockets.delete(topic);
    return true;
  }

  leaveAll(socket: WsSocket<Data>): void {
    for (const topic of [...socket.topics]) this.leave(socket, topic);
  }

  publish(topic: string, frame: Buffer): void {
    const subscribed = this.#sockets.get(topic);
    if (subscribed === undefined) return;
    for (const socket of subscribed) socket.send(frame);
  }
}
