import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

type Since = Readonly<Record<string, number>>;
interface Subscription {
  readonly since?: Since;
  readonly instance_ids?: readonly string[];
  readonly source: string;
}

/** One socket of a client, as the server has it. */
export interface Accepted {
  readonly path: string;
  readonly socket: WebSocket;
  readonly subscriptions: readonly Subscription[];
  /** Of its message. */
  readonly bytes: number;
}

/** A server of feeds that says what a test wants (docs/rules/feeds.md "Envelope"); its sockets are real ones. */
export class FeedServer {
  readonly url: string;
  /** Addresses of all tries, websockets and requests. */
  readonly tries: string[] = [];
  readonly requests: IncomingMessage[] = [];
  /** Answers plain requests; default: 404. */
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.writeHead(404).end('{}');
  /** A status refuses the upgrade. */
  admit: (path: string) => number | null = () => null;
  /** Runs at each subscription. */
  subscribed: (accepted: Accepted) => void = () => {};
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor(http: Server) {
    this.#http = http;
    this.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    http.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(request);
      this.answer(request, response);
    });
    http.on('upgrade', (request: IncomingMessage, socket, head) => {
      const path = request.url ?? '';
      this.tries.push(path);
      const refused = this.admit(path);
      // A client may be gone before it has read the answer.
      socket.on('error', () => socket.destroy());
      if (refused !== null) return void socket.end(`HTTP/1.1 ${refused} No\r\nContent-Length: 0\r\n\r\n`);
      this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#accept(path, accepted));
    });
  }

  static async start(): Promise<FeedServer> {
    const http = createServer();
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    return new FeedServer(http);
  }

  get sockets(): readonly WebSocket[] {
    return [...this.#sockets.clients];
  }

  send(frame: object | string): void {
    for (const socket of this.#sockets.clients) socket.send(textOf(frame));
  }

  closeAll(code: number, reason: string): void {
    for (const socket of this.#sockets.clients) socket.close(code, reason);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, 'close');
  }

  #accept(path: string, socket: WebSocket): void {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { SubscribeRequest?: { events: readonly Subscription[] } };
      if (message.SubscribeRequest !== undefined)
        this.subscribed({
          path,
          socket,
          subscriptions: message.SubscribeRequest.events,
          bytes: String(data).length,
        });
      else this.others.push(message);
    });
  }

  /** Messages that are no subscriptions. */
  readonly others: object[] = [];
}

export function textOf(frame: object | string): string {
  return typeof frame === 'string' ? frame : JSON.stringify(frame);
}

interface Update {
  readonly seq: number;
  readonly value?: string;
  readonly event_seq?: number;
  readonly recovered?: boolean;
  readonly timestamp?: number;
}

export function update(
  instance: string,
  { seq, value = '10', timestamp = 1_700_000_000_000, ...more }: Update,
) {
  return envelope('JackpotUpdate', instance, seq, timestamp, {
    id: instance,
    currency: 'EUR',
    pots: [{ id: 'main', current_value: value }],
    status: 'Active',
    timestamp_start: 0,
    timestamp_end: null,
    last_updated: timestamp,
    ...more,
  });
}

/** As the service writes it: the amount is a number of any length. */
export function win(instance: string, seq: number, amount: string, timestamp = 1_700_000_000_000): string {
  const data = {
    win_pot_id: 'main',
    win_amount: '!',
    currency: 'EUR',
    player_id: 'an***',
    community_winners: [],
  };
  return textOf(envelope('WinEvent', instance, seq, timestamp, data)).replace('"!"', amount);
}

export function envelope(
  event_type: string,
  instance_id: string,
  seq: number,
  timestamp: number,
  data: object,
) {
  const of = { operator_id: 'acme', brand_id: 'acme:main', player_id: null, instance_id };
  return { msg_type: 'Event', source: 'jackpot', event_type, ...of, seq, timestamp, data };
}
