import { pause } from '../../lib/pauses.ts';
import type { Clock } from '../../ports.ts';

/** A login attempt. Call exactly one of `succeeded`, `failed` and `abandoned`. */
export interface LoginTry {
  /** The user logged in from this address lately. */
  readonly proven: boolean;
  succeeded(): void;
  failed(): void;
  /** The password was not checked. */
  abandoned(): void;
}

export interface LoginLimit {
  /** Begins a login, or gives the seconds until it may. Waits for attempts that decide about it. */
  begin(pair: string): Promise<LoginTry | number>;
  /** The pair renewed a token, which proves as much as a login, or logged in at another gateway. */
  proved(pair: string): void;
  /** A login of the pair failed at another gateway. */
  failedElsewhere(pair: string): void;
}

interface LoginLimitOptions {
  /** Failures of a pair within `windowMs`. */
  readonly maxFailures: number;
  readonly windowMs: number;
  /** Counted pairs, and pairs remembered as proven. The oldest go first. */
  readonly maxPairs: number;
}

/** How long a pair counts as proven after a login. */
const provenForMs = 3_600_000;
/** How often a proven pair over the limit may try, and how long it waits: a guesser only delays it. */
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

/** Counts failed logins by name and address. Attempts count before the check: parallel ones gain nothing. */
export function createLoginLimit(clock: Clock, options: LoginLimitOptions): LoginLimit {
  const { maxFailures, windowMs, maxPairs } = options;
  const windows = new Map<string, Window>();
  const provenAtMs = new Map<string, number>();

  function windowOf(pair: string): Window {
    const present = windows.get(pair);
    const nowMs = clock.elapsedMs();
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
    return atMs !== undefined && clock.elapsedMs() - atMs < provenForMs;
  }

  function proved(pair: string): void {
    provenAtMs.delete(pair);
    if (provenAtMs.size >= maxPairs) provenAtMs.delete(provenAtMs.keys().next().value as string);
    provenAtMs.set(pair, clock.elapsedMs());
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
        const nowMs = clock.elapsedMs();
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
    failedElsewhere(pair) {
      windowOf(pair).failures += 1;
    },
  };
}

/** Removes the oldest window without an attempt under way, whose result would otherwise be lost. */
function forgetOldest(windows: Map<string, Window>): void {
  for (const [pair, { underWay }] of windows) {
    if (underWay > 0) continue;
    windows.delete(pair);
    return;
  }
}
