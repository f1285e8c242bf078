import { AuthorizationError, UserAuthenticationExpiredError } from '@nats-io/nats-core';
import { setRefused } from '../../lib/refused-connections.ts';

const reportEveryMs = 60_000;
const firstRetryMs = 200;
const maxRetryMs = 5_000;

/** The line of one connection stands for all of the process. */
interface RefusalReports {
  lastMs: number;
}
const ofThisProcess: RefusalReports = { lastMs: Number.NEGATIVE_INFINITY };

/**
 * Credentials of a connection that nats-server refuses when it reconnects. It is tried for ever, because they
 * may become right again, but more slowly, and the log of the process has a line each minute
 * (docs/decisions/0284).
 */
export class RefusedCredentials {
  readonly #user: string;
  readonly #nowMs: () => number;
  readonly #warn: (message: string) => void;
  readonly #reports: RefusalReports;
  #inARow = 0;

  constructor(user: string, nowMs = () => performance.now(), warn = warnOfProcess, reports = ofThisProcess) {
    this.#user = user;
    this.#nowMs = nowMs;
    this.#warn = warn;
    this.#reports = reports;
  }

  noticed(error: Error): void {
    if (!(error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError)) return;
    this.#inARow += 1;
    setRefused(this, true);
    if (this.#nowMs() - this.#reports.lastMs < reportEveryMs) return;
    this.#reports.lastMs = this.#nowMs();
    this.#warn(
      `nats-server refuses the credentials of ${this.#user}: ${error.message}. Runbook: docs/operate.md#potstreamcredentialsrefused`,
    );
  }

  ended(): void {
    this.#inARow = 0;
    setRefused(this, false);
  }

  /** The pause before the next try; without a refusal `usualMs`. */
  retryMs(usualMs: number): number {
    if (this.#inARow === 0) return usualMs;
    return usualMs + Math.min(maxRetryMs, firstRetryMs * 2 ** (this.#inARow - 1));
  }
}

function warnOfProcess(message: string): void {
  process.emitWarning(message, { code: 'POTSTREAM_NATS_CREDENTIALS_REFUSED' });
}
