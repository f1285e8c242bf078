import type { FeedError, FeedState } from './events.ts';
import { platform } from './platform.ts';
import { codeOf, forbidden, noAnswer, planAfter, unauthenticated } from './retry.ts';
import { openSocket, openStream, type Transport } from './transport.ts';

export interface Target {
  readonly address: string;
  readonly isStream: boolean;
}

interface LinkHandlers {
  /** Where to connect to now, with a new credential. `unopened`: so many tries in a row never got through. */
  target(unopened: number): Promise<Target>;
  /** Why nothing gets through, as an HTTP status: browsers do not show that of a websocket. */
  refusal?(): Promise<number>;
  opened(transport: Transport): void;
  message(text: string): void;
  /** Every two seconds while it is open. */
  tick(): void;
  state(state: FeedState): void;
  error(error: FeedError): void;
}

/** Every instance sends within 5 s, so a longer silence means that nobody is there any more. */
export const silenceMs = 12_000;
const tickMs = 2_000;
/** Timers that are later than this were held up: the page was frozen, or the machine slept. */
const lateMs = 6_000;
/** After this time a connection counts as one that holds. */
export const settledMs = 10_000;
const staleAfterMs = 3_000;
const offlineAfterMs = 30_000;
const wakeEveryMs = 5_000;
const mostFailures = 10;
/** From this try on, another way is tried, and the reason is asked for. */
export const suspicious = 2;
const ordinary: ReadonlySet<number> = new Set([1000, 1001, noAnswer, 1013]);

/** Keeps one connection to a feed: watches for silence, comes back, and knows when it has to give up. */
export class Link {
  state: FeedState = 'connecting';
  readonly #handlers: LinkHandlers;
  #transport: Transport | null = null;
  /** Answers that belong to an earlier one are not listened to. */
  #attempt = 0;
  #failures = 0;
  #refusals = 0;
  #unopened = 0;
  #isOpen = false;
  #liveMs: number | null = null;
  #heardMs = 0;
  #tickedMs = 0;
  #wasLate = false;
  #retryAtMs = 0;
  #notBeforeMs = 0;
  #wokenMs = Number.NEGATIVE_INFINITY;
  #isAway = false;
  #retryTimer: number | undefined;
  #declineTimer: number | undefined;
  #ticker: number | undefined;

  constructor(handlers: LinkHandlers) {
    this.#handlers = handlers;
    this.#listen(true);
    this.#decline();
    void this.#try();
  }

  close(): void {
    this.#listen(false);
    this.#stop();
    this.#setState('offline');
  }

  reconnect(): void {
    this.#stop();
    this.#failures = this.#refusals = 0;
    this.#decline();
    void this.#try();
  }

