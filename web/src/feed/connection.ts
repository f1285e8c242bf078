import type { ConnectionState } from './connection-state.ts';
import { type FeedMessage, readFrame } from './messages.ts';

export interface FeedHandlers {
  /** Path and query of a player's feed with a fresh token for each try; null ends trying, because there is no feed here. */
  address(): Promise<string | null>;
  /** Newest event counters by instance: what was missed within the last two minutes is sent again. */
  since(): Readonly<Record<string, number>>;
  state(state: ConnectionState): void;
  message(message: FeedMessage): void;
}

/** Every instance sends within 5 s, so a longer silence means that nobody is there any more. */
const silenceLimitMs = 12_000;
const firstRetryMs = 500;
const maxRetryMs = 10_000;

/** Keeps one websocket to a player's feed (O21) open: subscribes, watches for silence, comes back with growing pauses. */
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
    let address: string | null;
    try {
      address = await handlers.address();
    } catch {
      return again();
    }
    if (address === null || closed) return;
    const opened = new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${address}`,
    );
    socket = opened;
    watch();
    opened.onopen = () => opened.send(subscribeRequest(handlers.since()));
    opened.onmessage = (event: MessageEvent<string>) => {
      if (closed) return;
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

  handlers.state('connecting');
  void connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** Exponential with jitter, so that a thousand pages do not come back in the same instant. */
export function retryDelayMs(retries: number, chance = Math.random()): number {
  const ceiling = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(retries, 10));
  return ceiling / 2 + (ceiling / 2) * chance;
}

function subscribeRequest(since: Readonly<Record<string, number>>): string {
  const wanted = { source: 'jackpot', event_type: '*' };
  const known = Object.keys(since).length > 0;
  return JSON.stringify({ SubscribeRequest: { events: [known ? { ...wanted, since } : wanted] } });
}
