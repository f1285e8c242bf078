import type { ConnectionState } from './connection-state.ts';
import { type FeedMessage, readFrame } from './messages.ts';

export interface FeedHandlers {
  /** A fresh feed token for each try; null ends trying, because there is no feed here. */
  token(): Promise<string | null>;
  /** Newest event counters by instance: what was missed within the last two minutes is sent again. */
  since(): Readonly<Record<string, number>>;
  state(state: ConnectionState): void;
  message(message: FeedMessage): void;
}

/** Every instance sends within 5 s, so a longer silence means that nobody is there any more. */
const silenceLimitMs = 12_000;
/** Tokens live a quarter of an hour. */
const renewMs = 10 * 60_000;
const firstRetryMs = 500;
const longestRetryMs = 10_000;

/** Keeps one websocket to the service feed open: subscribes, watches for silence, comes back with growing pauses. */
export function openFeed(handlers: FeedHandlers): () => void {
  let socket: WebSocket | null = null;
  let retries = 0;
  let timer = 0;
  let closed = false;

  const again = () => {
    socket = null;
    clearTimeout(timer);
    if (closed) return;
    handlers.state('waiting');
    timer = window.setTimeout(connect, retryDelayMs(retries++));
  };
  const watch = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => socket?.close(), silenceLimitMs);
  };
  const connect = async () => {
    let token: string | null;
    try {
      token = await handlers.token();
    } catch {
      return again();
    }
    if (token === null || closed) return;
    const opened = new WebSocket(feedAddress(token));
    socket = opened;
    watch();
    opened.onopen = () => opened.send(subscribeRequest(handlers.since()));
    opened.onmessage = (event: MessageEvent<string>) => {
      watch();
      retries = 0;
      handlers.state('live');
      const message = readFrame(event.data);
      if (message !== null) handlers.message(message);
    };
    opened.onclose = () => {
      if (socket === opened) again();
    };
  };

  const renew = async () => {
    const token = await handlers.token().catch(() => null);
    if (token !== null && socket?.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ RefreshTokenRequest: { token } }));
  };

  handlers.state('connecting');
  void connect();
  const renewing = setInterval(() => void renew(), renewMs);
  return () => {
    closed = true;
    clearInterval(renewing);
    clearTimeout(timer);
    socket?.close();
  };
}

/** Exponential with jitter, so that a thousand pages do not come back in the same instant. */
export function retryDelayMs(retries: number, chance = Math.random()): number {
  const ceiling = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(retries, 10));
  return ceiling / 2 + (ceiling / 2) * chance;
}

function subscribeRequest(since: Readonly<Record<string, number>>): string {
  const wanted = { source: 'jackpot', event_type: '*' };
  const known = Object.keys(since).length > 0;
  return JSON.stringify({ SubscribeRequest: { events: [known ? { ...wanted, since } : wanted] } });
}

function feedAddress(token: string): string {
  const base = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`;
  return `${base}/events/service?token=${encodeURIComponent(token)}`;
}