  async #try(): Promise<void> {
    this.#retryTimer = undefined;
    this.#isOpen = false;
    this.#liveMs = null;
    this.#heardMs = this.#tickedMs = now();
    this.#wasLate = false;
    const attempt = ++this.#attempt;
    this.#ticker = platform.setInterval(() => this.#tick(), tickMs);
    let target: Target;
    try {
      target = await this.#handlers.target(this.#unopened);
    } catch (cause) {
      if (attempt === this.#attempt)
        this.#lost(codeOf((cause as { status?: unknown } | null)?.status), '', cause);
      return;
    }
    if (attempt !== this.#attempt) return;
    try {
      this.#transport = this.#open(target);
    } catch (cause) {
      this.#lost(4400, 'The address cannot be opened.', cause);
    }
  }

  #open({ address, isStream }: Target): Transport {
    const transport = (isStream ? openStream : openSocket)(address, {
      open: () => {
        this.#isOpen = true;
        // What got through once is tried first the next time.
        this.#unopened = isStream ? suspicious : 0;
        this.#handlers.opened(transport);
      },
      message: (text) => {
        this.#heardMs = now();
        this.#wasLate = false;
        this.#liveMs ??= this.#heardMs;
        platform.clearTimeout(this.#declineTimer);
        this.#declineTimer = undefined;
        this.#setState('live');
        this.#handlers.message(text);
      },
      closed: (code, reason) => this.#lost(code, reason),
    });
    return transport;
  }

  #lost(code: number, reason: string, cause?: unknown): void {
    this.#stop();
    if (!this.#isOpen) this.#unopened += 1;
    this.#decline();
    void this.#judge(code, reason, cause);
  }

  async #judge(code: number, reason: string, cause: unknown): Promise<void> {
    const { refusal } = this.#handlers;
    const attempt = this.#attempt;
    let judged = code;
    if (refusal !== undefined && !this.#isOpen && this.#unopened >= suspicious)
      judged = await refusal().then(codeOf, () => code);
    if (attempt === this.#attempt) this.#plan(judged, reason, cause);
  }

  #plan(code: number, reason: string, cause: unknown): void {
    if (this.#liveMs !== null && now() - this.#liveMs > settledMs) this.#failures = this.#refusals = 0;
    const plan = planAfter(code, reason, { failures: this.#failures, refusals: this.#refusals });
    this.#failures = Math.min(this.#failures + 1, mostFailures);
    if (code === unauthenticated) this.#refusals += 1;
    if (plan !== null) {
      this.#notBeforeMs = now() + plan.atLeastMs;
      this.#retryIn(plan.waitMs);
    }
    if (plan === null || code === forbidden) this.#giveUp();
    if (!ordinary.has(code) || cause !== undefined)
      this.#handlers.error({ code, reason, final: plan === null, cause });
  }

  #retryIn(waitMs: number): void {
    platform.clearTimeout(this.#retryTimer);
    this.#retryAtMs = now() + waitMs;
    this.#retryTimer = platform.setTimeout(() => void this.#try(), waitMs);
  }

  /** Ends what is going on; nothing of it is heard any more. */
  #stop(): void {
    this.#attempt += 1;
    platform.clearTimeout(this.#retryTimer);
    platform.clearInterval(this.#ticker);
    this.#retryTimer = undefined;
    this.#transport?.close();
    this.#transport = null;
  }

  /** Until the next message: a connection that is back at once is nothing that a page need show. */
  #decline(): void {
    this.#declineTimer ??= platform.setTimeout(() => {
      if (this.state === 'live') this.#setState('stale');
      this.#declineTimer = platform.setTimeout(
        () => this.#setState('offline'),
        offlineAfterMs - staleAfterMs,
      );
    }, staleAfterMs);
  }

  #giveUp(): void {
    platform.clearTimeout(this.#declineTimer);
    this.#declineTimer = undefined;
    this.#setState('offline');
  }

  #tick(): void {
    const late = now() - this.#tickedMs > lateMs;
    this.#tickedMs = now();
    if (now() - this.#heardMs > silenceMs) {
      // What came meanwhile may wait to be read.
      if (late && !this.#wasLate) this.#wasLate = true;
      else this.#lost(noAnswer, 'silence');
    } else if (this.#isOpen) this.#handlers.tick();
  }

  /** The page is seen again, or the network is back. Never before the service allows it. */
  readonly #wake = (): void => {
    if (this.#isAway || platform.document?.visibilityState === 'hidden') return;
    if (this.#retryTimer === undefined) return;
    if (now() - this.#wokenMs < wakeEveryMs) return;
    this.#wokenMs = now();
    const waitMs = Math.max(0, this.#notBeforeMs - now()) + Math.random() * 1_000;
    if (now() + waitMs < this.#retryAtMs) this.#retryIn(waitMs);
  };

  readonly #offline = (): void => {
    if (this.#transport === null) return;
    this.#failures = mostFailures;
    this.#liveMs = null;
    this.#lost(noAnswer, 'offline');
    this.#setState('offline');
  };

  /** A page with an open connection cannot be kept for "back". */
  readonly #hide = ({ persisted }: { readonly persisted?: boolean }): void => {
    if (persisted !== true || (this.#retryTimer === undefined && this.#transport === null)) return;
    this.#isAway = true;
    this.#stop();
  };

  readonly #show = (): void => {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#decline();
    this.#retryIn(Math.random() * 500);
  };

  #listen(isOn: boolean): void {
    const verb = isOn ? 'addEventListener' : 'removeEventListener';
    platform[verb]?.('online', this.#wake);
    platform[verb]?.('offline', this.#offline);
    platform[verb]?.('pagehide', this.#hide);
    platform[verb]?.('pageshow', this.#show);
    platform.document?.[verb]('visibilitychange', this.#wake);
  }

  #setState(state: FeedState): void {
    if (state === this.state) return;
    this.state = state;
    this.#handlers.state(state);
  }
}

function now(): number {
  return platform.performance.now();
}
