import { pause } from '../lib/pause.ts';
import type { Clock } from '../ports.ts';

/** A login that may be tried. Exactly one of its ends must be told. */
export interface LoginTry {
  /** The pair has logged in from this address lately. */
  readonly proven: boolean;
  succeeded(): void;
  failed(): void;
  /** It was not tried after all. */
  abandoned(): void;
}

export interface LoginLimit {
  /**
   * Whether a login of this pair of name and address may be tried now; else the seconds until it may. While the limit
   * depends on tries that are under way, it waits for them.
   */
  begin(pair: string): Promise<LoginTry | number>;
  /** The pair has proven itself in another way, by a token that it renewed. */
  proved(pair: string): void;
}

export interface LoginLimitOptions {
  /** Failures of a pair within `windowMs`. */
  readonly maxFailures: number;
  readonly windowMs: number;
  /** Pairs that are counted, and pairs that are remembered as proven; the oldest go first. */
  readonly maxPairs: number;
}

/** A pair that logged in is proven for so long. */
const provenForMs = 3_600_000;
/** How often a proven pair that is over the limit may try, and how long it waits for its turn: whoever guesses beside it delays it. */
const provenTryEveryMs = 1_000;
const maxProvenWaitMs = 4_000;
const maxWaitingPerPair = 64;
const msPerSecond = 1_000;

interface Window {
  startMs: number;
  failures: number;
  underWay: number;
  nextProvenTryMs: number;
  readonly waiting: (() => void)[];
}

/**
 * Counts failed logins by pair of name and address. A try counts before its password is looked at, so that parallel guesses
 * are as many as guesses one behind the other.
 */
export function createLoginLimit(clock: Clock, options: LoginLimitOptions): LoginLimit {
  const { maxFailures, windowMs, maxPairs } = options;
  const windows = new Map<string, Window>();
  const provenAtMs = new Map<string, number>();

  function windowOf(pair: string): Window {
    const present = windows.get(pair);
    const nowMs = clock.nowMs();
    if (present !== undefined) {
      if (nowMs - present.startMs >= windowMs) {
        present.startMs = nowMs;
        present.failures = 0;
      }
      return present;
    }
    if (windows.size >= maxPairs) forgetOldest(windows);
    const window = { startMs: nowMs, failures: 0, underWay: 0, nextProvenTryMs: 0, waiting: [] };
    windows.set(pair, window);
    return window;
  }

  function isProven(pair: string): boolean {
    const atMs = provenAtMs.get(pair);
    return atMs !== undefined && clock.nowMs() - atMs < provenForMs;
  }

  function proved(pair: string): void {
    provenAtMs.delete(pair);
    if (provenAtMs.size >= maxPairs) provenAtMs.delete(provenAtMs.keys().next().value as string);
    provenAtMs.set(pair, clock.nowMs());
  }

  function tryOf(pair: string, window: Window, proven: boolean): LoginTry {
    window.underWay += 1;
    const end = (failures: number): void => {
      window.underWay -= 1;
      window.failures += failures;
      const waiting = window.waiting.splice(0);
      for (const wake of waiting) wake();
      if (window.underWay === 0 && window.failures === 0) windows.delete(pair);
    };
    return {
      proven,
      succeeded: () => {
        proved(pair);
        end(0);
      },
      failed: () => end(1),
      abandoned: () => end(0),
    };
  }

  return {
    async begin(pair) {
      for (;;) {
        const window = windowOf(pair);
        const proven = isProven(pair);
        const nowMs = clock.nowMs();
        if (window.failures >= maxFailures) {
          if (!proven) return Math.ceil((window.startMs + windowMs - nowMs) / msPerSecond);
          const waitMs = Math.max(0, window.nextProvenTryMs - nowMs);
          if (waitMs > maxProvenWaitMs) return Math.ceil(waitMs / msPerSecond);
          window.nextProvenTryMs = nowMs + waitMs + provenTryEveryMs;
          const turn = tryOf(pair, window, proven);
          if (waitMs > 0) await pause(clock, waitMs);
          return turn;
        }
        if (window.failures + window.underWay < maxFailures) return tryOf(pair, window, proven);
        if (window.waiting.length >= maxWaitingPerPair) return 1;
        await new Promise<void>((wake) => window.waiting.push(wake));
      }
    },
    proved,
  };
}

/** One that nobody is trying: whoever is under way would be counted in a window that is gone. */
function forgetOldest(windows: Map<string, Window>): void {
  for (const [pair, { underWay }] of windows) {
    if (underWay > 0) continue;
    windows.delete(pair);
    return;
  }
}
