import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { Counters } from '../../client/src/feed/counters.ts';
import { codeOf, noAnswer, planAfter, unauthenticated } from '../../client/src/feed/retry.ts';

export interface FeedFrame {
  readonly text: string;
  readonly type: string;
  readonly instance: string;
  /** null: the number is the socket's own. */
  readonly seq: number | null;
}

interface ServiceFeedHandlers {
  opened(): void;
  event(frame: FeedFrame): void;
  interrupted(reason: string): void;
  /** Counted events of an instance were not recovered. */
  gap(instance: string): void;
}

interface ServiceFeed {
  close(): void;
  /** Why the feed is over; null: it was closed. */
  readonly ended: Promise<string | null>;
}

/** What a client says to a feed in one message, less what stands around `since`. */
const sinceBytes = 3_300;
const refreshEveryMs = 5 * 60_000;
const pingEveryMs = 5_000;
const silenceMs = 12_000;
/** After this time a connection counts as one that holds. */
const settledMs = 10_000;
const counted: ReadonlySet<string> = new Set(['WinEvent', 'RaffleWinEvent', 'InstanceStatusEvent']);

/** Follows the feed of services (O22) until it is closed, or the service says that coming back is no use. */
export function followServiceFeed(
  base: URL,
  token: () => Promise<string>,
  types: readonly string[],
  handlers: ServiceFeedHandlers,
): ServiceFeed {
  const counters = new Counters();
  let socket: WebSocket | null = null;
  let failures = 0;
  let refusals = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let end: (reason: string | null) => void = () => {};
  const ended = new Promise<string | null>((resolve) => {
    end = resolve;
  });

  async function open(): Promise<void> {
    let current: string;
    try {
      current = await token();
    } catch (error) {
      return lost(codeOf((error as { status_code?: number }).status_code), String(error));
    }
    if (isClosed) return;
    const address = new URL(
      `events/service?token=${encodeURIComponent(current)}`,
      `${base.href.replace(/\/*$/, '/')}`,
    );
    const made = new WebSocket(address.href.replace(/^http/, 'ws'));
    socket = made;
    let openedMs: number | null = null;
    let lastSignMs = performance.now();
    let status: number | undefined;
    const noteSign = () => {
      lastSignMs = performance.now();
    };
    const say = (message: object) => made.send(JSON.stringify(message));
    const timers = [
      setInterval(() => {
        if (performance.now() - lastSignMs > silenceMs) return made.terminate();
        if (openedMs !== null) made.ping();
      }, pingEveryMs),
      setInterval(() => {
        // The next try says why there is none.
        token().then(
          (next) => say({ RefreshTokenRequest: { token: next } }),
          () => {},
        );
      }, refreshEveryMs),
    ];
    made.on('open', () => {
      openedMs = performance.now();
      const since = counters.since(sinceBytes, undefined);
      const events = ['JackpotUpdate', ...types].map((event_type) => ({ source: 'jackpot', event_type }));
      say({ SubscribeRequest: { events: [{ ...events[0], since }, ...events.slice(1)] } });
      handlers.opened();
    });
    made.on('pong', noteSign);
    made.on('message', (data) => {
      noteSign();
      take(String(data));
    });
    made.on('unexpected-response', (_, response: IncomingMessage) => {
      status = response.statusCode;
      made.terminate();
    });
    // A close follows.
    made.on('error', () => {});
    made.on('close', (code, reason) => {
      for (const each of timers) clearInterval(each);
      if (openedMs !== null && performance.now() - openedMs > settledMs) failures = refusals = 0;
      const why = status === undefined ? String(reason) || `close ${code}` : `status ${status}`;
      lost(status === undefined ? code : codeOf(status), why);
    });
  }

  function take(text: string): void {
    const {
      event_type: type,
      instance_id: instance,
      seq,
      data,
    } = JSON.parse(text) as {
      readonly event_type: string;
      readonly instance_id: string;
      readonly seq: number;
      readonly data: { readonly event_seq?: number; readonly recovered?: boolean };
    };
    if (type === 'JackpotUpdate') {
      if (counters.update(instance, data.event_seq, data.recovered)) handlers.gap(instance);
      return;
    }
    const isCounted = counted.has(type);
    if (isCounted && !counters.count(instance, seq)) return;
    handlers.event({ text, type, instance, seq: isCounted ? seq : null });
  }

  function lost(code: number, reason: string): void {
    socket = null;
    const plan = planAfter(code || noAnswer, reason, { failures, refusals });
    failures += 1;
    if (code === unauthenticated) refusals += 1;
    if (isClosed || plan === null) {
      end(isClosed ? null : reason);
      return;
    }
    handlers.interrupted(reason);
    timer = setTimeout(connect, plan.waitMs);
  }

  function connect(): void {
    open().catch((error: unknown) => end(String(error)));
  }

  connect();
  return {
    ended,
    close() {
      isClosed = true;
      clearTimeout(timer);
      if (socket === null) end(null);
      else socket.close(1000);
    },
  };
}
