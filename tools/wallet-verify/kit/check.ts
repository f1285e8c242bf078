import type { Exchange } from './client.ts';
import type { Kit } from './kit.ts';
import type { Target } from './target.ts';

/** One rule of the interface, as a wallet is tested for it. */
export interface Check {
  readonly id: string;
  /** What the wallet must do. */
  readonly rule: string;
  /** What to do if it does not. */
  readonly advice: string;
  /** What must be known of the wallet for this check; null: it is known. */
  readonly needs?: (target: Target) => string | null;
  /** Throws CheckFailed. */
  readonly run: (kit: Kit) => Promise<void>;
}

/** The wallet broke the rule. */
export class CheckFailed extends Error {
  readonly code = 'check_failed';
  readonly retryable = false;
  /** The exchange that shows it; null: the newest of the check. */
  readonly exchange: Exchange | null;
  constructor(message: string, exchange: Exchange | null = null) {
    super(message);
    this.exchange = exchange;
  }
}

export function ensure(condition: boolean, message: string, exchange: Exchange | null = null): void {
  if (!condition) throw new CheckFailed(message, exchange);
}
