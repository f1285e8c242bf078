import type { HandshakeFault } from '../../network/handshake.ts';

/**
 * The port to the websocket engine. Both adapters pass `test/fanout/engines/contract.ts`, which says what the
 * feeds rely on (docs/decisions/0077).
 */
export interface SocketServer<Data> {
  readonly name: EngineName;
  /** Sends a text frame to all sockets that are subscribed to the topic. */
  publish(topic: string, frame: Buffer): void;
  /**
   * Resolves to the port. Port 0 takes a free one for this process alone; a named port is shared with other
   * processes where engine and machine can.
   * @throws Error if the port is taken
   */
  listen(options: SocketServerOptions<Data>, host: string, port: number): Promise<number>;
  stopListening(): void;
  /** Cuts all connections. */
  close(): void;
}

export type EngineName = 'uwebsockets' | 'ws';
/** `auto`: uWebSockets.js where it can be loaded, else ws. */
export type EngineChoice = 'auto' | EngineName;

export interface SocketServerOptions<Data> {
  readonly routes: readonly SocketRoute<Data>[];
  /** The answer to every other request; `fault` says why it is no handshake, if its path is a route's. */
  readonly otherwise: (path: string, fault: HandshakeFault) => HttpAnswer;
  /** A longer message, whole or in fragments, ends its connection and is not delivered. */
  readonly maxMessageBytes: number;
  /** A frame is dropped while more bytes than this wait for the socket. */
  readonly maxBackpressureBytes: number;
  /** A connection without a sign of life for this long is cut; the engine pings it before. */
  readonly idleTimeoutSeconds: number;
  /** ws: an inherited socket to listen on in place of host and port. */
  readonly listenFd?: number | null;
}

export interface SocketRoute<Data> {
  /** Parts that begin with a colon are parameters; they are not empty. */
  readonly path: string;
  /** Decides on a sound handshake. It must not reject. No subprotocol and no extension is chosen. */
  admit(request: UpgradeRequest): Promise<UpgradeAnswer<Data>>;
  opened(socket: EngineSocket, data: Data): void;
  message(data: Data, bytes: Buffer, isBinary: boolean): void;
  /** A frame was not sent, because too many bytes wait. */
  dropped(data: Data): void;
  /** Fewer bytes wait than before. */
  drained(data: Data): void;
  /** Called once, by `end` and `close` too. 1006: the connection was cut. */
  closed(data: Data, code: number): void;
}

/** An open socket. It must not be used any more once its route's `closed` was called. */
export interface EngineSocket {
  /** A `sendStatus`. */
  send(frame: Buffer, isBinary: false): number;
  /** Bytes that wait in this process. */
  getBufferedAmount(): number;
  /** Sends all frames of `write` together. */
  cork(write: () => void): unknown;
  subscribe(topic: string): boolean;
  unsubscribe(topic: string): boolean;
  getTopics(): string[];
  /** Closes with a close frame. Calls `closed` at once. */
  end(code: number, reason: string): void;
  /** Cuts the connection. Calls `closed` at once. */
  close(): void;
}

export interface UpgradeRequest {
  readonly parameters: readonly string[];
  /** Without its question mark. */
  readonly query: string;
  /** Empty where the client sends none, here and below. */
  readonly origin: string;
  readonly host: string;
  /** The address at the other end of the connection. */
  readonly peer: string;
  /** X-Forwarded-For: its lines in their order, separated by commas. */
  readonly forwarded: string;
}

export type UpgradeAnswer<Data> =
  | { readonly kind: 'accepted'; readonly data: Data }
  | { readonly kind: 'refused'; readonly answer: HttpAnswer };

/** The connection is closed after it. */
export interface HttpAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What `send` returns. */
export const sendStatus = { queued: 0, sent: 1, dropped: 2 } as const;

/** The parameters of a path that has the form of the pattern; otherwise null. */
export function matchPath(pattern: string, path: string): string[] | null {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return null;
  const parameters: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (!wanted[index]?.startsWith(':')) {
      if (wanted[index] !== part) return null;
    } else if (part === '') return null;
    else parameters.push(part);
  }
  return parameters;
}
